// Riff
// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import NIOCore
import NIOPosix

/// Sends rounds of frames, or counts what comes, with and without the opening handshake of a WebSocket.
enum BenchServer {
    static func run() async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .childChannelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 65_536, maximum: 262_144)
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(BenchConnection())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        print(listener.localAddress?.port ?? 0)
        fflush(nil)
        try await listener.closeFuture.get()
    }
}

/// One connection.
private final class BenchConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let outgoing = ByteBuffer(bytes: Frames.bytes(masked: false))
    private static let incomingBytes = Frames.bytes(masked: true).count

    private var head = ""
    private var isOpen = false
    private var outgoing = FrameSource(bytes: BenchConnection.outgoing, rounds: 0)
    private var bytesToCome = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        if isOpen { return count(buffer.readableBytes, context) }
        head += String(buffer: buffer)
        let end = head.hasPrefix("RAW") ? "\n" : "\r\n\r\n"
        guard let range = head.range(of: end) else { return }
        isOpen = true
        let surplus = head[range.upperBound...].utf8.count
        // "RAW send 20" or "GET /send/20 HTTP/1.1".
        let words = head.split { " /\n".contains($0) }
        let rounds = words.count > 2 ? Int(words[2]) ?? 0 : 0
        if head.hasPrefix("GET"), let key = head.firstMatch(of: /Sec-WebSocket-Key: ([^\r]+)/)?.1 {
            let digest = Insecure.SHA1.hash(data: Data("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8))
            let answer =
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(Data(digest).base64EncodedString())\r\n\r\n"
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        }
        if words.count > 1, words[1] == "receive" {
            outgoing = FrameSource(bytes: Self.outgoing, rounds: rounds)
            outgoing.send(context)
        } else {
            bytesToCome = rounds * Self.incomingBytes
            count(surplus, context)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        outgoing.send(context)
    }

    private func count(_ bytes: Int, _ context: ChannelHandlerContext) {
        guard bytesToCome > 0 else { return }
        bytesToCome -= bytes
        // A text of two letters, from a server.
        if bytesToCome <= 0 {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: [0x81, 0x02] + Array("ok".utf8))), promise: nil)
        }
    }
}

/// Rounds of the same bytes, written while the socket takes them. A write may tell at once that it takes more, within
/// it.
final class FrameSource {
    let bytes: ByteBuffer
    private var rounds: Int
    private var rest = ByteBuffer()

    init(bytes: ByteBuffer, rounds: Int) {
        self.bytes = bytes
        self.rounds = rounds
    }

    func send(_ context: ChannelHandlerContext) {
        while context.channel.isWritable {
            if rest.readableBytes == 0 {
                guard rounds > 0 else { return }
                rounds -= 1
                rest = bytes
            }
            guard let piece = rest.readSlice(length: min(131_072, rest.readableBytes)) else { return }
            context.writeAndFlush(NIOAny(piece), promise: nil)
        }
    }
}
