// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport
internal import Synchronization

// sample:
/// A ``WebSocketTransport`` without a network: it answers with what was queued, and keeps what it was asked.
///
/// ```swift
/// let sockets = ScriptedWebSocketTransport([.failure(TransportError(.webSocketNeverConnected, "refused")), .accept()])
/// // start what connects twice, then play the server:
/// let server = try await sockets.nextPeer()
/// try await server.send(.text(#"{"type":"ping"}"#))
/// ```
public final class ScriptedWebSocketTransport: WebSocketTransport {
    /// The answer to one attempt to connect.
    public enum Answer: Sendable {
        /// A connection; its other end comes out of ``nextPeer()``.
        case accept(subprotocol: String? = nil, bufferedBytes: Int = 256 << 10)
        /// A connection whose other end is played by this; it is closed when the closure returns, and cut when it
        /// throws.
        case play(@Sendable (InMemoryWebSocket) async throws -> Void)
        /// `connect` throws this.
        case failure(any Error)
        /// No answer until the caller is cancelled.
        case never
    }

    private struct State {
        var answers: [Answer]
        var whenEmpty: Answer?
        var requests: [WebSocketRequest] = []
        var players: [Task<Void, Never>] = []
    }

    private let state: Mutex<State>
    private let peers = Arrivals<InMemoryWebSocket>()
    private let attempts = Arrivals<WebSocketRequest>()

    /// A transport with these answers, in order.
    ///
    /// - Parameters:
    ///   - answers: The answers.
    ///   - whenEmpty: What is answered behind them; `nil` refuses with `webSocketNeverConnected`.
    public init(_ answers: [Answer] = [], whenEmpty: Answer? = nil) {
        state = Mutex(State(answers: answers, whenEmpty: whenEmpty))
    }

    deinit { for player in state.withLock({ $0.players }) { player.cancel() } }

    /// Everything that was asked so far.
    public var requests: [WebSocketRequest] { state.withLock { $0.requests } }

    /// Adds an answer behind the others.
    public func queue(_ answer: Answer) { state.withLock { $0.answers.append(answer) } }

    /// Suspends until the next connection is made and gives the server's end of it.
    ///
    /// - Throws: `CancellationError`.
    public func nextPeer() async throws -> InMemoryWebSocket { try await peers.next() }

    /// Suspends until the next attempt to connect, whatever its answer.
    ///
    /// - Throws: `CancellationError`.
    public func nextAttempt() async throws -> WebSocketRequest { try await attempts.next() }

    /// Keeps the request and gives the next answer.
    ///
    /// - Throws: The queued failure; `TransportError` with `webSocketNeverConnected` when nothing is queued and
    ///   `webSocketInvalidRequest` for a request that no transport may send; `CancellationError`.
    public func connect(_ request: WebSocketRequest) async throws -> any WebSocketConnection {
        try Task.checkCancellation()
        try request.validate()
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answers.isEmpty ? state.whenEmpty : state.answers.removeFirst()
        }
        attempts.add(request)
        switch answer {
        case .accept(let subprotocol, let bufferedBytes):
            let (near, far) = InMemoryWebSocket.makePair(subprotocol: subprotocol, bufferedBytes: bufferedBytes)
            peers.add(far)
            return near
        case .play(let script):
            let (near, far) = InMemoryWebSocket.makePair()
            let player = Task {
                do {
                    try await script(far)
                    await far.close()
                } catch {
                    far.cut()
                }
            }
            state.withLock { $0.players.append(player) }
            return near
        case .failure(let error):
            throw error
        case .never:
            try await ContinuousClock().sleep(for: .seconds(86_400))
            throw CancellationError()
        case nil:
            throw TransportError(.webSocketNeverConnected, "\(request.url): no answer is scripted.")
        }
    }
}
