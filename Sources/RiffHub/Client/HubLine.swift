// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

/// One WebSocket to the hub, with what is to be said over it in order.
struct HubLine: Sendable {
    typealias Outgoing = (command: HubCommand, answer: Int?, features: HubFeatures)

    let connection: any WebSocketConnection
    let outbox: AsyncStream<Outgoing>
    // Not bounded by itself: each session has one answer and one end of playing on its way at most.
    private let writer: AsyncStream<Outgoing>.Continuation
    private var frames: UInt64 = 0

    init(_ connection: any WebSocketConnection) {
        self.connection = connection
        (outbox, writer) = AsyncStream.makeStream()
    }

    func say(_ command: HubCommand, answer: Int?, _ features: HubFeatures) {
        writer.yield((command, answer, features))
    }

    /// Says what waits, until it ends.
    ///
    /// - Parameters:
    ///   - sent: Told of everything that was given to the connection.
    ///   - failed: Told of everything that was not said.
    func write(
        _ sent: @Sendable (HubCommand, Int?) async -> Void,
        failed: @Sendable (HubCommand, Int?) async -> Void
    ) async {
        for await (command, answer, features) in outbox {
            do {
                try await connection.send(.text(try command.message(for: features)))
                await sent(command, answer)
            } catch {
                await failed(command, answer)
            }
        }
    }

    /// Whether anything has come since this was asked last.
    mutating func hasMoved() -> Bool {
        defer { frames = connection.receivedFrames }
        return connection.receivedFrames > frames
    }

    func finish() { writer.finish() }

    func close() async {
        finish()
        await connection.close(.normal, reason: "")
    }
}
