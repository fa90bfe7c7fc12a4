// Riff
// SPDX-License-Identifier: Apache-2.0

/// Waits for a condition that nothing announces.
///
/// The condition is read again after each turn of the other tasks, at first; later once a millisecond, so that waiting
/// takes no processor from what is waited for.
package func waitUntil(_ condition: () async throws -> Bool) async throws {
    for _ in 0..<100 {
        if try await condition() { return }
        await Task.yield()
    }
    while try await !condition() { try await ContinuousClock().sleep(for: .milliseconds(1)) }
}
