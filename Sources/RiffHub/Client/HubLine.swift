// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

/// One WebSocket to the hub, with what is to be said over it in order.
struct HubLine: Sendable {
    typealias Outgoing = (command: HubCommand, answer: Int?, features: HubFeatures)

    /// The number of messages that may wait on a connection that takes nothing.
    static let waiting = 256

    let connection: any WebSocketConnection
    let outbox: AsyncStream<Outgoing>
    private let writer: AsyncStream<Outgoing>.Continuation
    private var bytes: UInt64 = 0

    init(_ connection: any WebSocketConnection) {
        self.connection = connection
        (outbox, writer) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.waiting))
    }

    /// - Returns: Whether it will be said; not where too much waits already.
    func say(_ command: HubCommand, answer: Int?, for features: HubFeatures) -> Bool {
        if case .enqueued = writer.yield((command, answer, features)) { true } else { false }
    }

    /// Says what waits, until it ends.
    ///
    /// - Parameters:
    ///   - sent: Told of everything that was given to the connection.
    ///   - failed: Told of everything that was not said.
    ///   - refused: Told of everything that cannot be said at all.
    func write(
        _ sent: @Sendable (HubCommand, Int?) async -> Void,
        failed: @Sendable (HubCommand, Int?) async -> Void,
        refused: @Sendable (HubCommand, Int?, HubError) async -> Void
    ) async {
        for await (command, answer, features) in outbox {
            let text: String
            do { text = try command.message(for: features) } catch {
                await refused(command, answer, error)
                continue
            }
            do {
                try await connection.send(.text(text))
                await sent(command, answer)
            } catch {
                await failed(command, answer)
            }
        }
    }

    /// Whether anything has come since this was asked last.
    mutating func hasMoved() -> Bool {
        let before = bytes
        bytes = connection.receivedBytes
        return bytes > before
    }

    func finish() { writer.finish() }

    func close() async {
        finish()
        await connection.close(.normal, reason: "")
    }
}
