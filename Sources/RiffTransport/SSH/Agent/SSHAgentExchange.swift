// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
internal import RiffCore

/// One question to an ssh-agent on a connection of its own, and the answer.
enum SSHAgentExchange {
    /// Asks, and waits for as long as a person needs to confirm.
    ///
    /// - Throws: `TransportError` with `agentUnavailable`; `CancellationError`.
    static func ask(_ message: [UInt8], at socket: String) async throws -> [UInt8] {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let answer = loop.makePromise(of: [UInt8].self)
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(SSHAgentAnswer(answer))
                    }
                }
                .connect(unixDomainSocketPath: socket)
                .get()
        } catch {
            answer.fail(error)
            throw TransportError(.agentUnavailable, "No ssh-agent answers at \(InertText.line(socket)).", cause: error)
        }
        var buffer = channel.allocator.buffer(capacity: message.count + 4)
        buffer.writeInteger(UInt32(message.count))
        buffer.writeBytes(message)
        channel.writeAndFlush(buffer, promise: nil)
        return try await withTaskCancellationHandler {
            do {
                let bytes = try await answer.futureResult.get()
                channel.close(promise: nil)
                return bytes
            } catch {
                channel.close(promise: nil)
                try Task.checkCancellation()
                throw error
            }
        } onCancel: {
            channel.close(promise: nil)
        }
    }
}

/// Collects an answer: a length and that many bytes.
private final class SSHAgentAnswer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let answer: EventLoopPromise<[UInt8]>
    private var received = ByteBuffer()

    init(_ answer: EventLoopPromise<[UInt8]>) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        received.writeBuffer(&buffer)
        guard let length = received.getInteger(at: received.readerIndex, as: UInt32.self) else { return }
        guard (1...SSHAgentMessage.largest).contains(Int(length)) else {
            let message = "The ssh-agent announced an answer of \(length) bytes."
            return answer.fail(TransportError(.agentUnavailable, message))
        }
        guard let bytes = received.getBytes(at: received.readerIndex + 4, length: Int(length)) else { return }
        answer.succeed(bytes)
    }

    func channelInactive(context: ChannelHandlerContext) {
        answer.fail(TransportError(.agentUnavailable, "The ssh-agent closed the connection without an answer."))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        answer.fail(TransportError(.agentUnavailable, "The connection to the ssh-agent broke: \(error).", cause: error))
        context.close(promise: nil)
    }
}
