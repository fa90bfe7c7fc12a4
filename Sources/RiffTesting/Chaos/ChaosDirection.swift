// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore

/// One direction of one connection of a chaos proxy: a bounded queue of chunks, each with the time it is due.
/// Lives on the event loop of the connection.
final class ChaosDirection {
    /// The number of bytes that wait here before the source is not read any more, so that back-pressure passes through.
    private static let queueLimit = 256 * 1024

    private let rules: ChaosRules.Direction
    private let source: any Channel
    private let destination: any Channel
    private let loop: any EventLoop
    private let onForward: (Int) -> Void
    private let onLoss: (Int) -> Void
    private let onFault: (ChaosRules.Fault) -> Void
    private var generator: SeededGenerator
    private var queue = CircularBuffer<(bytes: ByteBuffer, due: NIODeadline)>()
    private var queuedBytes = 0
    private var forwardedBytes = 0
    private var lastDue = NIODeadline.uptimeNanoseconds(0)
    private var nextFree = NIODeadline.uptimeNanoseconds(0)
    private var timer: Scheduled<Void>?
    private var isReading = false
    private var isStalled = false
    private var isSwallowing = false
    private var hasFailed = false
    private(set) var sourceHasEnded = false
    private var endWasPassedOn = false

    init(
        from source: any Channel,
        to destination: any Channel,
        rules: ChaosRules.Direction,
        seed: UInt64,
        onForward: @escaping (Int) -> Void,
        onLoss: @escaping (Int) -> Void,
        onFault: @escaping (ChaosRules.Fault) -> Void
    ) {
        self.source = source
        self.destination = destination
        self.rules = rules
        self.loop = source.eventLoop
        self.generator = SeededGenerator(seed: seed)
        self.onForward = onForward
        self.onLoss = onLoss
        self.onFault = onFault
    }

    // MARK: What the source does

    func received(_ bytes: ByteBuffer) {
        guard !isSwallowing else { return onLoss(bytes.readableBytes) }
        var delay = rules.delay
        if rules.jitter > .zero {
            let share = Double(UInt32.random(in: 0...UInt32.max, using: &generator)) / Double(UInt32.max)
            delay += rules.jitter * share
        }
        lastDue = max(lastDue, loop.now + TimeAmount(delay))
        queue.append((bytes, lastDue))
        queuedBytes += bytes.readableBytes
    }

    func readCompleted() {
        isReading = false
        pump()
    }

    func ended() {
        sourceHasEnded = true
        pump()
    }

    // MARK: Orders

    func stall() { isStalled = true }

    func resume() {
        isStalled = false
        pump()
    }

    /// Throws away the bytes that wait and those that will come, and continues to read so that the source never blocks.
    func swallow() {
        if queuedBytes > 0 { onLoss(queuedBytes) }
        queue.removeAll()
        queuedBytes = 0
        isSwallowing = true
        close()
        readMore()
    }

    /// Ends the timer; nothing is passed on after it.
    func close() {
        timer?.cancel()
        timer = nil
    }

    // MARK: Passing on

    func pump() {
        defer { readMore() }
        guard !isStalled, !isSwallowing else { return }
        while let head = queue.first {
            guard destination.isWritable else { return }
            let due = max(head.due, nextFree)
            guard due <= loop.now else { return wake(at: due) }
            if let fault = forward(upTo: head.bytes.readableBytes) { return fail(with: fault) }
        }
        if sourceHasEnded, !endWasPassedOn {
            endWasPassedOn = true
            afterFlush { $0.destination.close(mode: .output, promise: nil) }
        }
    }

    /// Writes a part of the first chunk; the fault, if its turn has come.
    private func forward(upTo available: Int) -> ChaosRules.Fault? {
        var count = available
        // A throttled flow moves in steps of a twentieth of a second, so that it is even and not in bursts.
        if let rate = rules.bytesPerSecond { count = min(count, max(1, rate / 20)) }
        if let limit = rules.faultAfterBytes, !hasFailed { count = min(count, max(0, limit - forwardedBytes)) }
        var head = queue.removeFirst()
        if count > 0, let slice = head.bytes.readSlice(length: count) {
            // Counted first: whoever has read a byte finds it counted.
            onForward(count)
            destination.writeAndFlush(slice, promise: nil)
        }
        if head.bytes.readableBytes > 0 { queue.prepend(head) }
        queuedBytes -= count
        forwardedBytes += count
        if let rate = rules.bytesPerSecond {
            nextFree = max(nextFree, loop.now) + .nanoseconds(Int64(count) * 1_000_000_000 / Int64(max(1, rate)))
        }
        guard let limit = rules.faultAfterBytes, forwardedBytes >= limit, !hasFailed else { return nil }
        hasFailed = true
        return rules.fault
    }

    private func fail(with fault: ChaosRules.Fault) {
        if fault == .stall { return stall() }
        isStalled = true
        afterFlush { $0.onFault(fault) }
    }

    /// Does something once all that was written has left this process; closing sooner would throw it away.
    private func afterFlush(_ body: @escaping @Sendable (ChaosDirection) -> Void) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let done = loop.makePromise(of: Void.self)
        done.futureResult.whenComplete { _ in body(bound.value) }
        destination.writeAndFlush(ByteBuffer(), promise: done)
    }

    private func wake(at due: NIODeadline) {
        guard timer == nil else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        timer = loop.scheduleTask(deadline: due) {
            bound.value.timer = nil
            bound.value.pump()
        }
    }

    private func readMore() {
        guard !isReading, !sourceHasEnded, source.isActive, queuedBytes < Self.queueLimit else { return }
        isReading = true
        source.read()
    }
}
