// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// The log of each connection's events, with those who wait for them.
final class RawHTTPLog: Sendable {
    struct Entry: Sendable {
        var received: [UInt8] = []
        var step = -1
        var patternBytes = 0
        var isPatternSent = false
        var isClosed = false
    }

    private struct State {
        var entries: [Entry] = []
        var waiters = WaitList()
    }

    private let state = Mutex(State())

    var snapshot: [Entry] { state.withLock { $0.entries } }

    /// The number of a new connection.
    func open() -> Int { change { $0.append(Entry()) } - 1 }

    func update(_ connection: Int, _ body: (inout Entry) -> Void) { _ = change { body(&$0[connection]) } }

    /// Suspends until the condition holds.
    func wait(for isMet: @escaping @Sendable ([Entry]) -> Bool) async throws {
        try await state.wait(in: \.waiters) { !isMet($0.entries) }
    }

    private func change(_ body: (inout [Entry]) -> Void) -> Int {
        let (count, waiters) = state.withLock { state in
            body(&state.entries)
            return (state.entries.count, state.waiters.take())
        }
        waiters.wake()
        return count
    }
}
