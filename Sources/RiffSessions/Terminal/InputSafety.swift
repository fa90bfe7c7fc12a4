// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport
internal import Synchronization

/// Keeps the input of one terminal session out of tmux's own hands: it asks the server for the safe keys before the first
/// input of each connection, decides how each input travels, and takes what cannot go through the terminal around it.
final class InputSafety: Sendable {
    private struct State {
        var guarding: InputGuard
        var screen = ScreenModes()
        /// Told with the first modes that tmux sets: from then on the terminal passes every key on as it is.
        var taken = EventualValue<Void>()
        /// Told with the next change of the wish for marks around a paste.
        var pasteWish = EventualValue<Void>()
        /// Told when it is known whether the server has the safe keys, or that this will not be known.
        var ready = EventualValue<Void>()
        /// Asks the server.
        var preparation: Task<Void, Never>?
        /// Which connection it is, as ``TerminalConnection/number``; what was begun on another is not taken over.
        var number = 0
        /// Which session it was when that was learnt first, and on which connection.
        var known: (identity: SessionIdentity, number: Int)?
        /// The end of what tmux drew.
        var tail: [UInt8] = []
        /// Whether the server was asked and did not answer.
        var isUnanswered = false
        /// What the server calls the session that this connection is on.
        var sessionID: TmuxSessionID?
        /// Called when another session was found under the session's name.
        var onReplacement: (@Sendable () async -> Void)?
        /// Whether it is known how input travels on this connection.
        var isReady = false
        /// Whether nothing is to reach the session any more.
        var isRetired = false
        /// The newest pastes whose key was sent on this connection; which of them were taken, nobody tells.
        var pasted: [LoadedPaste] = []
    }

    /// A way for bytes, and what is then known.
    struct Plan: Sendable {
        let route: InputGuard.Route
        /// The connection that it was made for.
        let number: Int
        fileprivate let after: InputGuard
    }

    /// How long a new connection may take until input goes around the client: the login shell with its profile, tmux, and
    /// one command beside it.
    private static let patience = Duration.seconds(15)
    /// The waits between asking a server that may only just be starting.
    private static let retries: [Duration] = [50, 200, 500, 1000, 2000, 4000].map { .milliseconds($0) }

    /// How much of what tmux drew last is kept: more than its words at the end of a client.
    private static let tailSize = 300

    let tmux: TmuxAttachment?
    let errands: (any TmuxErrands)?
    let clock: any Clock<Duration>
    /// Which connection takes keys.
    let connections: TerminalConnections
    private let state: Mutex<State>

    /// - Parameters:
    ///   - tmux: The session; `nil` where no tmux runs in the terminal.
    ///   - errands: Runs commands on the host; nothing is safe without.
    ///   - connections: Which connection takes keys: what is to be done for another one is not done.
    ///   - clock: Measures waits.
    init(
        _ tmux: TmuxAttachment?,
        errands: (any TmuxErrands)?,
        connections: TerminalConnections,
        clock: any Clock<Duration>
    ) {
        self.tmux = tmux
        self.errands = errands
        self.connections = connections
        self.clock = clock
        state = Mutex(State(guarding: InputGuard(tmux?.protection ?? .always, hasTmux: tmux != nil)))
    }

    // MARK: Facts

    /// A terminal is going to be connected.
    ///
    /// - Parameter number: Which connection it is.
    func connecting(_ number: Int) {
        let (old, taken) = state.withLock { state in
            let (old, oldTaken) = (state.ready, state.taken)
            state.guarding.connected()
            state.screen = ScreenModes()
            state.taken = EventualValue()
            state.ready = EventualValue()
            state.isReady = false
            state.number = number
            state.isUnanswered = false
            state.sessionID = nil
            state.tail = []
            // Without both there is nobody to ask.
            if tmux == nil || errands == nil { state.ready.resolve(()) }
            return (old, oldTaken)
        }
        old.resolve(())
        taken.resolve(())
    }

