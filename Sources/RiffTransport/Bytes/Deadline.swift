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
