// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
internal import RiffCore

/// A server on a loopback port that does one thing with each connection.
enum DialedServer {
    enum Behavior: Sendable {
        /// Sends back what comes.
        case echoes
        /// Reads until the end, and then says how many bytes there were.
        case counts
        /// Says a word and closes.
        case greets
        /// Reads nothing.
        case holdsBack
    }

    /// Runs a server while the body runs.
    static func with<Value>(
        _ behavior: Behavior,
        _ body: (HostAddress) async throws -> Value
    ) async throws -> Value {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: behavior != .holdsBack)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(behavior))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(HostAddress("127.0.0.1", port: listener.localAddress?.port ?? 0)))
        } catch {
            result = .failure(error)
        }
        try await listener.close().get()
        return try result.get()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let behavior: Behavior
        private var count = 0

        init(_ behavior: Behavior) { self.behavior = behavior }

        func channelActive(context: ChannelHandlerContext) {
            guard behavior == .greets else { return }
            let channel = context.channel
            channel.writeAndFlush(ByteBuffer(string: "bye")).whenComplete { _ in channel.close(promise: nil) }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch behavior {
            case .echoes: context.writeAndFlush(data, promise: nil)
            case .counts: count += unwrapInboundIn(data).readableBytes
            case .greets, .holdsBack: break
            }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard case ChannelEvent.inputClosed? = event as? ChannelEvent else { return }
            let channel = context.channel
            let answer = behavior == .counts ? ByteBuffer(string: "\(count)") : ByteBuffer()
            channel.writeAndFlush(answer).whenComplete { _ in channel.close(promise: nil) }
        }
    }
}
