// Riff
// SPDX-License-Identifier: Apache-2.0

/// Runs `body`, which must be done within a limit.
///
/// - Parameters:
///   - limit: How long it may take.
///   - what: What is waited for, for the failure.
///   - body: What is done; it is cancelled at the limit.
/// - Returns: What `body` returned.
/// - Throws: ``Failure`` past the limit; what `body` threw.
func within<Value: Sendable>(
    _ limit: Duration,
    _ what: String,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw Failure("\(what) did not come within \(limit.components.seconds) s.")
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}

/// The first state that meets a condition.
///
/// - Parameters:
///   - states: A sequence of states, as a link or a session gives it.
///   - what: What is waited for, for the failure.
///   - limit: How long to wait.
///   - condition: What the state must be.
/// - Returns: The state.
/// - Throws: ``Failure`` past the limit, or when the states end without it.
func firstState<State: Sendable>(
    of states: AsyncStream<State>,
    _ what: String,
    within limit: Duration = .seconds(30),
    where condition: @escaping @Sendable (State) -> Bool
) async throws -> State {
    try await within(limit, what) {
        for await state in states where condition(state) { return state }
        try Task.checkCancellation()
        throw Failure("\(what) did not come: there are no further states.")
    }
}

/// Fails unless a claim is true.
func check(_ claim: Bool, _ failure: @autoclosure () -> String) throws {
    guard claim else { throw Failure(failure()) }
}

extension Duration {
    /// For a person: milliseconds, or seconds with a decimal.
    var short: String {
        let milliseconds = Int((self / .milliseconds(1)).rounded())
        let tenths = (milliseconds + 50) / 100
        return milliseconds < 1000 ? "\(milliseconds) ms" : "\(tenths / 10).\(tenths % 10) s"
    }
}
