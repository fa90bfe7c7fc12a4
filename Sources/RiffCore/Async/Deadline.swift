// Riff
// SPDX-License-Identifier: Apache-2.0

/// A piece of work took longer than it may.
package struct DeadlineExceeded: Error {
    package init() {}
}

/// Runs work that must end in time; past the limit it is cancelled, waited for, and ``DeadlineExceeded`` is thrown.
package func withDeadline<Value: Sendable>(
    _ limit: Duration,
    clock: any Clock<Duration>,
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await work() }
        group.addTask {
            try await clock.sleep(for: limit)
            throw DeadlineExceeded()
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}

/// Runs work of others, which may not notice that it is cancelled: past the limit, or once the calling task is
/// cancelled, it is cancelled and left behind, and what it brings later is dropped.
///
/// - Parameters:
///   - limit: How long it may take; `nil` for as long as it likes.
///   - clock: What counts the time.
///   - work: The work.
/// - Returns: What the work gave.
/// - Throws: ``DeadlineExceeded`` past the limit, `CancellationError` when the calling task is cancelled, or the work's
///   own error.
package func withDeadline<Value: Sendable>(
    _ limit: Duration?,
    clock: any Clock<Duration>,
    abandoning work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let first = EventualValue<Result<Value, any Error>>()
    let working = Task {
        do { first.resolve(.success(try await work())) } catch { first.resolve(.failure(error)) }
    }
    let timing = limit.map { limit in
        Task {
            guard (try? await clock.sleep(for: limit)) != nil else { return }
            first.resolve(.failure(DeadlineExceeded()))
        }
    }
    defer {
        working.cancel()
        timing?.cancel()
    }
    return try await first.cancellableValue().get()
}
