// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

extension ChaosProxy {
    /// The counts of the data that passed a proxy since its start.
    public struct Counters: Sendable, Hashable {
        /// Connections accepted.
        public var connections = 0
        /// Connections open now.
        public var openConnections = 0
        /// Bytes passed on to the target.
        public var bytesToTarget = 0
        /// Bytes passed on to those who dialed.
        public var bytesToClient = 0
        /// Bytes read and thrown away, by a fault.
        public var bytesLost = 0

        /// Nothing has passed.
        public init() {}
    }
}

/// The counters, and who waits for them to reach something.
final class ChaosLedger: Sendable {
    private struct State {
        var counters = ChaosProxy.Counters()
        var waiters = WaitList()
    }

    private let state = Mutex(State())

    var counters: ChaosProxy.Counters { state.withLock { $0.counters } }

    @discardableResult
    func change<Result: Sendable>(_ body: (inout ChaosProxy.Counters) -> Result) -> Result {
        let (result, waiters) = state.withLock { state in (body(&state.counters), state.waiters.take()) }
        waiters.wake()
        return result
    }

    func waitUntil(_ condition: @escaping @Sendable (ChaosProxy.Counters) -> Bool) async throws {
        try await state.wait(in: \.waiters) { !condition($0.counters) }
    }
}
