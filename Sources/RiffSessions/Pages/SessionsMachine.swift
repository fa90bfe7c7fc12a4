// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The rules of a host's sessions: which pages there are, which one is active, which have a terminal, and when the
/// server is asked. Events in, effects out; it does nothing itself and knows no time.
///
/// The owner performs the effects in order. It reports what came of each ``Effect/probe(after:)`` with one of the two
/// list events, and of each ``Effect/attach(_:)`` with ``Event/opened(_:)`` or ``Event/ended(_:_:)``, but not of a
/// terminal that it was told to leave meanwhile. Nothing here ends a session on the server.
package struct SessionsMachine: Sendable, Hashable {
    /// The waits before each try of the first list.
    package static let enumerationDelays: [Duration] = [.zero, .seconds(1), .seconds(2)]
    /// The waits before a page is tried again that could not be attached although there was a connection.
    static let retryDelays: [Duration] = [1, 2, 4].map { .seconds($0) }
    /// The number of pages besides the active one that are attached at once: more would only make each other, and the
    /// page that a person waits for, late.
    static let parallelAttaches = 4

    /// The list of pages.
    package private(set) var list = SessionList()
    /// Which of them are attached.
    private(set) var policy: AttachPolicy
    private var schedule = SessionListSchedule()
    private var restoration = Restoration.recalling
    private var attachments: [SessionName: Attachment] = [:]
    /// Failed attaches in a row.
    private var failures: [SessionName: Int] = [:]
    /// Pages whose terminal is over, that get another one as soon as the server has listed them.
    private var revivable: Set<SessionName> = []
    private var hasListed = false
    /// The list that a watcher reported and that was not acted on yet.
    private var watched: [LiveSession]?

    /// The base page alone, and nothing begun.
    package init(policy: AttachPolicy = .eager) { self.policy = policy }

    /// Whether the first list was taken, or given up.
    package var isSetUp: Bool { phase == .running }
    private var phase: SessionListSchedule.Phase { schedule.phase }

    /// Takes an event.
    ///
    /// - Parameter event: What happened; one that does not fit the state changes nothing.
    /// - Returns: What to do, in order.
    package mutating func handle(_ event: Event) -> [Effect] {
        let effects = respond(to: event)
        // Somebody closed the base page while it was being opened, and another one stands instead.
        if phase == .openingBase, !list.contains(.base) { return effects + beginEnumeration() + settle() }
        return effects
    }

    private mutating func respond(to event: Event) -> [Effect] {
        switch event {
        case .started: start()
        case .recalled(let name): recalled(name)
        case .opened(let name): opened(name)
        case .ended(let name, let end): ended(name, end)
        case .listed(let live): listed(live)
        case .listFailed: listFailed()
        case .watched(let state): watched(state)
        case .foregrounded: foregrounded()
        case .connected: revive()
        case .activated(let name): activated(name)
        case .created(let name): created(name)
        case .closed(let name): closed(name)
        case .doubted: probe(schedule.want())
        case .typed: typed()
        case .policyChanged(let policy): changed(policy)
        }
    }

    // MARK: Setting up

    private mutating func start() -> [Effect] {
        guard phase == .new else { return [] }
        schedule.start()
        return settle()
    }

    private mutating func beginEnumeration() -> [Effect] { [.probe(after: schedule.begin())] }

    private mutating func recalled(_ name: SessionName?) -> [Effect] {
        guard restoration == .recalling else { return [] }
        guard let name, name != list.active else {
            restoration = .over
            return []
        }
        restoration = .waiting(name)
        return restore() + settle()
    }

    /// Makes the page of last time the active one, once it is known whether there is one.
    private mutating func restore() -> [Effect] {
        guard case .waiting(let name) = restoration, phase == .running || list.contains(name) else { return [] }
        // Where the server could not be asked, the page may still come.
        if list.contains(name) || hasListed { restoration = .over }
        list.activate(name)
        return []
    }

    // MARK: Lists

    private mutating func listed(_ live: [LiveSession]) -> [Effect] {
        let active = list.active
        let diff = SessionDiff(from: list, to: live)
        var effects: [Effect] = []
        for name in diff.dropped + diff.renamed.map(\.from) + diff.displaced { effects += forget(name) }
        list.apply(diff)
        revivable.formUnion(diff.replaced)
        for name in list.names where revivable.contains(name) { effects += leaveWhatIsOver(of: name) }
        // A terminal on a session that was replaced may be about to tell its end; then it gets another one, too.
        revivable = Set(diff.replaced)
        hasListed = true
        // What a watcher told meanwhile may be newer than the list.
        if differsFromWatched() { _ = schedule.want() }
        let next = schedule.answered()
        if list.active != active { effects.append(.remember(list.active)) }
        effects += restore() + settle()
        return effects + probe(next)
    }

    private mutating func listFailed() -> [Effect] {
        if phase == .running, differsFromWatched() { _ = schedule.want() }
        return probe(schedule.failed())
    }

    private func probe(_ delay: Duration?) -> [Effect] { delay.map { [.probe(after: $0)] } ?? [] }

    // MARK: What a watcher tells

    /// A watcher's word comes late at times, so pages are not changed by it: where it differs, the server is asked.
    private mutating func watched(_ state: TmuxServerState) -> [Effect] {
        guard state.isLive else { return [] }
        watched = state.sessions
        // While the server is asked, its answer comes first.
        guard phase == .running, !schedule.isUnderWay, differsFromWatched() else { return [] }
        return probe(schedule.want())
    }

    /// Each word of a watcher is acted on once: one that stays wrong is not asked about for ever.
    private mutating func differsFromWatched() -> Bool {
        guard let told = watched else { return false }
        watched = nil
        return !SessionDiff(from: list, to: told).isEmpty
    }

    // MARK: The app and the connection

    private mutating func foregrounded() -> [Effect] {
        var effects: [Effect] = []
        // Somebody looks at it, and a host that could not be reached then may be reached now.
        if attachments[list.active] == .lost { effects += leaveWhatIsOver(of: list.active) + settle() }
        return effects + revive()
    }

    private mutating func revive() -> [Effect] {
        revivable.formUnion(attachments.filter { $0.value.isOver }.keys)
        // The first list comes anyway.
        return phase == .running ? probe(schedule.want()) : []
    }

    // MARK: Terminals

    private mutating func opened(_ name: SessionName) -> [Effect] {
        guard attachments[name] == .opening else { return [] }
        attachments[name] = .open
        failures[name] = nil
        return (isOpening(name) ? beginEnumeration() : []) + settle()
    }

    private mutating func ended(_ name: SessionName, _ end: End) -> [Effect] {
        guard let attachment = attachments[name], !attachment.isOver else { return [] }
        attachments[name] = end == .exited ? .exited : .lost
        if isOpening(name) {
            // The list that comes tells what is there, and brings the page back.
            if end != .exited { revivable.insert(name) }
            return beginEnumeration() + settle()
        }
        let effects = settle()
        switch end {
        case .exited: return effects + probe(schedule.want())
        case .lost(isRetryable: true): return effects + retry(name)
        case .lost(isRetryable: false): return effects
        }
    }

    /// Whether it is the base page whose attempt the first list waits for.
    private func isOpening(_ name: SessionName) -> Bool { phase == .openingBase && name == .base }

    private mutating func retry(_ name: SessionName) -> [Effect] {
        revivable.insert(name)
        let count = failures[name, default: 0]
        guard phase == .running, count < Self.retryDelays.count else { return [] }
        failures[name] = count + 1
        return probe(schedule.want(after: Self.retryDelays[count]))
    }

    /// Makes room for another terminal.
    private mutating func leaveWhatIsOver(of name: SessionName) -> [Effect] {
        guard attachments[name]?.isOver == true else { return [] }
        attachments[name] = nil
        return [.detach(name)]
    }

    private mutating func forget(_ name: SessionName) -> [Effect] {
        revivable.remove(name)
        failures[name] = nil
        return attachments.removeValue(forKey: name) == nil ? [] : [.detach(name)]
    }

    /// Leaves the terminals that the policy does not want, and begins as many of those that it does as may be begun.
    private mutating func settle() -> [Effect] {
        guard phase != .new else { return [] }
        let names = list.names
        let wanted =
            phase == .openingBase
            ? names.filter { $0 == .base } : policy.places(of: names.count, active: list.activeIndex).map { names[$0] }
        var effects: [Effect] = []
        if phase != .openingBase {
            let kept = Set(wanted)
            for name in names where !kept.contains(name) { effects += forget(name) }
        }
        var count = attachments.values.count { $0 == .opening }
        for name in wanted where attachments[name] == nil {
            guard count < Self.parallelAttaches || name == list.active else { break }
            attachments[name] = .opening
            count += 1
            effects.append(.attach(name))
        }
        return effects
    }

    // MARK: What a person does

    private mutating func activated(_ name: SessionName) -> [Effect] {
        guard list.contains(name) else { return [] }
        let isNew = list.active != name
        restoration = .over
        list.activate(name)
        return (isNew ? [.remember(name)] : []) + leaveWhatIsOver(of: name) + settle()
    }

    private mutating func created(_ name: SessionName) -> [Effect] {
        list.add(name)
        return activated(name)
    }

    private mutating func closed(_ name: SessionName) -> [Effect] {
        guard list.contains(name) else { return [] }
        let active = list.active
        restoration = .over
        var effects = forget(name)
        list.remove(name)
        if list.active != active { effects.append(.remember(list.active)) }
        return effects + settle()
    }

    /// Ends the restoration: a person who types has found their page.
    private mutating func typed() -> [Effect] {
        restoration = .over
        return []
    }

    private mutating func changed(_ policy: AttachPolicy) -> [Effect] {
        self.policy = policy
        return settle()
    }
}

extension SessionsMachine {
    private enum Restoration: Sendable, Hashable {
        /// The name of last time is being read.
        case recalling
        /// The page of this name becomes the active one when it is there.
        case waiting(SessionName)
        case over
    }

    private enum Attachment: Sendable, Hashable {
        case opening, open
        /// Its program ended: the session, or tmux's client.
        case exited
        /// It could not be opened, or not again.
        case lost

        var isOver: Bool { self == .exited || self == .lost }
    }
}
