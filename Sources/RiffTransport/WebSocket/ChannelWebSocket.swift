// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule
internal import RiffCore
internal import Synchronization

/// A client's WebSocket over bytes that another channel brings to the server: a command's standard input and output, a
/// socket on a host.
///
/// It has no tasks and no deadlines of its own: what comes is read when ``receive()`` is called, pings are answered by
/// it, and whoever waits too long cancels. One task receives; any may send.
package final class ChannelWebSocket: Sendable {
    private struct Incoming: ~Copyable {
        var receiver: WebSocketReceiver
        var events = Deque<WebSocketEvent>()
    }

    private let channel: any ByteChannel
    // A receiver is no value: it stays behind its lock.
    private let incoming: Mutex<Incoming>
    private let turns = WriteTurns()

    private init(_ channel: any ByteChannel, _ incoming: consuming sending Incoming) {
        self.channel = channel
        self.incoming = Mutex(incoming)
    }

    /// Opens one: sends the handshake and waits for the answer, before which nothing else is sent.
    ///
    /// - Parameters:
    ///   - channel: The bytes; not closed when this fails.
    ///   - request: What is asked for. No compression is offered.
    /// - Returns: The open WebSocket; `nil` if the channel ended before a byte of an answer.
    /// - Throws: `TransportError` with `webSocketHandshake` or `webSocketRefused`; what breaks the channel;
    ///   `CancellationError`.
    package static func open(
        over channel: any ByteChannel,
        _ request: WebSocketRequest
    ) async throws -> ChannelWebSocket? {
        var request = request
        request.compression = nil
        var generator = SystemRandomNumberGenerator()
        var handshake = try WebSocketClientHandshake(request, using: &generator)
        do {
            try await channel.write(handshake.request)
        } catch let error as TransportError where error.code == .closed {
            // It may have said why before it ended.
        }
        var isSilent = true
        var chunks = channel.output.makeAsyncIterator()
        while let bytes = try await chunks.next() {
            isSilent = false
            switch try handshake.receive(bytes) {
            case nil: continue
            case .refused(let refusal): throw WebSocketClientHandshake.error(refusal, request.url)
            case .opened(_, _, let rest):
                let receiver = try WebSocketReceiver(role: .client, limits: request.limits)
                var incoming = Incoming(receiver: receiver)
                try Self.take(rest, into: &incoming)
                return ChannelWebSocket(channel, incoming)
            }
        }
        if isSilent { return nil }
        if case .refused(let refusal) = handshake.end() { throw WebSocketClientHandshake.error(refusal, request.url) }
        throw handshake.stranger ?? Self.lost("its answer was cut off")
    }

    /// The next message; `nil` after the server closed.
    ///
    /// - Throws: `TransportError` with `connectionLost` if the bytes end without a close, break a rule or exceed a
    ///   limit; what breaks the channel; `CancellationError`.
    package func receive() async throws -> WebSocketMessage? {
        var chunks = channel.output.makeAsyncIterator()
        while true {
            while let event = incoming.withLock({ $0.events.popFirst() }) {
                switch event {
                case .message(let message): return message
                case .ping(let payload): try await send(.pong, payload)
                case .pong: break
                case .close(let code, _):
                    // The answer is a courtesy: the server may be gone.
                    try? await send(.close, WebSocketFrameEncoder.closePayload(code, ""))
                    return nil
                }
            }
            guard let bytes = try await chunks.next() else { throw Self.lost("its bytes ended without a close") }
            try incoming.withLock { try Self.take(bytes, into: &$0) }
        }
    }

    /// Sends a text in one frame. One that is cancelled before its turn sends nothing.
    ///
    /// - Throws: What breaks the channel; `CancellationError`.
    package func send(_ text: String) async throws { try await send(.text, Array(text.utf8)) }

    /// Closes the channel beneath.
    package func close() async { await channel.close() }

    private func send(_ opcode: WebSocketOpcode, _ payload: [UInt8]) async throws {
        let frame = WebSocketFrameEncoder.frame(opcode, payload, mask: .random(in: .min ... .max))
        try await turns.take { try await self.channel.write(frame) }
    }

    private static func take(_ bytes: [UInt8], into incoming: inout Incoming) throws {
        var events: [WebSocketEvent] = []
        defer { incoming.events.append(contentsOf: events) }
        do {
            try bytes.withUnsafeBytes { try incoming.receiver.receive($0, into: &events) }
        } catch let violation as WebSocketViolation {
            throw lost("the server broke a rule: \(violation.reason)")
        }
    }

    private static func lost(_ reason: String) -> TransportError {
        TransportError(.connectionLost, "The WebSocket was lost: \(reason).", recovery: .retry)
    }
}
