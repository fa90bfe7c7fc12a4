// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import Synchronization

/// A host's link without a host: the test gives it the transports beforehand, and says when there is a connection.
final class ArrangedLink: TerminalLink {
    private struct State {
        var transports: [any TerminalTransport]
        var dials: [Bool] = []
    }

    let output = BytePipe()
    private let state: Mutex<State>
    private let connections: AsyncStream<Result<Void, TransportError>>
    private let connectionsEntry: AsyncStream<Result<Void, TransportError>>.Continuation
    private let waits: AsyncStream<Void>
    private let waitsEntry: AsyncStream<Void>.Continuation

    init(_ transports: [any TerminalTransport]) {
        state = Mutex(State(transports: transports))
        // Unbounded: they grow by one for each loss of a test.
        (connections, connectionsEntry) = AsyncStream.makeStream()
        (waits, waitsEntry) = AsyncStream.makeStream()
    }

    /// What each transport was told about dialing, in their order: as many as were asked for.
    var dials: [Bool] { state.withLock { $0.dials } }

    /// Waits until the session waits for a connection.
    func waited() async {
        for await _ in waits { return }
    }

    /// There is a connection again, once.
    func connected() { connectionsEntry.yield(.success(())) }

    /// There is none, and none comes any more.
    func over(_ error: TransportError) { connectionsEntry.yield(.failure(error)) }

    // MARK: TerminalLink

    func makeTransport(_ entry: TerminalEntry) -> any TerminalTransport {
        state.withLock { state in
            state.dials.append(entry == .first)
            guard !state.transports.isEmpty else {
                return InMemoryTerminal { _ in throw TransportError(.channelRefused, "The test has no transport left.")
                }
            }
            return state.transports.removeFirst()
        }
    }

    func waitUntilConnected() async throws {
        waitsEntry.yield()
        for await connection in connections { return try connection.get() }
        throw CancellationError()
    }

    func waitAfterFailure(_ clock: any Clock<Duration>) async throws { try await clock.sleep(for: .seconds(1)) }
}

extension TerminalSession {
    /// A session at the standard size on an arranged link.
    static func make(on link: ArrangedLink, clock: ManualClock = ManualClock()) -> TerminalSession {
        TerminalSession(name: "riff", link: link, size: .standard, clock: clock)
    }

    /// A session that was opened, has lost its first connection, and waits for the next; with what comes after it.
    static func reconnecting(
        _ transports: [any TerminalTransport],
        clock: ManualClock = ManualClock()
    ) async throws -> (TerminalSession, ArrangedLink) {
        let first = InMemoryTerminal()
        let link = ArrangedLink([first] + transports)
        let session = make(on: link, clock: clock)
        try await session.open()
        first.program.end(TerminalClosure(.lost))
        await link.waited()
        return (session, link)
    }

    /// The words of its states from now to its end.
    nonisolated func trace() -> Task<[String], Never> {
        let states = updates()
        return Task { await states.reduce(into: []) { $0.append($1.word) } }
    }
}

extension TerminalSessionState {
    /// The state in one word, for a trace.
    var word: String {
        switch self {
        case .opening: "opening"
        case .open: "open"
        case .reconnecting: "reconnecting"
        case .ended(let closure): closure.reason.rawValue
        }
    }
}
