// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport
internal import Synchronization

/// Keeps the input of one terminal session out of tmux's own hands: it asks the server for the safe keys before the
/// first input of each connection, decides how each input travels, and takes what cannot go through the terminal around
/// it.
final class InputSafety: Sendable {
    struct State {
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
        /// The server's identifier for the session that this connection is on.
        var sessionID: TmuxSessionID?
        /// Called when another session was found under the session's name.
        var onReplacement: (@Sendable () async -> Void)?
        /// Whether it is known how input travels on this connection.
        var isReady = false
        /// Whether nothing is to reach the session any more.
        var isRetired = false
        /// The newest pastes whose key was sent on this connection; it is not known which of them were taken.
        var pasted: [LoadedPaste] = []
    }

    /// The time that a new connection may take until input bypasses the client: the login shell with its profile, tmux,
    /// and one command beside it.
    static let patience = Duration.seconds(15)
    /// After which time without tmux the host is asked whether it will ever come.
    static let firstPatience = Duration.seconds(4)
    /// The number of bytes of tmux's newest drawing that are kept: more than its words at the end of a client.
    private static let tailSize = 300

    let tmux: TmuxAttachment?
    let errands: (any TmuxErrands)?
    let clock: any Clock<Duration>
    /// Which connection takes keys.
    let connections: TerminalConnections
    let state: Mutex<State>

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
        let (old, taken, preparation) = state.withLock { state in
            let (old, oldTaken) = (state.ready, state.taken)
            // One that asks for a connection which was lost before tmux drew: this one asks for itself.
            let preparation = state.preparation
            state.preparation = nil
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
            return (old, oldTaken, preparation)
        }
        preparation?.cancel()
        old.resolve(())
        taken.resolve(())
    }

    /// Handles the end of a connection's terminal: callers that wait for tmux to take it over need not wait on.
    func ended(_ number: Int) { state.withLock { $0.number == number ? $0.taken : nil }?.resolve(()) }

    /// Handles a terminal that is gone, or will not be connected: callers that wait for it need not wait on. Returns
    /// when nothing is asked any more.
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

    /// The words of tmux at the end of its client.
    var farewell: TmuxFarewell? { TmuxFarewell(tail: state.withLock(\.tail)) }

    /// Waits until tmux has taken the terminal over, or the connection is over, or it takes too long.
    ///
    /// - Returns: Whether it did not take too long.
    func waitUntilTaken(within limit: Duration) async throws -> Bool {
        let taken = state.withLock(\.taken)
        do {
            try await withDeadline(limit, clock: clock) { try await taken.cancellableValue() }
            return true
        } catch is DeadlineExceeded {
            return false
        }
    }

    /// Whether tmux has taken the terminal over.
    var isTaken: Bool { state.withLock(\.screen.isTaken) }

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

    /// Whether tmux may still have to read keys that were meant for it.
    var isUnsettled: Bool { state.withLock(\.guarding.isUnsettled) }

    /// tmux has read all keys that were meant for it.
    func settled() { state.withLock { $0.guarding.settled() } }
}
