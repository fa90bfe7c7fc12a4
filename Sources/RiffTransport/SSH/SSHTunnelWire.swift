// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import Synchronization

/// The events of a tunnel's channel, as the wire made of it receives them.
struct SSHTunnelHooks: Sendable {
    /// Bytes came, or the end.
    let onOutput: @Sendable () -> Void
    /// There is room to send again.
    let onDrain: @Sendable () -> Void
}

/// A channel of an outer connection as the wire of an inner one: a jump host, without a socket pair or a task in
/// between. Both usually live on one event loop; what they share may be used from two.
final class SSHTunnelWire: SSHWire {
    private let handle: SSHChannelHandle
    /// Kept for the outer channel's hooks, which only know it weakly.
    private let maker: Maker

    private init(_ handle: SSHChannelHandle, _ maker: Maker) {
        self.handle = handle
        self.maker = maker
    }

    var isWritable: Bool { !handle.state.input.isPaused }

    func send(_ bytes: [UInt8]) { handle.state.input.offer(bytes) }

    func close() {
        handle.state.abandon()
        let handle = handle
        let outer = handle.connection
        outer.loop.execute { outer.assumeIsolated { $0.closeChannel(handle) } }
    }

    /// The outer connection may well be alive; what waits in it ends with the channel.
    func abort() { close() }

    /// Ties the outer channel, which comes first, to the inner connection, which comes last.
    final class Maker: Sendable {
        private struct Ends {
            var handle: SSHChannelHandle?
            weak var inner: SSHConnection?
        }

        private let ends = Mutex(Ends())

        var hooks: SSHTunnelHooks {
            SSHTunnelHooks(
                onOutput: { [weak self] in self?.run { inner, handle in Maker.move(from: handle, to: inner) } },
                onDrain: { [weak self] in self?.run { inner, _ in inner.pump() } }
            )
        }

        /// The wire over an open channel, on the loop where the inner connection will live.
        func make(over handle: SSHChannelHandle, on loop: any EventLoop) async throws -> NIOLoopBound<any SSHWire> {
            ends.withLock { $0.handle = handle }
            return try await loop.submit { NIOLoopBound(SSHTunnelWire(handle, self), eventLoop: loop) }.get()
        }

        func attach(_ inner: SSHConnection) {
            ends.withLock { $0.inner = inner }
            // What came before the inner connection was there.
            run { inner, handle in Maker.move(from: handle, to: inner) }
        }

        private func run(_ body: @escaping @Sendable (isolated SSHConnection, SSHChannelHandle) -> Void) {
            let (inner, handle) = ends.withLock { ($0.inner, $0.handle) }
            guard let inner, let handle else { return }
            // Later, because the outer engine may be in the middle of its pumping.
            inner.loop.execute { inner.assumeIsolated { body($0, handle) } }
        }

        private static func move(from handle: SSHChannelHandle, to inner: isolated SSHConnection) {
            while true {
                switch handle.state.output.take(upTo: 256 * 1024) {
                case .bytes(let bytes): bytes.withUnsafeBytes { inner.receive($0) }
                case .empty: return
                case .ended: return inner.receiveEnd()
                }
            }
        }
    }
}