    /// A connection's terminal has ended: whoever waits for tmux to take it over need not wait on.
    func ended(_ number: Int) { state.withLock { $0.number == number ? $0.taken : nil }?.resolve(()) }

    /// The terminal is gone, or will not be connected: whoever waits for it need not wait on. Returns when nothing is asked
    /// any more.
    func disconnected() async {
        let (ready, taken, preparation, pasted) = state.withLock { state in
            defer {
                state.preparation = nil
                state.pasted = []
            }
            return (state.ready, state.taken, state.preparation, state.pasted)
        }
        ready.resolve(())
        taken.resolve(())
        // A key that was on its way pastes no more, and a text is not to be left on the server.
        await unload(pasted)
        preparation?.cancel()
        await preparation?.value
    }

    /// The program drew.
    func drew(_ bytes: [UInt8]) {
        let (taken, wish) = state.withLock { state -> (EventualValue<Void>?, EventualValue<Void>?) in
            let before = state.screen
            state.screen.feed(bytes)
            if tmux != nil { Self.keep(bytes, in: &state.tail) }
            let wish = before.isPasteBracketed == state.screen.isPasteBracketed ? nil : state.pasteWish
            if wish != nil { state.pasteWish = EventualValue() }
            return (state.screen.isTaken && !before.isTaken ? state.taken : nil, wish)
        }
        taken?.resolve(())
        wish?.resolve(())
    }

    private static func keep(_ bytes: [UInt8], in tail: inout [UInt8]) {
        tail.append(contentsOf: bytes.suffix(tailSize))
        // Not with each byte: a key's echo costs no copy.
        if tail.count > 2 * tailSize { tail.removeFirst(tail.count - tailSize) }
    }

    /// What tmux said at the end of its client.
    var farewell: TmuxFarewell? { TmuxFarewell(tail: state.withLock(\.tail)) }

    /// Waits until tmux has taken the terminal over, or the connection is over, or it takes too long.
    func waitUntilTaken() async throws {
        let taken = state.withLock(\.taken)
        do {
            try await withDeadline(Self.patience, clock: clock) { try await taken.cancellableValue() }
        } catch is DeadlineExceeded {}
    }

    var isInputDirty: Bool { state.withLock { $0.guarding.isInputDirty } }

    var isScrolledBack: Bool {
        let isInMode = tmux?.isInMode
        return state.withLock { state in
            state.guarding.heard(isInMode: isInMode)
            return state.guarding.isScrolledBack
        }
    }

    /// Whether the server was seen to have the safe keys.
    var hasSafeKeys: Bool {
        if case .checked = state.withLock(\.guarding.assurance) { true } else { false }
    }

    /// The buffers of the session's server.
    var buffers: PasteBuffers? { tmux.map { PasteBuffers($0.server) } }

    /// Whether the session is being left: another one may have its name soon, and what is learnt under that name no longer
    /// counts.
    var isRetired: Bool { state.withLock(\.isRetired) }

    /// The session is being left.
    func retire() { state.withLock { $0.isRetired = true } }

    /// Which session it is, where that was ever learnt.
    var identity: SessionIdentity? { state.withLock { $0.known?.identity } }

    /// Others have learnt which session the terminal is on. What the server told this terminal itself counts more.
    func learn(_ identity: SessionIdentity) {
        state.withLock { state in
            if state.known == nil { state.known = (identity, state.number) }
        }
    }

