// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffTesting
import RiffVoice
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AudioHistoryTests {
    /// 10,000 take three minutes; `RIFF_AUDIO_HISTORIES` says how many.
    private static let rounds = ProcessInfo.processInfo.environment["RIFF_AUDIO_HISTORIES"].flatMap(Int.init) ?? 2_000

    /// V10, N13, N15: over everything that uses the audio of an app.
    @Test func `random histories: never two owners, never a capture without one, given back always`() async throws {
        let tally = Tally()
        // Some at once: each spends most of its time waiting for its own parts.
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 { group.addTask { await tally.live(stride(from: worker, to: Self.rounds, by: 4)) } }
        }
        #expect(tally.fault == nil)
        let all = tally.counts
        print("audio histories: \(all.sorted { $0.key < $1.key })")
        for what in ["activate", "deactivate", "capture", "sound", "call", "interrupted"] {
            #expect(all[what, default: 0] > Self.rounds / 10, "the test reaches what it is about: \(what)")
        }
    }
}

/// What many histories were.
private final class Tally: Sendable {
    private let state = Mutex((counts: [String: Int](), fault: String?.none))

    var counts: [String: Int] { state.withLock { $0.counts } }
    var fault: String? { state.withLock { $0.fault } }

    /// Lives histories, until one has a fault.
    func live(_ seeds: StrideTo<Int>) async {
        for seed in seeds where fault == nil {
            do {
                let platform = try await AudioHistory.lived(seed: UInt64(seed), steps: 14)
                state.withLock { state in
                    state.counts.merge(platform.counts) { $0 + $1 }
                    if let fault = platform.fault { state.fault = "history \(seed): \(fault)" }
                }
            } catch {
                state.withLock { $0.fault = "history \(seed): \(error)" }
            }
        }
    }
}
