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
        let counts = Mutex<[String: Int]>([:])
        let firstFault = Mutex<String?>(nil)
        // Some at once: each spends most of its time waiting for its own parts.
        await withTaskGroup { group in
            for worker in 0..<4 {
                group.addTask {
                    for seed in stride(from: worker, to: 10_000, by: 4) where firstFault.withLock({ $0 == nil }) {
                        do {
                            let state = try await AudioHistory.lived(seed: UInt64(seed), steps: 14)
                            counts.withLock { $0.merge(state.counts) { $0 + $1 } }
                            if let fault = state.fault { firstFault.withLock { $0 = "history \(seed): \(fault)" } }
                        } catch {
                            firstFault.withLock { $0 = "history \(seed): \(error)" }
                        }
                    }
                }
            }
        }
        #expect(firstFault.withLock { $0 } == nil)
        let all = counts.withLock { $0 }
        print("audio histories: \(all.sorted { $0.key < $1.key })")
        for what in ["activate", "deactivate", "capture", "sound", "call", "interrupted"] {
            #expect(all[what, default: 0] > 1_000, "the test reaches what it is about: \(what)")
        }
    }
}
