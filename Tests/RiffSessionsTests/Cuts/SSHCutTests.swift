// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// Connections to a real sshd that are cut, reset or left half-open after any byte: 210 of them, thirty in each
    /// phase. None hangs, each says why it ended, once, and leaves nothing behind.
    @Suite struct SSHCutTests {
        /// Half-open connections wait for their limits: enough at once that these waits cover each other.
        private static let atOnce = 12

        @Test(arguments: CutPhase.allCases)
        func `a connection that is lost ends everything of it, once, with a reason`(phase: CutPhase) async throws {
            var options = ThrowawaySSHServer.Options()
            options.maxStartups = "100"
            options.extraLines = try await Self.withoutPenalties()
            try await SSHLab.with(options) { lab in
                let folder = "\((lab.server as? ThrowawaySSHServer)?.folder ?? "/tmp")/files"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
                // Once without a cut, to know which bytes are the phase's.
                let whole = try await CutRun.run(phase, in: lab, folder: folder)
                #expect(whole.problems == [] && whole.isDialed && (phase.isDial || whole.isReady))
                let cuts = Cut.all(in: phase, try await Self.span(of: phase, whole, lab))
                var hits = 0
                try await withThrowingTaskGroup(of: (Cut, CutRun.Report).self) { group in
                    var rest = cuts[...]
                    func next() {
                        guard let cut = rest.popFirst() else { return }
                        group.addTask { (cut, try await CutRun.run(phase, cut, in: lab, folder: folder)) }
                    }
                    for _ in 0..<Self.atOnce { next() }
                    while let (cut, report) = try await group.next() {
                        for problem in report.problems { Issue.record("\(cut): \(problem)") }
                        let wasInPhase = phase.isDial ? !report.isDialed : report.isReady
                        if wasInPhase, cut.hasHappened(report.ended) { hits += 1 }
                        next()
                    }
                }
                // A few may miss: how much passes is not the same each time, and on a slow machine limits may come
                // first.
                #expect(hits >= cuts.count * 2 / 3, "of \(cuts.count) cuts \(hits) were in \(phase) (seed \(Cut.seed))")
                try Self.expectWholeFiles(in: folder)
            }
        }

        /// Where the phase's bytes are, by a connection that was not cut.
        private static func span(of phase: CutPhase, _ whole: CutRun.Report, _ lab: SSHLab) async throws -> Cut.Span {
            func span(_ start: ChaosProxy.Counters, _ end: ChaosProxy.Counters) -> Cut.Span {
                Cut.Span(
                    toHost: start.bytesToTarget..<max(end.bytesToTarget, start.bytesToTarget + 1),
                    toClient: start.bytesToClient..<max(end.bytesToClient, start.bytesToClient + 1)
                )
            }
            switch phase {
            case .banner: return span(ChaosProxy.Counters(), try await banners(lab))
            case .keyExchange: return span(try await banners(lab), whole.trusted)
            case .authentication: return span(whole.trusted, whole.dialed)
            case .channelOpen, .terminal, .command, .fileTransfer: return span(whole.ready, whole.ended)
            }
        }

        /// How long the two sides' first lines are.
        private static func banners(_ lab: SSHLab) async throws -> ChaosProxy.Counters {
            var counters = ChaosProxy.Counters()
            let client = try LoopbackClient(port: lab.server.port)
            repeat { counters.bytesToClient += 1 } while try await client.read(1) != [10]
            // Ours is all that passes until the server's has come.
            let proxy = try await ChaosProxy.start(
                target: lab.server.port,
                rules: .fault(.stall, afterBytesToClient: 1)
            )
            let host = try lab.host(port: proxy.port)
            let dial = Task { try await host.link.connect() }
            try await proxy.waitUntil { $0.bytesToTarget > 0 && $0.bytesToClient > 0 }
            counters.bytesToTarget = proxy.counters.bytesToTarget
            await host.shutdown()
            _ = await dial.result
            await proxy.stop()
            return counters
        }

        /// A file is whole or not there; what was being written lies beside it under another name.
        private static func expectWholeFiles(in folder: String) throws {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) where !name.hasPrefix(".riff-") {
                let size = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.size] as? Int
                #expect(size == CutPhase.fileBytes, "\(name) is there in part")
            }
        }

        /// OpenSSH 9.8 and later turn away who leaves too often before it is let in, and this does nothing else.
        private static func withoutPenalties() async throws -> [String] {
            // "OpenSSH_9.2p1 Debian-2, ..."
            let words = try await SystemProgram.run("ssh", ["-V"]).output
            let number = words.trimmingPrefix("OpenSSH_").prefix { $0.isNumber || $0 == "." }
            let version = number.split(separator: ".").compactMap { Int($0) }
            return version.lexicographicallyPrecedes([9, 8]) ? [] : ["PerSourcePenalties no"]
        }
    }
}
