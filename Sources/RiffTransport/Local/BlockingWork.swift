// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOPosix
internal import RiffCore

/// Runs work that blocks, on threads made for that instead of the cooperative pool's, and waits for it whatever happens
/// to the task.
func onBlockingThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    let outcome = EventualValue<Result<Value, any Error>>()
    NIOThreadPool.singleton.submit { state in
        outcome.resolve(Result { state == .active ? try work() : try refuse() })
    }
    return try await outcome.value().get()
}

private func refuse<Value>() throws -> Value {
    throw TransportError(.closed, "This process is ending; no more work is taken.")
}
