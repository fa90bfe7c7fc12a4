// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

private let queue = DispatchQueue(label: "riff.blocking", attributes: .concurrent)

/// Runs work that blocks, such as waits for a disk or a lock, on threads outside of the cooperative pool, and waits for
/// it whatever happens to the task. Work that belongs to one actor runs on that actor's ``BlockingExecutor``.
package func onBlockingThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    let outcome = EventualValue<Result<Value, any Error>>()
    queue.async { outcome.resolve(Result { try work() }) }
    return try await outcome.value().get()
}
