// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A byte channel as a socket of this process, for what can only be put onto sockets: one of a connected pair, with
/// tasks between the other one and the channel. They end when either side ends, and then both are closed.
package struct ChannelSocket: Sendable {
    /// The socket, which its taker closes.
    package let descriptor: CInt
    /// Why the channel ended, where it has words for that.
    package let failure = EventualValue<TransportError>()

    /// Creates a socket over a channel, which is closed with it; also where this throws.
    ///
    /// - Throws: `TransportError` with `dialerUnusable` where the system gives no socket.
    package init(over channel: any ByteChannel, to address: HostAddress) async throws {
        var pair: [CInt] = [-1, -1]
        guard Self.connect(&pair) else {
            let failure = SystemFailure("socketpair")
            await channel.abort()
            throw TransportError(.dialerUnusable, "The connection to \(address) has no socket: \(failure.text).")
        }
        let near: SocketChannel
        do {
            near = try await SocketChannel.adopt(pair[1])
        } catch {
            close(pair[0])
            await channel.abort()
            throw error
        }
        descriptor = pair[0]
        let failure = failure
        // It owns itself: it ends with the descriptor, which somebody else closes, or with the channel.
        Task { await Self.relay(near, channel, "The way to \(address.endpoint)", failure) }
    }

    private static func relay(
        _ near: SocketChannel,
        _ channel: any ByteChannel,
        _ way: String,
        _ failure: EventualValue<TransportError>
    ) async {
        let inward = Task {
            var lost: (any Error)?
            do {
                for try await bytes in channel.output { try await near.write(bytes) }
            } catch {
                lost = error
            }
            if !Task.isCancelled, let reason = await channel.endReason(of: way, after: lost) {
                failure.resolve(reason)
                return await near.abort()
            }
            try await near.finishWriting()
        }
        do {
            for try await bytes in near.output { try await channel.write(bytes) }
            try await channel.finishWriting()
        } catch {
            // One side does not take any more: what the other one says last is still passed on.
            _ = try? await withDeadline(.seconds(1), clock: ContinuousClock(), abandoning: { try await inward.value })
        }
        inward.cancel()
        await channel.close()
        await near.close()
    }

    private static func connect(_ pair: inout [CInt]) -> Bool {
        #if canImport(Darwin)
        guard socketpair(AF_UNIX, SOCK_STREAM, 0, &pair) == 0 else { return false }
        for descriptor in pair {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            var yes: CInt = 1
            _ = setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<CInt>.size))
        }
        return true
        #else
        return socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &pair) == 0
        #endif
    }
}
