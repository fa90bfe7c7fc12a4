// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RiffTesting
import RiffTransport

/// Works in eight sessions at once over a network that breaks all the time, and checks what the SDK promises.
@main
struct RiffSoak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "riff-soak",
        abstract:
            "Random work in eight sessions over a bad network: nothing lost, nothing doubled, nothing left behind.",
        discussion: "Exit 0: everything held. `scripts/soak` builds what this needs and starts it."
    )

    @Option(help: "How long the work goes on.")
    var seconds = 120

    @Option(help: "What is done and what breaks; the same number plans the same. What meets what is up to the machine.")
    var seed: UInt64?

    func run() async throws {
        let seed = seed ?? UInt64.random(in: 0...999_999)
        print("seed \(seed), \(seconds) s")
        let work = Task { try await Self.work(seed: seed, seconds: seconds) }
        let signals = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { work.cancel() }
            source.resume()
            return source
        }
        let checks = try await work.value
        for source in signals { source.cancel() }
        print(checks.lines.joined(separator: "\n"))
        print(checks.isPassed ? "everything held; seed \(seed)" : "something did not hold; seed \(seed)")
        if !checks.isPassed { throw ExitCode.failure }
    }

    private static func work(seed: UInt64, seconds: Int) async throws -> Checks {
        let site = try await SoakSite.open(seed: seed)
        do {
            // What a process makes once (threads, event loops) is made by a first run.
            var warmUp = try Soak("first", site, seed: seed, checks: Checks())
            await warmUp.run(for: .seconds(min(5, seconds)))
            guard warmUp.checks.isPassed else {
                await site.close()
                return warmUp.checks
            }
            try await Leftovers.endSessions(of: site)
            let before = try await Leftovers(site, warmUp.host)
            var soak = try Soak("work", site, seed: seed &+ 1, checks: warmUp.checks)
            await soak.run(for: .seconds(seconds))
            let checks = try await Leftovers.compare(soak, with: before, on: site)
            await site.close()
            return checks
        } catch {
            await site.close()
            throw error
        }
    }
}
