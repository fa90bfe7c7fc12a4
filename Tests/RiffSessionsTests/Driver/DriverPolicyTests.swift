// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import Testing

struct DriverPolicyTests {
    private static func client(_ number: Int, _ size: String = "", observes: Bool) -> TmuxClient {
        TmuxClient(name: "/dev/pts/\(number)", processID: 100 + number, size: .standard, ignoresSize: observes)
    }

    /// A session as the front end `me` sees it: which clients count, which observe, which are its own, and who has the
    /// lease.
    private static func viewers(
        counting: [Int],
        observing: [Int],
        own: [Int],
        lease: String
    ) -> SessionViewers {
        let clients = counting.map { client($0, observes: false) } + observing.map { client($0, observes: true) }
        return SessionViewers(
            session: .base,
            sessionID: "$0",
            clients: clients,
            leaseText: lease,
            own: own.map { TmuxClient.Key(processID: 100 + $0, name: "/dev/pts/\($0)") }
        )
    }

    private static func lease(_ viewer: String, _ number: Int) -> String {
        "\(viewer) \(100 + number) /dev/pts/\(number)"
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var counting: [Int] = []
        var observing: [Int] = []
        var own: [Int] = []
        var lease = ""
        let ownership: SizeOwnership
        let settling: DriverDecision
    }

    static let cases = [
        Case(testDescription: "not there", counting: [7], ownership: .absent, settling: .nothing),
        Case(
            testDescription: "alone, as tmux left it",
            observing: [1],
            own: [1],
            ownership: .free,
            settling: .takeFree
        ),
        Case(
            testDescription: "driving",
            counting: [1],
            observing: [2],
            own: [1],
            lease: lease("me", 1),
            ownership: .driving,
            settling: .nothing
        ),
        Case(
            testDescription: "another drives",
            counting: [2],
            observing: [1],
            own: [1],
            lease: lease("you", 2),
            ownership: .observing(client(2, observes: false)),
            settling: .nothing
        ),
        Case(
            testDescription: "another drives, and I still count",
            counting: [1, 2],
            own: [1],
            lease: lease("you", 2),
            ownership: .observing(client(2, observes: false)),
            settling: .observe
        ),
        Case(
            testDescription: "the driver died",
            observing: [1],
            own: [1],
            lease: lease("you", 2),
            ownership: .free,
            settling: .takeFree
        ),
        Case(
            testDescription: "the driver's terminal has another process now",
            counting: [],
            observing: [1, 2],
            own: [1],
            lease: "you 999 /dev/pts/2",
            ownership: .free,
            settling: .takeFree
        ),
        Case(
            testDescription: "the lease is mine, and I observe",
            observing: [1],
            own: [1],
            lease: lease("me", 1),
            ownership: .driving,
            settling: .takeOver(nil)
        ),
        Case(
            testDescription: "back after a cut, with the old client still there",
            counting: [1, 3],
            own: [1, 3],
            lease: lease("me", 3),
            ownership: .driving,
            settling: .takeOver(nil)
        ),
        Case(
            testDescription: "back after a cut, and the lease names the old client",
            counting: [1],
            observing: [3],
            own: [1, 3],
            lease: lease("me", 1),
            ownership: .free,
            settling: .takeOver(nil)
        ),
        Case(
            testDescription: "back after a cut, another drives, and the old client counts",
            counting: [1, 2],
            observing: [3],
            own: [1, 3],
            lease: lease("you", 2),
            ownership: .observing(client(2, observes: false)),
            settling: .observe
        ),
        Case(
            testDescription: "a person's own attach beside me",
            counting: [1, 7],
            own: [1],
            lease: lease("me", 1),
            ownership: .deferredToForeignClient([client(7, observes: false)]),
            settling: .observe
        ),
        Case(
            testDescription: "a person's own attach, and I observe",
            counting: [7],
            observing: [1],
            own: [1],
            ownership: .deferredToForeignClient([client(7, observes: false)]),
            settling: .nothing
        ),
        Case(
            testDescription: "a person who observes is nobody's rival",
            counting: [1],
            observing: [7],
            own: [1],
            lease: lease("me", 1),
            ownership: .driving,
            settling: .nothing
        ),
        Case(
            testDescription: "a lease that is none",
            observing: [1],
            own: [1],
            lease: "}#(x),",
            ownership: .free,
            settling: .takeFree
        ),
    ]

