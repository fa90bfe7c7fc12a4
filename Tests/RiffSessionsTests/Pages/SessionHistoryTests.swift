// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import TestSupport
import Testing

extension InTurn {
    /// Random histories of a server, of others who use it, of a person, and of a bad network.
    @Suite(.timeLimit(.minutes(5)))
    struct SessionHistoryTests {
        @Test func `ten thousand histories end with the pages that the server has, and lose none on the way`() throws {
            for seed in 0..<10_000 as Range<UInt64> {
                var history = SessionHistory(seed: seed)
                for _ in 0..<20 { history.step() }
                history.calmDown()
                guard history.complaints.isEmpty else {
                    Issue.record("history \(seed): \(history.complaints.joined(separator: "; "))")
                    return
                }
            }
        }
    }
}

/// One history: a machine, a server, an owner that performs the machine's effects, and a model of the pages.
struct SessionHistory {
    private var random: SeededGenerator
    private let policy: AttachPolicy
    private var machine: SessionsMachine
    private(set) var complaints: [String] = []

    // The server.
    private var server: [LiveSession] = []
    private var nextID = 0
    private var killedByPerson: Set<String> = []
    private var killedByOthers: Set<String> = []

    // The owner.
    private enum Terminal { case opening, open(id: String), over }
    private var terminals: [SessionName: Terminal] = [:]
    private var isProbing = false
    private var told: [[LiveSession]] = []

