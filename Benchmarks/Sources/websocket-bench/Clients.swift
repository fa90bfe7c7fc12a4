// Riff
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import RiffHTTP
import RiffTransport

/// Our WebSocket.
enum SocketClient {
    static func run(_ direction: Direction, _ repeats: Int, _ port: Int) async throws {
        let url = try WebSocketURL("ws://127.0.0.1:\(port)/\(direction.rawValue)/\(repeats)")
        let request = WebSocketRequest(url, limits: WebSocketRequest.Limits(messageBytes: 20 << 20))
        let socket = try await NIOWebSocketTransport().connect(request)
        switch direction {
        case .receive:
            for _ in 0..<repeats {
                for size in Frames.sizes {
                    guard let message = try await socket.receive(), message.byteCount == size else {
                        throw BenchFailure(message: "another message came")
                    }
                }
            }
        case .send:
            for _ in 0..<repeats { for message in Frames.messages { try await socket.send(.binary(message)) } }
            guard try await socket.receive() == .text("ok") else { throw BenchFailure(message: "no answer") }
        }
        // The server is measured by nobody: it is left, not asked.
        Task { await socket.close() }
    }
}

/// A NIO connection that carries the same bytes.
enum RawClient {
    static func run(_ direction: Direction, _ repeats: Int, _ port: Int) async throws {
        let done = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: Void.self)
        let frames = Frames.bytes(masked: direction == .send)
        let expected = direction == .receive ? frames.count * repeats : 4
        let request = ByteBuffer(string: "RAW \(direction.rawValue) \(repeats)\n")
        let outgoing = ByteBuffer(bytes: frames)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 65_536, maximum: 262_144)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let source = FrameSource(bytes: outgoing, rounds: direction == .send ? repeats : 0)
                    try channel.pipeline.syncOperations.addHandler(RawPipe(request, source, expected, done))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        try await done.futureResult.get()
        try await channel.close()
    }

    /// Writes while the socket takes it, and counts what comes.
    private final class RawPipe: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let request: ByteBuffer
        private let source: FrameSource
        private var left: Int
        private let done: EventLoopPromise<Void>

        init(_ request: ByteBuffer, _ source: FrameSource, _ expected: Int, _ done: EventLoopPromise<Void>) {
            self.request = request
            self.source = source
            left = expected
            self.done = done
        }

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(NIOAny(request), promise: nil)
            source.send(context)
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) { source.send(context) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            left -= unwrapInboundIn(data).readableBytes
            if left == 0 { done.succeed() }
        }

        func channelInactive(context: ChannelHandlerContext) {
            done.fail(BenchFailure(message: "the server closed"))
        }
    }
}