    @Test(arguments: cases)
    func `who looks at a session decides what to do`(one: Case) {
        let viewers = Self.viewers(counting: one.counting, observing: one.observing, own: one.own, lease: one.lease)
        #expect(viewers.ownership == one.ownership)
        #expect(viewers.settling == one.settling)
    }

    @Test func `whoever wants to drive takes over, but not from a terminal that is none of Riff's`() throws {
        let watching = Self.viewers(counting: [2], observing: [1], own: [1], lease: Self.lease("you", 2))
        #expect(try watching.driving() == .takeOver(Self.client(2, observes: false)))
        #expect(
            try Self.viewers(counting: [1], observing: [], own: [1], lease: Self.lease("me", 1)).driving() == .nothing
        )
        #expect(try Self.viewers(counting: [], observing: [1], own: [1], lease: "").driving() == .takeOver(nil))
        for (viewers, code) in [
            (Self.viewers(counting: [7], observing: [1], own: [1], lease: ""), CoreError.Code.foreignDriver),
            (Self.viewers(counting: [7], observing: [], own: [1], lease: ""), .notAttached),
        ] {
            let error = #expect(throws: CoreError.self) { try viewers.driving() }
            #expect(error?.code == code)
        }
    }

    @Test(arguments: [
        ("me 12 /dev/pts/3", true), ("", false), ("me", false), ("me 12", false), ("me x /dev/pts/3", false),
        ("me 12 /dev/pts/3 more", false), ("me 12 /dev/'pts", false), ("m:e 12 /dev/pts/3", false),
        ("me 12 #{x}", false),
    ])
    func `a lease is read back, and nothing else is one`(text: String, isLease: Bool) {
        #expect(DriverLease(text)?.text == (isLease ? text : nil))
    }

    @Test func `the list of clients is read, whatever the session is called`() throws {
        let text = """
            10:159:72:attached,focused,UTF-8:/dev/pts/1:$0:me 10 /dev/pts/1: 10=/dev/pts/1:a b, c
            11:47:49:attached,ignore-size,UTF-8:/dev/pts/2:$0:me 10 /dev/pts/1: 10=/dev/pts/1:a b, c
            12:80::attached,control-mode,ignore-size,no-output:client-12:$1:::riff

            """
        let sessions = try ViewerListing.parse(Array(text.utf8))
        #expect(sessions.map(\.session.rawValue) == ["a b, c", "riff"])
        #expect(sessions.map(\.clients.count) == [2, 1])
        #expect(sessions[0].ownership == .driving)
        #expect(
            sessions[0].clients.map(\.size) == [
                TerminalSize(columns: 159, rows: 72), TerminalSize(columns: 47, rows: 49),
            ]
        )
        #expect(sessions[1].clients.first?.size == nil && sessions[1].ownership == .absent)
        #expect(try ViewerListing.parse([]) == [])
        for broken in ["x", "10:159:72:f:/dev/pts/1:0:::riff", "10:159:72:f:/dev/pts/1:$0::", "ten:1:1:f:n:$0:::riff"] {
            let error = #expect(throws: CoreError.self) { try ViewerListing.parse(Array(broken.utf8)) }
            #expect(error?.code == .malformedClientList)
        }
    }

    @Test(arguments: [
        ("tmux 3.3a", true), ("tmux 3.2", true), ("tmux 3.1c", false), ("tmux 2.9a", false), ("tmux next-3.5", true),
        ("tmux 4.0", true), ("tmux 10.1", true), ("tmux master", false), ("", false), ("tmux 3", false),
    ])
    func `clients that observe are known from 3,2 on`(version: String, known: Bool) {
        #expect(TmuxClientFlags.areKnown(to: version) == known)
    }

    @Test func `in any history all come to terms: one drives, or all leave it to a stranger`() throws {
        var generator = SeededGenerator(seed: 18)
        for round in 0..<3000 {
            var tmux = FakeSession()
            var seen: [Int: SessionViewers] = [:]
            for _ in 0..<Int.random(in: 1...25, using: &generator) {
                let viewer = Int.random(in: 0..<3, using: &generator)
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: tmux.attach(viewer, cut: Bool.random(using: &generator))
                case 1: tmux.detach(.random(in: 0..<8, using: &generator))
                case 2: tmux.attachStranger()
                case 3, 4: seen[viewer] = tmux.viewers(for: viewer)
                case 5: if let old = seen[viewer] { tmux.carryOut(old.settling, on: old, as: viewer) }
                case 6:
                    if let old = seen[viewer], let wish = try? old.driving() {
                        tmux.carryOut(wish, on: old, as: viewer)
                    }
                default: tmux.settle(viewer)
                }
            }
            for _ in 0..<6 { for viewer in 0..<3 { tmux.settle(viewer) } }
            let before = tmux
            for viewer in 0..<3 { tmux.settle(viewer) }
            #expect(tmux == before, "round \(round) does not come to rest")
            let strangers = tmux.clients.filter { tmux.owner[$0.key] == nil }
            #expect(strangers.allSatisfy { !$0.ignoresSize }, "a stranger was touched")
            let counting = tmux.clients.filter { tmux.owner[$0.key] != nil && !$0.ignoresSize }
            let attached = (0..<3).filter { tmux.viewers(for: $0).mine != nil }
            #expect(counting.count == (strangers.isEmpty && !attached.isEmpty ? 1 : 0), "round \(round)")
            #expect(attached.count { tmux.viewers(for: $0).ownership == .driving } == counting.count, "round \(round)")
        }
    }
}

