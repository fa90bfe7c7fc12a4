// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// The tasks between a byte channel and the SSH connection that it carries: one for each way, and one for the end.
final class SSHChannelRelay: Sendable {
    private enum Ending {
        /// The relay closes after the bytes that were sent have left.
        case close
        /// The relay ends at once, and sent bytes that did not leave are dropped.
        case abort
    }

    /// The time that sent bytes may take to leave, and the peer to answer our good-bye with its end.
    private static let grace = Duration.milliseconds(500)

    /// The bytes that the connection sends.
    let outgoing: BytePipe
    private let channel: any ByteChannel
    private let way: String
    private let inner: SSHConnectionReference
    private let ending = EventualValue<Ending>()
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// - Parameters:
    ///   - channel: Is closed with the relay.
    ///   - address: The host, for errors.
    init(_ channel: any ByteChannel, to address: HostAddress) {
        self.channel = channel
        way = "The way to \(address.endpoint)"
        let inner = SSHConnectionReference()
        self.inner = inner
        outgoing = BytePipe(onDrain: { inner.connection?.schedulePump() })
    }

    /// Begins to relay, for a connection; once.
    func start(for connection: SSHConnection) {
        inner.connection = connection
        task.withLock { $0 = Task { await run() } }
    }

    /// Ends it after what was sent.
    func close() {
        outgoing.finish()
        ending.resolve(.close)
    }

    /// Ends it at once.
    func abort() {
        outgoing.finish()
        ending.resolve(.abort)
    }

    /// Returns when the channel is closed and nothing runs any more, after ``close()`` or ``abort()``.
    ///
    /// - Parameter atOnce: Whether what was sent gets no time to leave.
    func end(atOnce: Bool = false) async {
        let task = task.withLock(\.self)
        // It may never have begun.
        if atOnce || task == nil { await channel.abort() }
        await task?.value
    }

    private func run() async {
        let reading = Task { await read() }
        let writing = Task { await write(reading) }
        switch await ending.value() {
        case .close:
            // A command is told by the end of its input, and gets the time to pass on what it has.
            _ = try? await withDeadline(
                Self.grace,
                clock: ContinuousClock(),
                abandoning: {
                    await writing.value
                    await reading.value
                }
            )
            await channel.close()
        case .abort:
            await channel.abort()
        }
        writing.cancel()
        reading.cancel()
        // Both end with the channel; one that does not keep to its rules is left behind.
        _ = try? await withDeadline(
            .seconds(1),
            clock: ContinuousClock(),
            abandoning: {
                await writing.value
                await reading.value
            }
        )
    }

    private func read() async {
        var failure: (any Error)?
        do {
            for try await bytes in channel.output {
                guard let connection = inner.connection else { return }
                // Taken before more is read: the channel holds the peer back.
                await connection.receive(bytes)
            }
        } catch is CancellationError {
            return
        } catch {
            failure = error
        }
        guard ending.current == nil, let connection = inner.connection else { return }
        if let reason = await channel.endReason(of: way, after: failure) {
            await connection.lose(reason)
        } else {
            await connection.receiveEnd()
        }
    }

    private func write(_ reading: Task<Void, Never>) async {
        do {
            while let bytes = try await outgoing.next() { try await channel.write(bytes) }
            try await channel.finishWriting()
        } catch {
            guard ending.current == nil else { return }
            // What the peer said last, and how a command ended, comes the other way.
            _ = try? await withDeadline(.seconds(2), clock: ContinuousClock(), abandoning: { await reading.value })
            guard ending.current == nil, let connection = inner.connection else { return }
            let reason = await channel.endReason(of: way, after: error)
            await connection.lose(reason ?? TransportError(.connectionLost, "\(way) was lost.", recovery: .retry))
        }
    }
}

/// The connection that a relay works for, and does not keep alive.
private final class SSHConnectionReference: Sendable {
    private struct State {
        weak var connection: SSHConnection?
    }

    private let state = Mutex(State())

    var connection: SSHConnection? {
        get { state.withLock(\.connection) }
        set { state.withLock { $0.connection = newValue } }
    }
}
