// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport
internal import Synchronization

// sample: server: any ByteChannel
/// A dialer that stays in memory: a closure answers each call, and what it opened can be cut.
///
/// ```swift
/// let dialer = InMemoryDialer { _ in server }
/// let channel = try await dialer.dial(HostAddress("host.example"), within: .seconds(1))
/// dialer.cut()  // the channel's output now throws `connectionLost`
/// await dialer.shutdown()
/// ```
public final class InMemoryDialer: HostDialer {
    /// Answers a call: opens what is to be reached, or throws.
    public typealias Answer = @Sendable (HostAddress) async throws -> any ByteChannel

    private struct State {
        var dialed: [HostAddress] = []
        var near: [InMemoryByteChannel] = []
        var relays: [Task<Void, Never>] = []
    }

    private let answer: Answer
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    /// Creates a dialer.
    ///
    /// - Parameters:
    ///   - clock: Measures the limit of a call.
    ///   - answer: Answers each call. The bytes of what it opens go through memory both ways, and it is closed with the
    ///     channel that the caller got.
    public init(clock: any Clock<Duration> = ContinuousClock(), answer: @escaping Answer) {
        self.answer = answer
        self.clock = clock
    }

    /// The addresses that were dialed so far, in order.
    public var dialed: [HostAddress] { state.withLock(\.dialed) }

    /// Connects; see `HostDialer`.
    ///
    /// - Returns: One end of a channel in memory.
    /// - Throws: What the answer threw; `TransportError` with `timeout`; `CancellationError`.
    public func dial(_ address: HostAddress, within limit: Duration) async throws -> any ByteChannel {
        state.withLock { $0.dialed.append(address) }
        let peer: any ByteChannel
        do {
            peer = try await BoundedDial.run(within: limit, clock: clock) { [answer] in try await answer(address) }
        } catch is DeadlineExceeded {
            throw TransportError(.timeout, "\(address) did not answer in \(limit).", recovery: .retry)
        }
        let (near, far) = InMemoryByteChannel.makePair()
        let relay = Task { await Self.relay(far, peer) }
        state.withLock { state in
            state.near.append(near)
            state.relays.append(relay)
        }
        return near
    }

    /// Breaks all connections: each end throws `connectionLost` after what was sent before.
    public func cut() {
        let near = state.withLock { state in
            defer { state.near = [] }
            return state.near
        }
        for channel in near { channel.cut() }
    }

    /// Breaks all connections, and returns when what was opened for them is closed.
    public func shutdown() async {
        cut()
        let relays = state.withLock { state in
            defer { state.relays = [] }
            return state.relays
        }
        for relay in relays { await relay.value }
    }

    private static func relay(_ far: InMemoryByteChannel, _ peer: any ByteChannel) async {
        let inward = Task {
            do {
                for try await bytes in peer.output { try await far.write(bytes) }
                try await far.finishWriting()
            } catch {
                // Either end is gone: so is the way between them.
                far.cut()
            }
        }
        let outward = Task {
            for try await bytes in far.output { try await peer.write(bytes) }
            try await peer.finishWriting()
        }
        let over = EventualValue<Void>()
        let watching = Task {
            // The caller closes its end, or the way is cut.
            _ = try? await far.exitStatus()
            over.resolve(())
        }
        let ending = Task {
            await inward.value
            // A command that is over reads nothing any more; another peer may have closed one way alone.
            if (try? await peer.exitStatus()) == nil { _ = await outward.result }
            over.resolve(())
        }
        await over.value()
        // What was written before a close goes on its way, unless the peer takes nothing.
        let isSent: Void? = try? await withDeadline(
            .seconds(1),
            clock: ContinuousClock(),
            abandoning: { try await outward.value }
        )
        if isSent == nil { await peer.abort() } else { await peer.close() }
        for task in [watching, ending] { task.cancel() }
        inward.cancel()
        outward.cancel()
        await inward.value
        _ = await outward.result
        let status = try? await withDeadline(.seconds(1), clock: ContinuousClock()) { try await peer.exitStatus() }
        far.end(status ?? nil)
        await watching.value
        await ending.value
    }
}