/// What tmux keeps of one session, and what the calls do to it.
private struct FakeSession: Equatable {
    var clients: [TmuxClient] = []
    var owner: [TmuxClient.Key: Int] = [:]
    var registered: [Int: [TmuxClient.Key]] = [:]
    var lease = ""
    private var next = 1

    private mutating func add(observes: Bool) -> TmuxClient.Key {
        let client = TmuxClient(name: "/dev/pts/\(next)", processID: next, size: .standard, ignoresSize: observes)
        next += 1
        clients.append(client)
        return client.key
    }

    mutating func attachStranger() { _ = add(observes: false) }

    /// A front end comes, or comes back: one that was cut off leaves its old client behind for a while.
    mutating func attach(_ viewer: Int, cut: Bool) {
        if !cut { clients.removeAll { owner[$0.key] == viewer } }
        let key = add(observes: true)
        owner[key] = viewer
        registered[viewer, default: []].append(key)
        guard clients.count == 1 || lease.hasPrefix("v\(viewer) ") else { return }
        lease = "v\(viewer) \(key.processID) \(key.name)"
        flag(key, observes: false)
    }

    mutating func detach(_ index: Int) { if index < clients.count { clients.remove(at: index) } }

    func viewers(for viewer: Int) -> SessionViewers {
        SessionViewers(
            session: .base,
            sessionID: "$0",
            clients: clients,
            leaseText: lease,
            own: registered[viewer] ?? []
        )
    }

    mutating func settle(_ viewer: Int) {
        let seen = viewers(for: viewer)
        carryOut(seen.settling, on: seen, as: viewer)
    }

    mutating func carryOut(_ decision: DriverDecision, on seen: SessionViewers, as viewer: Int) {
        guard let mine = seen.mine, decision != .nothing else { return }
        if registered[viewer] == seen.own { registered[viewer] = [mine.key] }
        switch decision {
        case .nothing: break
        case .takeFree:
            if lease == seen.leaseText || DriverLease(seen.leaseText) == nil && !seen.leaseText.isEmpty {
                lease = "v\(viewer) \(mine.processID) \(mine.name)"
                flag(mine.key, observes: false)
            }
        case .takeOver(let old):
            lease = "v\(viewer) \(mine.processID) \(mine.name)"
            flag(mine.key, observes: false)
            if let old { flag(old.key, observes: true) }
        case .observe:
            if lease.hasPrefix("v\(viewer) ") { lease = "" }
            flag(mine.key, observes: true)
        }
        for client in seen.leftBehind { flag(client.key, observes: true) }
    }

    private mutating func flag(_ key: TmuxClient.Key, observes: Bool) {
        guard let index = clients.firstIndex(where: { $0.key == key }) else { return }
        let old = clients[index]
        clients[index] = TmuxClient(name: old.name, processID: old.processID, size: old.size, ignoresSize: observes)
    }
}
