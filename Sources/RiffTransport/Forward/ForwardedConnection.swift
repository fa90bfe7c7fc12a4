// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// One local connection and the channel that carries it: bytes both ways, with half close and back-pressure.
struct ForwardedConnection: Sendable {
    private let socket: SocketChannel
    private let channel: any ByteChannel

    init(_ socket: SocketChannel, _ channel: any ByteChannel) {
        self.socket = socket
        self.channel = channel
    }

    private enum Part: Sendable {
        /// The local program sent all it had, and it was handed on.
        case sent
        /// The target sent all it had, and it was handed on.
        case received
        /// The target has closed.
        case closed
        /// The local program is gone.
        case left
        /// The host is lost.
        case cut(any Error)
    }

    /// Carries all, and closes both.
    ///
    /// - Returns: The error if the host was lost in between; `nil` if one of the two ends ended it, or the task was
    ///   cancelled.
    func run() async -> (any Error)? {
        let cut: (any Error)?
        if let tunnel = channel as? SSHTunnelChannel, tunnel.isHooked {
            cut = await splice(tunnel)
        } else {
            cut = await pass()
        }
        // Nothing is left to wait for; a local program that was told no end gets a reset.
        socket.reset()
        await channel.close()
        return cut
    }

    /// Lets the socket and the channel's pipes move the bytes, and waits for an end.
    private func splice(_ tunnel: SSHTunnelChannel) async -> (any Error)? {
        socket.splice(incoming: tunnel.pipes.input, outgoing: tunnel.pipes.output)
        return await withTaskGroup(of: Part.self) { group in
            group.addTask { await awaitClose() }
            group.addTask {
                // However it ended.
                _ = try? await socket.waitUntilClosed()
                return .left
            }
            defer { group.cancelAll() }
            switch await group.next() {
            case .cut(let error): return error
            case .closed:
                // What the target sent before is still handed on.
                await socket.finish()
                return nil
            default: return nil
            }
        }
    }

    /// Passes the bytes on, by a task for each way.
    private func pass() async -> (any Error)? {
        await withTaskGroup(of: Part.self) { group in
            group.addTask { await send() }
            group.addTask { await receive() }
            group.addTask { await awaitClose() }
            defer { group.cancelAll() }
            return await conclude(&group)
        }
    }

    private func conclude(_ group: inout TaskGroup<Part>) async -> (any Error)? {
        var hasReceived = false
        var hasSent = false
        while let part = await group.next() {
            switch part {
            case .sent: hasSent = true
            case .received: hasReceived = true
            case .closed:
                // What it sent before is still handed on; what is sent to it is not.
                hasSent = true
            case .left: return nil
            case .cut(let error): return error
            }
            if hasSent, hasReceived {
                await socket.finish()
                return nil
            }
        }
        return nil
    }

    private func send() async -> Part {
        var iterator = socket.output.makeAsyncIterator()
        while true {
            let bytes: [UInt8]?
            do { bytes = try await iterator.next() } catch {
                // The local program has gone, or the forward ends.
                return .left
            }
            do {
                guard let bytes else {
                    try await channel.finishWriting()
                    return .sent
                }
                try await channel.write(bytes)
            } catch is CancellationError {
                return .left
            } catch let error as TransportError where error.code == .closed {
                // The target takes no more, and may still send: the close tells.
                return .sent
            } catch {
                return .cut(error)
            }
        }
    }

    private func receive() async -> Part {
        do {
            for try await bytes in channel.output { try await socket.write(bytes) }
            try await socket.finishWriting()
            return .received
        } catch is CancellationError {
            return .left
        } catch {
            // The local program has gone, or the host has.
            return socket.isBroken ? .left : .cut(error)
        }
    }

    private func awaitClose() async -> Part {
        do {
            // A socket may have ended its own way, and still take what is sent to it.
            if let target = channel as? SocketChannel {
                try await target.waitUntilClosed()
            } else {
                _ = try await channel.exitStatus()
            }
            return .closed
        } catch is CancellationError {
            return .left
        } catch {
            return .cut(error)
        }
    }
}
