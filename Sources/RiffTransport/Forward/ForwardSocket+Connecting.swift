// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
internal import RiffCore

extension ForwardSocket {
    /// Connects to an address from this machine.
    ///
    /// - Throws: `TransportError` with `forwardingFailed` or `timeout`; `CancellationError`.
    static func connect(to address: HostAddress, within limit: Duration) async throws -> ForwardSocket {
        try await connect("\(address.name), port \(address.port)", within: limit) {
            $0.channelOption(.tcpOption(.tcp_nodelay), value: 1).connect(host: address.name, port: address.port)
        }
    }

    /// Connects to a unix socket of this machine.
    ///
    /// - Throws: As ``connect(to:within:)``.
    static func connect(toUnixSocket path: String, within limit: Duration) async throws -> ForwardSocket {
        try await connect(InertText.quote(path), within: limit) { $0.connect(unixDomainSocketPath: path) }
    }

    private static func connect(
        _ name: String,
        within limit: Duration,
        _ start: (ClientBootstrap) -> EventLoopFuture<any Channel>
    ) async throws -> ForwardSocket {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(limit))
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
        let outcome = EventualValue<Result<ForwardSocket, any Error>>()
        start(bootstrap).flatMapThrowing { try ForwardSocket.make(on: $0) }.whenComplete { result in
            // If nobody waits any more, letting go of the socket closes it.
            outcome.resolve(result)
        }
        // NIO's own limit begins only when the name was found.
        let deadline = loop.scheduleTask(in: TimeAmount(limit)) {
            outcome.resolve(.failure(ChannelError.connectTimeout(TimeAmount(limit))))
        }
        defer { deadline.cancel() }
        do {
            return try await outcome.cancellableValue().get()
        } catch let error as CancellationError {
            throw error
        } catch ChannelError.connectTimeout {
            let message = "This machine had no answer from \(name) in \(limit)."
            throw TransportError(.timeout, message, recovery: .retry)
        } catch {
            let reason = InertText.quote("\((error as? NIOConnectionError)?.connectionErrors.first?.error ?? error)")
            let message = "This machine could not connect to \(name): \(reason)"
            throw TransportError(.forwardingFailed, message, recovery: .retry, cause: error)
        }
    }
}
