// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

extension ChaosProxy {
    /// What has passed a proxy since its start.
    public struct Counters: Sendable, Hashable {
        /// Connections accepted.
        public var connections = 0
        /// Connections open now.
        public var openConnections = 0
        /// Bytes passed on to the target.
        public var bytesToTarget = 0
        /// Bytes passed on to those who dialled.
        public var bytesToClient = 0
        /// Bytes read and thrown away, by a fault.
        public var bytesLost = 0

        /// Nothing has passed.
        public init() {}
    }
}

/// The counters, and who waits for them to reach something.
final class ChaosLedger: Sendable {
    private struct Waiter {
        let condition: @Sendable (ChaosProxy.Counters) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var counters = ChaosProxy.Counters()
        var waiters: [UInt64: Waiter] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Mutex(State())

    var counters: ChaosProxy.Counters { state.withLock { $0.counters } }

    @discardableResult
    func change<Result: Sendable>(_ body: (inout ChaosProxy.Counters) -> Result) -> Result {
        let (result, ready) = state.withLock { state in
            let result = body(&state.counters)
            let done = state.waiters.filter { $0.value.condition(state.counters) }
            for id in done.keys { state.waiters[id] = nil }
            return (result, done.values.map(\.continuation))
        }
        for continuation in ready { continuation.resume() }
        return result
    }

    func waitUntil(_ condition: @escaping @Sendable (ChaosProxy.Counters) -> Bool) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard !condition(state.counters), !Task.isCancelled else { return false }
                    state.waiters[id] = Waiter(condition: condition, continuation: continuation)
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
        }
        try Task.checkCancellation()
    }
}
