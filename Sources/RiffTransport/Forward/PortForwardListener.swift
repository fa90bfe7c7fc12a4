// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
internal import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The listening sockets of a forward: one, or on the loopback interface one for each family.
struct PortForwardListener: Sendable {
    let port: Int
    let addresses: [String]
    private let sockets: [any Channel]

    private static let loopback = ["127.0.0.1", "::1"]
    /// A free port of one family may be taken in the other.
    private static let attempts = 16

    /// Listens; what is accepted is handed on, on its event loop, and nothing is read from it before it is asked for.
    ///
    /// - Throws: `TransportError` with `portInUse` or `listenFailed`.
    static func start(
        port: Int,
        on interface: PortForwardOptions.Interface,
        accept: @escaping @Sendable (SocketChannel) -> Void
    ) async throws -> PortForwardListener {
        guard (0...65_535).contains(port) else {
            throw TransportError(.listenFailed, "\(port) is no port: 0 to 65535 are.", recovery: .openSettings(.port))
        }
        switch interface {
        case .address(let address):
            let socket = try await listen(on: address, port: port, accept)
            return PortForwardListener(port: socket.localAddress?.port ?? port, addresses: [address], sockets: [socket])
        case .loopback:
            for attempt in 1... {
                do {
                    return try await startOnLoopback(port: port, accept)
                } catch let error as TransportError where error.code == .portInUse && port == 0 && attempt < attempts {
                    continue
                }
            }
            preconditionFailure("The loop ends by returning or throwing.")
        }
    }

    /// Listens on both loopback addresses: a program that dials `localhost` may try either family first, so that one
    /// alone would leave the other to any program that listens there.
    private static func startOnLoopback(
        port: Int,
        _ accept: @escaping @Sendable (SocketChannel) -> Void
    ) async throws -> PortForwardListener {
        let first = try await listen(on: loopback[0], port: port, accept)
        let chosen = first.localAddress?.port ?? port
        do {
            let second = try await listen(on: loopback[1], port: chosen, accept)
            return PortForwardListener(port: chosen, addresses: loopback, sockets: [first, second])
        } catch let error as TransportError where error.code == .portInUse {
            await close([first])
            throw error
        } catch is TransportError {
            // A machine without IPv6.
            return PortForwardListener(port: chosen, addresses: [loopback[0]], sockets: [first])
        }
    }

    private static func listen(
        on address: String,
        port: Int,
        _ accept: @escaping @Sendable (SocketChannel) -> Void
    ) async throws -> any Channel {
        do {
            return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                // A port whose last connections are not forgotten yet may be taken again: socket(7).
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.autoRead, value: false)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(
                    .recvAllocator,
                    value: AdaptiveRecvByteBufferAllocator(minimum: 4096, initial: 65_536, maximum: 262_144)
                )
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { accept(try SocketChannel.make(on: channel)) }
                }
                .bind(host: address, port: port).get()
        } catch {
            throw failure(error, address: address, port: port)
        }
    }

    private static func failure(_ error: any Error, address: String, port: Int) -> TransportError {
        let code = (error as? IOError)?.errnoCode
        guard code != EADDRINUSE else {
            let message = "Port \(port) of \(address) is taken by another program on this machine. Choose another one."
            return TransportError(.portInUse, message, recovery: .openSettings(.port), cause: error)
        }
        let reason = (error as? IOError)?.localizedReason ?? "\(error)"
        let message = "This machine cannot listen on port \(port) of \(InertText.quote(address)): \(reason)."
        return TransportError(.listenFailed, message, recovery: .openSettings(.port), cause: error)
    }

    /// Says when the first of the sockets is closed, by whomever: a system may take them from an app that slept.
    func whenClosed(_ tell: @escaping @Sendable () -> Void) {
        for socket in sockets { socket.closeFuture.whenComplete { _ in tell() } }
    }

    /// Closes the sockets, and returns when they are closed.
    func close() async { await Self.close(sockets) }

    /// Closes the sockets soon.
    func closeSoon() { for socket in sockets { socket.close(promise: nil) } }

    private static func close(_ sockets: [any Channel]) async {
        // One that is closed already says so by an error, which is what was wanted.
        for socket in sockets { try? await socket.close().get() }
    }
}
