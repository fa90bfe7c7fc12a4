// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
internal import RiffCore
internal import RiffTransport

/// A WebSocket's connection over what a dialer opens.
struct WebSocketDial {
    let dialer: any HostDialer
    let request: WebSocketRequest

    /// Opens the connection and makes a channel of it.
    ///
    /// - Parameter initialize: Sees the channel before it is connected.
    /// - Returns: The channel, and why it ended where its way has words for that.
    /// - Throws: `TransportError` with `webSocketNeverConnected`; `CancellationError`.
    func connect(
        _ initialize: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) async throws -> (channel: any Channel, failure: EventualValue<TransportError>) {
        let (host, port) = request.url.endpoint
        do {
            let address = try HostAddress(host, port: port)
            let connection = try await dialer.dial(address, within: request.connectDeadline ?? .seconds(24 * 3600))
            let socket = try await ChannelSocket(over: connection, to: address)
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelOption(
                    .recvAllocator,
                    value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 65_536, maximum: 262_144)
                )
                .channelInitializer(initialize)
                .withConnectedSocket(socket.descriptor).get()
            return (channel, socket.failure)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw TransportError(webSocketNeverConnected: error, request)
        }
    }
}
