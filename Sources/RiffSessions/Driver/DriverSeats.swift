// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

// sample: device: RiffIdentifier, host: SSHHost
/// Sees to it that on each session of a host one terminal decides on the size, and that a phone and a desktop do not
/// fight over it; see ``SizeOwnership``.
///
/// The front end's terminals attach with ``SSHHost/session(_:size:server:spec:viewer:)``. Then:
///
/// ```swift
/// let seats = DriverSeats(as: device, on: host)
/// try await seats.update()                      // after attaching, and when the app comes to the front
/// try await seats.drive(try SessionName("riff"))  // the person wants to work here
/// ```
///
/// Everything is kept by tmux itself, in options of the session and flags of its clients: front ends need not know of
/// each other, and one that dies leaves nothing to clean up. Needs tmux 3.2 (``TmuxClientFlags``).
public actor DriverSeats {
    /// The front end.
    public nonisolated let viewer: RiffIdentifier
    private nonisolated let source = StateSource<[SessionName: SizeOwnership]>([:])
    private let server: TmuxServer
    private let run: @Sendable (TmuxCommand) async throws -> [UInt8]

    /// The seats of a host.
    ///
    /// - Parameters:
    ///   - viewer: The front end, under the name that its terminals attach with; the same at every start.
    ///   - host: The host.
    ///   - server: Which tmux server.
    public init(as viewer: RiffIdentifier, on host: any TerminalHost, server: TmuxServer = TmuxServer()) {
        let link = sessionsLink(of: host)
        self.init(as: viewer, server: server) { command in
            // In turn with everything else that tmux tells its clients of: see decision 19.
            let report = try await link.report(of: try command.line())
            try Task.checkCancellation()
            let (output, status) = try report.outcome.get(host: link.name)
            return try Self.checked(output, status: status, diagnostics: report.diagnostics, host: link.name)
        }
    }

    package init(
        as viewer: RiffIdentifier,
        server: TmuxServer,
        run: @escaping @Sendable (TmuxCommand) async throws -> [UInt8]
    ) {
        self.viewer = viewer
        self.server = server
        self.run = run
    }

    /// The owner of the size of each session that has a viewer, as it was found last.
    package nonisolated var current: [SessionName: SizeOwnership] { source.current }

    /// As ``current``, then each change.
    public nonisolated func updates() -> AsyncStream<[SessionName: SizeOwnership]> { source.updates() }

    /// Looks who is there, takes seats that are free, and gives up those that belong to others.
    ///
    /// - Returns: Who decides on the size of each session that somebody looks at.
    /// - Throws: A ``RiffError`` that says why the host could not be asked; `CancellationError`.
    @discardableResult
    public func update() async throws -> [SessionName: SizeOwnership] {
        // Once to act, and as often again as somebody else acted in between, which soon comes to an end.
        for _ in 0..<4 {
            var isSettled = true
            for viewers in try await look() {
                guard let command = server.carryOut(viewers.settling, on: viewers, as: viewer) else { continue }
                isSettled = false
                _ = try await run(command)
            }
            if isSettled { break }
        }
        return source.current
    }

    /// Drives a session from here on, in place of its driver before; the size follows at once.
    ///
    /// - Throws: `CoreError` with `notAttached`, or with `foreignDriver` where a terminal counts that is none of
    ///   Riff's: it is left alone, and its person has to detach it. What ``update()`` throws.
    public func drive(_ session: SessionName) async throws {
        guard let viewers = try await look().first(where: { $0.session == session }) else {
            throw CoreError(.notAttached, "Nobody looks at the session \(session).", recovery: .retry)
        }
        if let command = server.carryOut(try viewers.driving(), on: viewers, as: viewer) { _ = try await run(command) }
        _ = try await look()
    }

    /// Settles whenever a viewer comes to a session or leaves one, until the sequence that reports it ends or the task
    /// is cancelled.
    ///
    /// - Parameter word: What tells it, while it is live; without, call ``update()`` when the app comes to the front.
    /// - Throws: As ``update()``.
    public func follow(_ word: some TmuxWatching) async throws {
        var known: [SessionName: Int]?
        for await state in word.updates() {
            guard state.isLive else {
                known = nil
                continue
            }
            let counts = Dictionary(state.sessions.map { ($0.name, $0.clients) }) { first, _ in first }
            guard counts != known else { continue }
            known = counts
            try await update()
        }
    }

    private func look() async throws -> [SessionViewers] {
        let sessions = try ViewerListing.parse(try await run(server.listViewers(for: viewer)))
        let owners = Dictionary(sessions.map { ($0.session, $0.ownership) }) { first, _ in first }
        if owners != source.current { source.update(owners) }
        return sessions
    }

    /// Returns the output of a call. That there is no server, or that a client has gone meanwhile, is no failure: the
    /// next look tells.
    package static func checked(
        _ output: [UInt8],
        status: Int,
        diagnostics: String,
        host: String
    ) throws(TransportError) -> [UInt8] {
        if status == 0 || TmuxFailure(diagnostics: diagnostics) != nil { return output }
        let lines = diagnostics.split(whereSeparator: \.isNewline)
        if lines.contains(where: { $0.hasPrefix(bytes: "can't find client: ") }) { return output }
        let words = InertText.line(diagnostics)
        throw TransportError(.driverFailed, "tmux on \(host) could not arrange who drives (status \(status)): \(words)")
    }
}

extension TransportErrorCode {
    /// tmux would not do what decides on a session's size.
    public static let driverFailed = TransportError.Code(rawValue: "driverFailed")
}