    // The model.
    private var pages: [(name: SessionName, id: String?)] = [(.base, nil)]
    private var active = SessionName.base
    /// The active page of last time, until it was found, or somebody has acted.
    private var recalled: SessionName?

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        policy =
            [AttachPolicy.eager, .visible(), .visible(prefetch: 0), AttachPolicy(prefetch: nil, channelBudget: 3)]
            .randomElement(using: &random) ?? .eager
        machine = SessionsMachine(policy: policy)
        for _ in 0..<Int.random(in: 0...4, using: &random) { startSession() }
        handle(.started)
        recalled = [nil, .base, number(2), number(5)].randomElement(using: &random) ?? nil
        handle(.recalled(recalled))
    }

    // MARK: What happens

    mutating func step() {
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1: startSession()
        case 2, 3: endSession()
        case 4: renameSession()
        case 5, 6, 7: openTerminal(mayFail: true)
        case 8, 9, 10: answerProbe(mayFail: true)
        case 11: handle(.foregrounded)
        case 12: handle(.connected)
        case 13: turnPage()
        case 14: create()
        case 15: close()
        case 16: told.append(server)
        case 17: hearWatcher()
        case 18: noticeEnd()
        default: dropTerminal()
        }
    }

    /// The network is good, nobody does anything, and the app is looked at: everything has to be in its place.
    mutating func calmDown() {
        for _ in 0..<2 {
            settle()
            handle(.foregrounded)
            settle()
        }
        let names = machine.list.names
        let wanted = Set(policy.places(of: names.count, active: machine.list.activeIndex).map { names[$0] })
        // A base page that nobody is attached by may have no session: it is made when somebody turns to it.
        let expected = Set(server.map(\.name)).union(names.contains(.base) && !wanted.contains(.base) ? [.base] : [])
        if Set(names) != expected { complaints.append("the pages are \(names), the server has \(server.map(\.name))") }
        for name in names {
            guard case .open(let id)? = terminals[name] else {
                if wanted.contains(name) { complaints.append("\(name) is not attached") }
                continue
            }
            if !wanted.contains(name) { complaints.append("\(name) is attached") }
            if id != server.first(where: { $0.name == name })?.id { complaints.append("\(name) shows another session") }
        }
        if !killedByPerson.isDisjoint(with: server.map(\.id)) { complaints.append("a closed session lives") }
    }

    private mutating func settle() {
        var rounds = 0
        while isProbing || !told.isEmpty || !opening.isEmpty || !dead.isEmpty {
            noticeEnd()
            openTerminal(mayFail: false)
            answerProbe(mayFail: false)
            hearWatcher()
            rounds += 1
            guard rounds < 200 else { return complaints.append("it does not come to rest") }
        }
    }

    // MARK: The server and others who use it

    private func number(_ number: Int) -> SessionName? { try? SessionName("riff-\(number)") }

    private func freeNames() -> [SessionName] {
        ([.base] + (2...7).map { number($0) }).compactMap(\.self).filter { name in !server.contains { $0.name == name }
        }
    }

    private mutating func startSession(_ name: SessionName? = nil) {
        guard let name = name ?? freeNames().randomElement(using: &random) else { return }
        server.append(LiveSession(name: name, id: "$\(nextID)", created: 1, clients: 0, windows: 1))
        nextID += 1
    }

    private mutating func endSession() {
        guard let index = server.indices.randomElement(using: &random) else { return }
        killedByOthers.insert(server.remove(at: index).id)
    }

    /// Only sessions that were listed since they were attached to: of the others nobody can tell a rename from an end
    /// and a beginning.
    private mutating func renameSession() {
        let known = server.indices.filter { index in
            let id = server[index].id
            let viewers = attached { if case .open(id) = $0 { true } else { false } }
            return pages.contains { $0.id == id }
                && viewers.allSatisfy { viewer in pages.contains { $0.name == viewer && $0.id == id } }
        }
        guard let index = known.randomElement(using: &random), let name = freeNames().randomElement(using: &random)
        else {
            return
        }
        let old = server[index]
        server[index] = LiveSession(name: name, id: old.id, created: old.created, clients: 0, windows: 1)
    }

    // MARK: The owner

    private var opening: [SessionName] { attached { if case .opening = $0 { true } else { false } } }

    /// Terminals whose session is gone, as the owner is going to notice.
    private var dead: [SessionName] {
        attached { terminal in if case .open(let id) = terminal { !server.contains { $0.id == id } } else { false } }
    }

    private func attached(where isMeant: (Terminal) -> Bool) -> [SessionName] {
        terminals.filter { isMeant($0.value) }.keys.sorted { $0.rawValue < $1.rawValue }
    }

    private mutating func openTerminal(mayFail: Bool) {
        guard let name = opening.randomElement(using: &random) else { return }
        if mayFail, Int.random(in: 0..<4, using: &random) == 0 {
            terminals[name] = .over
            return handle(.ended(name, .lost(isRetryable: Bool.random(using: &random))))
        }
        if name == .base, !server.contains(where: { $0.name == name }) { startSession(.base) }
        guard let session = server.first(where: { $0.name == name }) else {
            terminals[name] = .over
            return handle(.ended(name, .exited))
        }
        terminals[name] = .open(id: session.id)
        handle(.opened(name))
    }

    private mutating func answerProbe(mayFail: Bool) {
        guard isProbing else { return }
        isProbing = false
        if mayFail, Int.random(in: 0..<3, using: &random) == 0 {
            let before = machine.list
            handle(.listFailed)
            if machine.list != before { complaints.append("a failed list changed the pages") }
            return
        }
        let sessions = server
        follow(sessions)
        handle(.listed(sessions.shuffled(using: &random)))
        if server != sessions { complaints.append("a list changed the server") }
    }

    private mutating func hearWatcher() {
        guard !told.isEmpty else { return }
        handle(.watched(TmuxServerState(status: .live, sessions: told.removeFirst())))
    }

    /// Tells the end of a terminal whose session is gone.
    private mutating func noticeEnd() {
        guard let name = dead.randomElement(using: &random) else { return }
        terminals[name] = .over
        handle(.ended(name, .exited))
    }

    /// Somebody detaches it, or the connection gives up.
    private mutating func dropTerminal() {
        let open = attached { if case .open = $0 { true } else { false } }
        guard let name = open.randomElement(using: &random) else { return }
        terminals[name] = .over
        handle(.ended(name, Bool.random(using: &random) ? .exited : .lost(isRetryable: false)))
    }

    // MARK: The person

    private mutating func turnPage() {
        let name = machine.list.name(at: Int.random(in: -1...8, using: &random))
        active = name
        recalled = nil
        handle(.activated(name))
    }

    private mutating func create() {
        let name = SessionNaming.next(server: server.map(\.name), memory: pages.map(\.name))
        startSession(name)
        pages.append((name, nil))
        active = name
        recalled = nil
        handle(.created(name))
    }

    private mutating func close() {
        guard let page = pages.randomElement(using: &random) else { return }
        if let index = server.firstIndex(where: { $0.name == page.name }) {
            killedByPerson.insert(server.remove(at: index).id)
        }
        let index = pages.firstIndex { $0.name == page.name } ?? 0
        pages.remove(at: index)
        if active == page.name { active = pages.isEmpty ? .base : pages[max(0, index - 1)].name }
        if pages.isEmpty { pages = [(.base, nil)] }
        recalled = nil
        handle(.closed(page.name))
    }

    // MARK: The model

    /// What a list has to do to the pages.
    private mutating func follow(_ live: [LiveSession]) {
        let index = pages.firstIndex { $0.name == active } ?? 0
        var left: [(old: Int, name: SessionName, id: String?)] = []
        var claimed: Set<String> = []
        for (place, page) in pages.enumerated() {
            guard let session = live.first(where: { $0.id == page.id }) else { continue }
            guard session.name == page.name || (session.name != .base && page.name != .base) else { continue }
            left.append((place, session.name, session.id))
            claimed.insert(session.id)
        }
        for (place, page) in pages.enumerated() where !left.contains(where: { $0.old == place }) {
            if let session = live.first(where: { $0.name == page.name && !claimed.contains($0.id) }) {
                left.append((place, page.name, session.id))
                claimed.insert(session.id)
            } else if page.name == .base {
                left.append((place, .base, nil))
            }
        }
        left.sort { $0.old < $1.old }
        let survivor = left.last { $0.old <= index } ?? left.first
        pages = left.map { ($0.name, $0.id) }
        for session in live.sorted(by: { (Int($0.id.dropFirst()) ?? 0) < (Int($1.id.dropFirst()) ?? 0) })
        where !claimed.contains(session.id) {
            pages.insert((session.name, session.id), at: session.name == .base ? 0 : pages.count)
        }
        if pages.isEmpty { pages = [(.base, nil)] }
        active = survivor?.name ?? pages[0].name
        if let recalled, pages.contains(where: { $0.name == recalled }) { active = recalled }
        recalled = nil
    }

    // MARK: Checking

    private mutating func handle(_ event: SessionsMachine.Event) {
        for effect in machine.handle(event) { perform(effect, after: event) }
        let list = machine.list
        if list.names != pages.map(\.name) {
            complaints.append("after \(event): \(list.names) instead of \(pages.map(\.name))")
        }
        if list.active != active {
            complaints.append("after \(event): \(list.active) is active instead of \(active)")
        }
        if Set(list.names).count != list.names.count { complaints.append("a name twice") }
        if list.contains(.base), list.names[0] != .base { complaints.append("the base page is not the first") }
        if !terminals.keys.allSatisfy({ list.contains($0) }) { complaints.append("a terminal without a page") }
    }

    private mutating func perform(_ effect: SessionsMachine.Effect, after event: SessionsMachine.Event) {
        switch effect {
        case .attach(let name):
            if opening.count >= 4, name != machine.list.active {
                complaints.append("five terminals are opened at once")
            }
            if terminals[name] != nil { complaints.append("after \(event): \(name) is attached twice") }
            terminals[name] = .opening
        case .detach(let name):
            if terminals.removeValue(forKey: name) == nil {
                complaints.append("after \(event): \(name) was not attached")
            }
        case .probe:
            if isProbing { complaints.append("after \(event): the server is asked twice at once") }
            isProbing = true
        case .remember(let name):
            if machine.list.active != name {
                complaints.append("after \(event): \(name) is remembered and not active")
            }
        }
    }
}
