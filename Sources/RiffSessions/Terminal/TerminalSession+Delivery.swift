// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

/// The delivery of input: on the connection that it was asked of, or not at all.
extension TerminalSession {
    /// Takes a turn among those who write, for the connection that there is at this moment: one that comes while the
    /// turn is waited for is another one.
    nonisolated func onThisConnection(
        _ body: @escaping @Sendable (TerminalConnection) async throws -> Void
    ) async throws {
        let connection = try requireConnection()
        try await onThisConnection(connection, at: turns.reserve(), body)
    }

    /// The same for a connection and a place among those who write that there are already.
    nonisolated func onThisConnection<Result: Sendable>(
        _ connection: TerminalConnection,
        at place: WriteTurns.Place,
        _ body: @escaping @Sendable (TerminalConnection) async throws -> Result
    ) async throws -> Result {
        try await turns.wait(for: place)
        defer { turns.leave() }
        try require(connection)
        return try await body(connection)
    }

    /// The connection that takes keys now.
    ///
    /// - Throws: `notConnected`, or `closed` once the session is over.
    nonisolated func requireConnection() throws -> TerminalConnection {
        if safety.isRetired { throw over }
        if let connection = connections.current { return connection }
        if case .ended = connections.state { throw over }
        throw notConnected()
    }

    /// Throws unless a connection still takes keys.
    nonisolated func require(_ connection: TerminalConnection) throws {
        if safety.isRetired { throw over }
        if connections.isCurrent(connection) { return }
        if case .ended = connections.state { throw over }
        throw notConnected()
    }

    /// Waits until it is known how input travels on a connection.
    nonisolated func becomeReady(on connection: TerminalConnection) async throws {
        try require(connection)
        try await safety.ready()
        try require(connection)
    }

    nonisolated func deliver(_ bytes: [UInt8], isText: Bool = false, on connection: TerminalConnection) async throws {
        try await becomeReady(on: connection)
        try await safety.settle(on: connection)
        var plan = safety.plan(bytes, isText: isText)
        if case .command = plan.route, await safety.askAgain() { plan = safety.plan(bytes, isText: isText) }
        try await carryOut(plan, on: connection)
    }

    /// Sends what was planned, unless the plan was made for another connection.
    nonisolated func carryOut(_ plan: InputSafety.Plan, on connection: TerminalConnection) async throws {
        guard plan.number == connection.number else {
            try require(connection)
            throw notConnected()
        }
        switch plan.route {
        case .terminal(let bytes): try await send(bytes, on: connection)
        case .command(let bytes): try await safety.give(bytes, on: connection)
        }
        safety.done(plan)
    }

    /// Writes bytes to the terminal as they are.
    private nonisolated func send(_ bytes: [UInt8], on connection: TerminalConnection) async throws {
        guard !bytes.isEmpty else { return }
        try await link.waitForInput()
        try require(connection)
        do {
            try await connection.transport.write(bytes)
        } catch let error as TransportError {
            // What throws has sent nothing. The terminal has ended, and this session may not have heard of it: from
            // here on its state says so as well.
            connections.lost(connection)
            if safety.isRetired { throw over }
            if case .ended = connections.state { throw over }
            throw notConnected(error)
        }
    }

    /// Returns when the host has what was sent.
    ///
    /// - Throws: `inputUncertain`, `CancellationError`.
    nonisolated func confirm(_ what: String, on connection: TerminalConnection) async throws {
        do {
            try await connection.transport.confirm()
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw uncertain(what, error)
        }
    }

    /// Waits until the host has a text that was sent, and a moment longer: agents take a Return that comes at once for
    /// a part of it.
    ///
    /// - Throws: `inputUncertain`, `CancellationError`.
    nonisolated func pauseBeforeReturn(on connection: TerminalConnection) async throws {
        // Both begin when the text was sent, so that the answer costs no time.
        async let pause: Void = clock.sleep(for: SubmitPolicy.submit.delay)
        try await confirm("the text", on: connection)
        try await pause
    }

    /// Presses Return, and waits until the host has it.
    nonisolated func pressReturn(on connection: TerminalConnection) async throws {
        do {
            try await deliver([0x0D], on: connection)
        } catch let error as TransportError where error.code != .inputUncertain {
            let message =
                "The text stands at the prompt of \(name), and Return was not sent: \(error.message) "
                + "Submit it by hand, or clear it first."
            throw TransportError(.textNotSubmitted, message, cause: error)
        }
        try await confirm("Return behind the text", on: connection)
    }

    nonisolated func uncertain(_ what: String, _ cause: any Error) -> TransportError {
        let message =
            "\(name) may have got \(what) or not: the connection was lost before the host answered. Look before typing on."
        return TransportError(.inputUncertain, message, cause: cause)
    }

    nonisolated var over: TransportError { TransportError(.closed, "The session \(name) is over.") }

    nonisolated func notConnected(_ cause: (any Error)? = nil) -> TransportError {
        let message = "The session \(name) is not connected at the moment; nothing was sent. It reconnects by itself."
        return TransportError(.notConnected, message, recovery: .retry, cause: cause)
    }

    /// Has tmux check that the terminal is still on its session; one that is not ends.
    nonisolated func verifyPlace() async throws {
        try await onThisConnection { connection in
            guard let plan = self.safety.planPlaceCheck() else { return }
            try await self.carryOut(plan, on: connection)
        }
    }
}

extension TransportErrorCode {
    /// A text was typed and is at the prompt; the Return after it was not sent.
    public static let textNotSubmitted = TransportError.Code(rawValue: "textNotSubmitted")
}
