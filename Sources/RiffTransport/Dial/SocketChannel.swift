// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
internal import RiffCore

/// A socket as a byte channel.
package final class SocketChannel: ByteChannel {
    package let output: ByteStream
    package let diagnostics: ByteStream

    private let outgoing: BytePipe
    private let ended: EventualValue<Result<ExitStatus?, TransportError>>
    private let closed: EventualValue<Void>
    private let handler: NIOLoopBound<SocketChannelHandler>
    private let loop: any EventLoop

    /// Must be called on the loop.
    private init(_ handler: SocketChannelHandler, on loop: any EventLoop) {
        output = ByteStream(handler.incoming)
        let nothing = BytePipe()
        nothing.finish()
        diagnostics = ByteStream(nothing)
        outgoing = handler.outgoing
        ended = handler.ended
        closed = handler.closed
        self.handler = NIOLoopBound(handler, eventLoop: loop)
        self.loop = loop
    }

    static func make(
        _ handler: NIOLoopBound<SocketChannelHandler>,
        on loop: any EventLoop
    ) async throws -> SocketChannel {
        try await loop.submit { SocketChannel(handler.value, on: loop) }.get()
    }

    /// Takes a connected socket over, which is closed with the channel; also where this throws.
    package static func adopt(_ descriptor: CInt) async throws -> SocketChannel {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let adopted = NIOLoopBoundBox<SocketChannelHandler?>.makeEmptyBox(
            valueType: SocketChannelHandler.self,
            eventLoop: loop
        )
        _ = try await ClientBootstrap(group: loop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = SocketChannelHandler(on: channel.eventLoop)
                    adopted.value = handler
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }.withConnectedSocket(descriptor).get()
        return try await loop.submit {
            guard let handler = adopted.value else { throw ChannelError.alreadyClosed }
            return SocketChannel(handler, on: loop)
        }.get()
    }

    package func write(_ bytes: [UInt8]) async throws { try await outgoing.send(bytes) }

    package func finishWriting() async throws { outgoing.finish() }

    package func close() async {
        loop.execute { [handler] in handler.value.close() }
        await closed.value()
    }

    package func abort() async {
        loop.execute { [handler] in handler.value.abort() }
        await closed.value()
    }

    package func exitStatus() async throws -> ExitStatus? { try await ended.cancellableValue().get() }
}
