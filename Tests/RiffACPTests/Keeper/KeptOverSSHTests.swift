// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffACP
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// Agents under the keeper, over a real SSH connection that breaks.
    @Suite(
        .enabled(if: KeeperHome.isPossible && ThrowawaySSHServer.isInstalled, "sshd, tmux or python3 is missing"),
        .timeLimit(.minutes(30))
    )
    struct KeptOverSSHTests {
        /// How often the connection is cut in a running turn: 200 for the full show.
        static let cuts = ProcessInfo.processInfo.environment["RIFF_ACP_CUTS"].flatMap(Int.init) ?? 10
        static let seed = ProcessInfo.processInfo.environment["RIFF_CUT_SEED"].flatMap(UInt64.init) ?? 42

        @Test func `a turn goes on through cuts, with every update once and its question still open`() async throws {
            var generator = SeededGenerator(seed: Self.seed)
            // The first connection is cut by hand when the turn runs; what comes after the others stays.
            let rules = [ChaosRules()] + (1..<max(Self.cuts, 2)).map { Self.cut($0, &generator) }
            try await KeeperLab.with(rules: { $0 < rules.count ? rules[$0] : ChaosRules() }) { lab in
                let turn = KeptTurn(keeper: lab.keeper, command: try KeeperHome.command)
                let (updates, requests) = try await turn.run(interval: 5) {
                    try await lab.proxy.cutAll()
                } until: {
                    // It need not wait for the next attempt.
                    await lab.host.link.pathChanged()
                    return lab.proxy.counters.connections > Self.cuts
                }
                print("\(Self.cuts) cuts: \(updates) updates and \(requests) requests, each once")
            }
        }

        @Test func `two clients on connections of their own see one question, and one answer counts`() async throws {
            // Each connection is cut once in the meantime.
            let rules: @Sendable (Int) -> ChaosRules = { number in
                number < 2 ? .fault(.cut, afterBytesToClient: 12_000) : ChaosRules()
            }
            try await KeeperLab.with(rules: rules) { lab in
                try await KeptPair(first: lab.keeper, second: lab.otherKeeper, command: KeeperHome.command).run()
            }
        }

        /// A cut or a reset, after some bytes of either direction: in the handshake, at an attachment, or in the
        /// stream.
        private static func cut(_ number: Int, _ generator: inout SeededGenerator) -> ChaosRules {
            let fault: ChaosRules.Fault = number % 2 == 0 ? .cut : .reset
            guard number % 4 != 3 else {
                return .fault(fault, afterBytesToTarget: Int.random(in: 1000...8000, using: &generator))
            }
            return .fault(fault, afterBytesToClient: Int.random(in: 1000...150_000, using: &generator))
        }
    }
}
