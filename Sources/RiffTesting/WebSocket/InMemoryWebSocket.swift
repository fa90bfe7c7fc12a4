// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport

/// One end of a pair of WebSockets in memory: what one end sends, the other receives.
///
/// Both ends share one lock, so that an end is decided for both, and for everybody who waits, at one moment.
public final class InMemoryWebSocket: WebSocketConnection {
    /// The subprotocol that was agreed on.
    public let subprotocol: String?
    private let core: InMemoryWebSocketPair
    private let side: Int

    private init(_ core: InMemoryWebSocketPair, side: Int, subprotocol: String?) {
        self.core = core
        self.side = side
        self.subprotocol = subprotocol
    }

    deinit { core.abandon(side) }

    /// Two ends.
    ///
    /// - Parameters:
    ///   - subprotocol: What both call their subprotocol.
    ///   - bufferedBytes: How much may wait on either way before its sender suspends.
    /// - Returns: Both, alike.
    public static func makePair(
        subprotocol: String? = nil,
        bufferedBytes: Int = 256 << 10
    ) -> (InMemoryWebSocket, InMemoryWebSocket) {
        let core = InMemoryWebSocketPair(highWater: bufferedBytes)
        return (
            InMemoryWebSocket(core, side: 0, subprotocol: subprotocol),
            InMemoryWebSocket(core, side: 1, subprotocol: subprotocol)
        )
    }

    /// The number of bytes in the other end's messages, pings and pongs, with two bytes for each.
    public var receivedBytes: UInt64 { core.receivedBytes(side) }

    /// The way that the connection ended, once it has.
    public var ended: WebSocketEnding? { core.ending(side).current }

    /// The next message of the other end.
    public func receive() async throws -> WebSocketMessage? { try await core.receive(side) }

    /// Sends a message to the other end; suspends while too much waits there.
    public func send(_ message: WebSocketMessage) async throws { try await core.send(message, from: side) }

    /// Pings the other end, which answers at once unless it is silent.
    public func ping() async throws { try await core.ping(from: side) }

    /// Closes both ends: the other one sees this code once it has read what was sent before.
    public func close(_ code: WebSocketEnding.Code, reason: String) async {
        let payload = WebSocketFrameEncoder.closePayload(.normal, reason)
        let cut = String(decoding: payload.dropFirst(2), as: UTF8.self)
        core.close(from: side, code.isSendable ? code : .normal, reason: cut)
    }

    /// Suspends until it has ended.
    public func ending() async throws -> WebSocketEnding { try await core.ending(side).cancellableValue() }

    // MARK: Playing a bad network

    /// Breaks the connection: both ends see 1006 once they have read what was sent before.
    public func cut() { core.cut() }

    /// This end answers no pings from now on, or does again; pings that wait are answered then.
    public func setSilent(_ isSilent: Bool) { core.setSilent(side, isSilent) }
}
