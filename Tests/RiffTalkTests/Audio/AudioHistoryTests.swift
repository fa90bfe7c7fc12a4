// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTesting
import RiffVoice
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AudioHistoryTests {
    /// V10, N13, N15: over everything that uses the audio of an app.
    @Test func `10,000 histories: never two owners, never a capture without one, given back always`() async throws {
        var counts: [String: Int] = [:]
        for seed in 0..<10_000 {
            let history = try AudioHistory(seed: UInt64(seed))
            try await history.live(for: 14)
            let state = history.platform.state.withLock { $0 }
            counts.merge(state.counts) { $0 + $1 }
            guard state.faults.isEmpty, !state.isActive, !state.isCalls, state.captures == 0, state.sounds == 0 else {
                Issue.record(
                    "history \(seed): \(state.faults) active \(state.isActive) \(state.captures) \(state.sounds)"
                )
                return
            }
        }
        print("audio histories: \(counts.sorted { $0.key < $1.key })")
        for what in ["activate", "deactivate", "capture", "sound", "call", "interrupted"] {
            #expect(counts[what, default: 0] > 1_000, "the test reaches what it is about: \(what)")
        }
    }
}