    /// Says what is to be done when another session is found under the session's name.
    func onReplacement(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.onReplacement = body } }

    /// Takes what the server said of a connection's session.
    ///
    /// - Returns: What is to be done if it is not the session that the terminal was on before.
    private static func found(
        _ identity: SessionIdentity?,
        on number: Int,
        in state: inout State
    ) -> (@Sendable () async -> Void)? {
        guard let identity else { return nil }
        guard let known = state.known, known.number < number else {
            state.known = (identity, number)
            return nil
        }
        guard known.identity != identity else { return nil }
        // Not a byte more, also where nobody listens to that.
        state.isRetired = true
        return state.onReplacement
    }

    /// What the server calls the session of a connection; `nil` if that cannot be learnt.
    func sessionID(on connection: TerminalConnection) async -> TmuxSessionID? {
        let known = state.withLock { $0.number == connection.number ? $0.sessionID : nil }
        if let known { return known }
        guard let tmux, let errands, let line = try? tmux.server.identify(tmux.session).line() else { return nil }
        let report = await errands.run(line, input: [], onlyWhile: isWanted(connection.number))
        guard case .output(let output, 0) = report.outcome else { return nil }
        let words = String(decoding: output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self).split(separator: " ")
        guard words.count == 2, let id = TmuxSessionID(String(words[0])), let created = Int(words[1]) else {
            return nil
        }
        let identity = SessionIdentity(id: id.rawValue, created: created)
        let (isStill, replaced) = state.withLock { state -> (Bool, (@Sendable () async -> Void)?) in
            guard state.number == connection.number, !state.isRetired else { return (false, nil) }
            state.sessionID = id
            let replaced = Self.found(identity, on: connection.number, in: &state)
            return (!state.isRetired, replaced)
        }
        await replaced?()
        return isStill ? id : nil
    }

    /// Whether a connection still takes keys, asked right before something is done for it on the host.
    func isWanted(_ number: Int) -> @Sendable () -> Bool {
        { [connections, weak self] in connections.current?.number == number && self?.isRetired == false }
    }

    /// Whether tmux may still have to read keys that were meant for it.
    var isUnsettled: Bool { state.withLock(\.guarding.isUnsettled) }

    /// tmux has read all keys that were meant for it.
    func settled() { state.withLock { $0.guarding.settled() } }

    // MARK: Marks around a paste

    /// Whether the terminal was told to put marks around a paste.
    var wantsPasteMarks: Bool { state.withLock(\.screen.isPasteBracketed) }

    /// Waits for that wish.
    ///
    /// - Returns: Whether it came in time.
    func waitForPasteMarks(within limit: Duration) async throws -> Bool {
        do {
            return try await withDeadline(limit, clock: clock) {
                while true {
                    let (isWished, change) = self.state.withLock { ($0.screen.isPasteBracketed, $0.pasteWish) }
                    if isWished { return true }
                    try await change.cancellableValue()
                }
            }
        } catch is DeadlineExceeded { return false }
    }

    // MARK: The safe keys

    /// Asks the server of this connection for the safe keys, unless it was asked. Nothing is asked before there is input,
    /// or will be soon: many sessions may be open of which few are typed into.
    func prepare() {
        state.withLock { state in
            guard state.preparation == nil, state.ready.current == nil, let tmux, let errands else { return }
            let (number, taken, ready) = (state.number, state.taken, state.ready)
            state.preparation = Task { [weak self] in
                await self?.askRepeatedly(tmux, errands, as: number, waitsForTerminal: taken)
                ready.resolve(())
            }
        }
    }

    private func askRepeatedly(
        _ tmux: TmuxAttachment,
        _ errands: any TmuxErrands,
        as number: Int,
        waitsForTerminal taken: EventualValue<Void>
    ) async {
        // A server that does not answer in time has no safe keys.
        try? await withDeadline(Self.patience, clock: clock) {
            for wait in Self.retries {
                guard await self.ask(tmux, errands, as: number, waitsForTerminal: taken) == .notThere else { return }
                try await self.clock.sleep(for: wait)
            }
            _ = await self.ask(tmux, errands, as: number, waitsForTerminal: taken)
        }
    }

    private enum Answer { case given, notThere, missing }

    private func ask(
        _ tmux: TmuxAttachment,
        _ errands: any TmuxErrands,
        as number: Int,
        waitsForTerminal taken: EventualValue<Void>
    ) async -> Answer {
        // A name that cannot be put on a command line cannot be attached to either.
        guard let line = try? tmux.server.installSafeKeys(for: tmux.session) else { return .missing }
        // The terminal may only just be connecting.
        let report = await errands.run(line, input: []) { [weak self] in
            self?.state.withLock { $0.number == number && !$0.isRetired } == true
        }
        guard case .output(let output, let status) = report.outcome else {
            state.withLock { if $0.number == number { $0.isUnanswered = true } }
            return .missing
        }
        if let failure = report.tmuxFailure, [.noServer, .sessionNotFound].contains(failure.kind) { return .notThere }
        let check = SafeKeyCheck(
            output: status == 0 ? String(decoding: output, as: UTF8.self) : "",
            server: tmux.server
        )
        // Before tmux has taken the terminal over, its line discipline would act on control characters.
        guard (try? await taken.cancellableValue()) != nil else { return .missing }
        let replaced = state.withLock { state -> (@Sendable () async -> Void)? in
            guard state.number == number, !state.isRetired else { return nil }
            state.isUnanswered = false
            state.sessionID = check.sessionID
            let replaced = Self.found(check.identity, on: number, in: &state)
            if !state.isRetired { state.guarding.checked(check) }
            return replaced
        }
        await replaced?()
        return .given
    }

    /// Asks a server again that did not answer before.
    ///
    /// - Returns: Whether it was asked.
    func askAgain() async -> Bool {
        let (number, taken, isUnanswered) = state.withLock { ($0.number, $0.taken, $0.isUnanswered) }
        guard isUnanswered, taken.current != nil, let tmux, let errands else { return false }
        _ = await ask(tmux, errands, as: number, waitsForTerminal: taken)
        return true
    }

    /// Waits until it is known whether the server has the safe keys.
    func ready() async throws {
        prepare()
        let (number, ready) = state.withLock { ($0.number, $0.ready) }
        try await ready.cancellableValue()
        state.withLock { if $0.number == number { $0.isReady = true } }
    }

    // MARK: Routes

    /// Whether a text holds a character that tmux would take for its prefix key.
    func holdsPrefix(_ text: [UInt8]) -> Bool { state.withLock { $0.guarding.holdsPrefix(text) } }

    /// Plans bytes for the connection that stands; `done` makes the plan's state the guard's.
    func plan(_ decide: (inout InputGuard) -> InputGuard.Route) -> Plan {
        let isInMode = tmux?.isInMode
        return state.withLock { state in
            state.guarding.heard(isInMode: isInMode)
            var after = state.guarding
            let route = decide(&after)
            return Plan(route: route, number: state.number, after: after)
        }
    }

    /// Keys that may go out at once, with what the guard knew before them.
    struct Passage: Sendable {
        let bytes: [UInt8]
        fileprivate let number: Int
        fileprivate let before: InputGuard
    }

    /// Passes keys that need no wait and no question, as nearly all do: one look, and the guard has them.
    ///
    /// - Returns: What to write to the terminal; `nil` if the keys take the long way, and then nothing is noted.
    func pass(_ bytes: [UInt8], on connection: TerminalConnection) -> Passage? {
        let isInMode = tmux?.isInMode
        return state.withLock { state in
            guard state.isReady, state.number == connection.number, !state.isRetired, !state.guarding.isUnsettled else {
                return nil
            }
            state.guarding.heard(isInMode: isInMode)
            let before = state.guarding
            if case .terminal(let bytes) = state.guarding.route(bytes) {
                return Passage(bytes: bytes, number: state.number, before: before)
            }
            state.guarding = before
            return nil
        }
    }

    /// The bytes of a passage were not taken after all.
    func takeBack(_ passage: Passage) {
        state.withLock { if $0.number == passage.number { $0.guarding = passage.before } }
    }

    /// The key of a paste was sent.
    func sent(_ paste: LoadedPaste) {
        state.withLock { state in
            // With so many behind it, the oldest was taken, or its connection is lost.
            if state.pasted.count == 8 { state.pasted.removeFirst() }
            state.pasted.append(paste)
        }
    }

    /// The bytes of a plan were taken.
    func done(_ plan: Plan) {
        state.withLock { state in
            if state.number == plan.number { state.guarding = plan.after }
        }
    }
}
