// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport
internal import Synchronization

extension TerminalSession {
    /// Sends keys as they are, to the program: what tmux shows instead of it is left first.
    ///
    /// A key after tmux's prefix key is tmux's, as usual. Reports that nobody pressed (of the mouse and of focus,
    /// answers of the terminal) are passed on and leave nothing.
    ///
    /// Returns when the bytes are on their way. While the connection stands, all of them arrive, once and in order.
    /// When it is lost, which ``updates()`` tell, the program has got a beginning of what was on its way then: SSH does
    /// not say how much. The rest is gone; it does not come later.
    ///
    /// - Parameter bytes: Whole keys, as far as the front end knows them whole: a write of the escape character alone
    ///   is the Escape key.
    /// - Throws: `TransportError` with `notConnected` while the connection is lost, or if the one is lost that the keys
    ///   were pressed for; `closed` once the session is over; `inputNotDelivered`; `CancellationError`. Nothing of
    ///   these bytes was then sent, nor will be. `inputUncertain` if a command carried them and the host fell silent:
    ///   then all of them arrive, or none.
    public nonisolated func write(_ bytes: [UInt8]) async throws {
        // Whether the session is retired is looked at with the rest, for a key costs one look.
        let connection = try connections.current ?? requireConnection()
        let place = turns.reserve()
        if writeAtOnce(bytes, at: place, on: connection) { return }
        try await onThisConnection(connection, at: place) { try await self.deliver(bytes, on: $0) }
    }

    /// Sends keys without waiting, in the order of the calls: for the delegate of a terminal's view.
    ///
    /// Keys that can go out at once do so before it returns. Others wait, at most 256 KiB of them, for their turn, as
    /// with ``write(_:)``, on the connection that they were pressed for or not at all.
    ///
    /// - Parameters:
    ///   - bytes: Whole keys, as for ``write(_:)``.
    ///   - onFailure: Called at most once, on any thread, also before this returns, with what ``write(_:)`` throws, or
    ///     `inputNotDelivered` if too many keys wait. Nothing of these bytes was then sent, nor will be, unless the
    ///     error is `inputUncertain`.
    public nonisolated func write(_ bytes: [UInt8], onFailure: @escaping @Sendable (any Error) -> Void) {
        let connection: TerminalConnection
        do { connection = try connections.current ?? requireConnection() } catch { return onFailure(error) }
        let waiting = waitingKeys.load(ordering: .relaxed)
        guard waiting == 0 || waiting + bytes.count <= Self.mostWaitingKeys else { return onFailure(tooManyKeys) }
        let place = turns.reserve()
        if writeAtOnce(bytes, at: place, on: connection) { return }
        waitingKeys.add(bytes.count, ordering: .relaxed)
        Task {
            defer { waitingKeys.subtract(bytes.count, ordering: .relaxed) }
            do {
                try await onThisConnection(connection, at: place) { try await self.deliver(bytes, on: $0) }
            } catch {
                onFailure(error)
            }
        }
    }

    /// The most bytes of keys that wait behind a host that takes none.
    private static var mostWaitingKeys: Int { 256 * 1024 }

    private nonisolated var tooManyKeys: TransportError {
        TransportError(.inputNotDelivered, "\(name) takes no keys at the moment, and too many wait.", recovery: .retry)
    }

    /// Sends keys if it is their turn already and nothing has to be waited for.
    ///
    /// - Returns: Whether they are on their way, and the place is left.
    private nonisolated func writeAtOnce(
        _ bytes: [UInt8],
        at place: WriteTurns.Place,
        on connection: TerminalConnection
    ) -> Bool {
        guard place.isTurn, !Task.isCancelled, link.takesInput, let passage = safety.pass(bytes, on: connection) else {
            return false
        }
        guard connection.transport.writeAtOnce(passage.bytes) else {
            safety.takeBack(passage)
            return false
        }
        turns.leave()
        return true
    }

    /// Types a text that a person spoke or wrote elsewhere: data, never keys. Control characters are taken out, and one
    /// space follows, so that the next words stand apart. A text without words types nothing.
    ///
    /// The text goes as a bracketed paste where the program asked for that: no letter of it is then a hot key. Returns
    /// when the host has it.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - submit: Whether Return follows, as a write of its own 0.3 s later: agents take a Return that comes together
    ///     with text for a line end of a paste. A gate of the session is asked, as with
    ///     ``submit(_:anyway:within:)``, which tells the result as well.
    /// - Throws: `TransportError` by what became of the text. Nothing was sent: as ``write(_:)``, or `submitRefused`.
    ///   It stands at the prompt, and Return was not sent: `textNotSubmitted`. Nobody knows, since the connection was
    ///   lost before the host answered, or the agent did not say that it took it: `inputUncertain`.
    ///   `CancellationError`, and then the text may stand at the prompt.
    public nonisolated func type(_ text: String, submit: Bool = false) async throws {
        guard let text = InertText.dictation(text) else { return }
        if submit {
            let submission = Submission(InertText.line(text.text))
            return try require(
                try await self.submit(submission, anyway: false, within: Self.waitLimit) {
                    try await self.typeText(text.bytes, on: $0)
                }
            )
        }
        try await onThisConnection { connection in
            try await self.typeText(text.bytes, on: connection)
            try await self.confirm("the text", on: connection)
        }
    }

    /// Turns the wheel over the terminal: tmux scrolls back through what the program drew, or passes the wheel on to a
    /// program that wants it.
    ///
    /// - Parameter ticks: How far; positive is up, towards older output. At most 8 count, either way.
    /// - Throws: As ``write(_:)``.
    public nonisolated func scroll(_ ticks: Int) async throws {
        try await onThisConnection { connection in
            try await self.becomeReady(on: connection)
            try await self.carryOut(self.safety.planScrolling(ticks), on: connection)
        }
    }

    /// Sends keys to tmux itself: its prefix key, or what drives its modes, prompts and menus. Nothing is left first,
    /// and nothing is protected.
    ///
    /// - Throws: As ``write(_:)``.
    package nonisolated func steer(_ bytes: [UInt8]) async throws {
        try await onThisConnection { connection in
            try await self.becomeReady(on: connection)
            try await self.carryOut(self.safety.planSteering(bytes), on: connection)
        }
    }

    /// Leaves what tmux shows instead of the program, for a button that goes back to the newest output. Without tmux
    /// nothing happens.
    ///
    /// - Throws: As ``write(_:)``.
    public nonisolated func leaveModes() async throws {
        try await onThisConnection { connection in
            try await self.becomeReady(on: connection)
            guard let plan = self.safety.planLeaving() else { return }
            try await self.carryOut(plan, on: connection)
        }
    }

    /// Asks the host now for what keeps input safe, which the first input of each connection otherwise waits for: for a
    /// session that a person has come to. Returns at once.
    package nonisolated func prepareInput() {
        if current.isOpen { safety.prepare() }
    }

    /// Whether the pane shows older output, or anything else of tmux's, as far as is known: by the server's word where
    /// it is watched, else by how far the wheel was turned.
    public nonisolated var isScrolledBack: Bool { safety.isScrolledBack }

    /// Whether a line was begun here and not sent. Printable input begins one, Return sends it; deleting everything
    /// again leaves it begun, for only the program knows what its line holds.
    public nonisolated var isInputDirty: Bool { safety.isInputDirty }
}
