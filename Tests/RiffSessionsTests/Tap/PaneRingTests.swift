// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffScreen
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// Panes whose bytes the host keeps while nobody reads them.
    @Suite(.enabled(if: TmuxBench.isInstalled, "needs tmux"), .timeLimit(.minutes(5)))
    struct PaneRingTests {
        private static func lines(_ range: Range<Int>) -> [UInt8] {
            range.reduce(into: []) { $0 += Array("\($1): the line with its number\r\n".utf8) }
        }

        @Test(arguments: [false, true])
        func `what was written while nobody read comes to a client of another life`(isCompressed: Bool) async throws {
            try await TapBench.with { bench in
                let first = bench.makeTap()
                try await first.keep("a")
                var received = Received()
                var bytes = try await first.resume(bench.pane, from: .oldest).makeAsyncIterator()
                try await bench.write(Self.lines(0..<100))
                try await bytes.read(into: &received) { $0.bytes.count >= Self.lines(0..<100).count }
                let position = try #require(received.end)
                await first.shutdown()
                #expect(try await bench.pipe() == "1")
                try await bench.write(Self.lines(100..<20_000))
                let data = try JSONEncoder().encode(position)
                let kept = try JSONDecoder().decode(PanePosition.self, from: data)
                let second = bench.makeTap()
                bytes = try await second.resume(bench.pane, from: .position(kept), isCompressed: isCompressed)
                    .makeAsyncIterator()
                try await bytes.read(into: &received) { $0.bytes.count >= Self.lines(0..<20_000).count }
                // And then what is written now.
                try await bench.write(Self.lines(20_000..<20_010))
                try await bytes.read(into: &received) { $0.bytes.count >= Self.lines(0..<20_010).count }
                #expect(received.bytes == Self.lines(0..<20_010) && received.missing == 0 && received.unknownGaps == 0)
                var live = try await second.resume(bench.pane, from: .newest).makeAsyncIterator()
                try await bench.write(Array("now".utf8))
                var newest = Received()
                try await live.read(into: &newest) { $0.bytes.count >= 3 }
                #expect(newest.bytes == Array("now".utf8))
                await second.shutdown()
                #expect(try await bench.pipe() == "1")
            }
        }

        @Test func `an absence longer than what is kept tells how many bytes are missing`() async throws {
            try await TapBench.with { bench in
                let tap = bench.makeTap()
                try await tap.keep("a")
                var received = Received()
                var bytes = try await tap.resume(bench.pane, from: .oldest).makeAsyncIterator()
                try await bench.write(Array("before\r\n".utf8))
                try await bytes.read(into: &received) { $0.bytes.count >= 8 }
                let position = try #require(received.end)
                await tap.shutdown()
                let all = Self.lines(0..<350_000)
                #expect(all.count > 10_000_000)
                try await bench.write(all)
                let later = bench.makeTap()
                bytes = try await later.resume(bench.pane, from: .position(position)).makeAsyncIterator()
                try await bytes.read(into: &received) { $0.total >= UInt64(8 + all.count) }
                #expect(received.total == UInt64(8 + all.count) && received.unknownGaps == 0)
                let kept = received.bytes.count - 8
                #expect(kept >= 3 << 20 && kept < 6 << 20 && received.bytes.suffix(kept) == all.suffix(kept))
                #expect(try bench.held().bytes < 7 << 20)
                await later.shutdown()
            }
        }

        @Test func `what is erased is gone at once, and it goes on`() async throws {
            try await TapBench.with { bench in
                let tap = bench.makeTap()
                try await tap.keep("a")
                var received = Received()
                var bytes = try await tap.resume(bench.pane, from: .oldest).makeAsyncIterator()
                try await bench.write(Array("secret\r\n".utf8))
                try await bytes.read(into: &received) { $0.bytes.count >= 8 }
                try await tap.erase("a")
                let (status, found) = try await SystemProgram.run("grep", ["-rl", "secret", "\(bench.kit.folder)/run"])
                #expect(status == 1, "\(found)")
                #expect(try bench.held().taps == 1)
                try await bench.write(Array("after\r\n".utf8))
                try await bytes.read(into: &received) { $0.bytes.count >= 15 }
                #expect(received.unknownGaps == 1 && received.bytes.suffix(7) == Array("after\r\n".utf8)[...])
                await tap.shutdown()
                #expect(try await bench.pipe() == "1")
            }
        }

        @Test func `nothing is left of it after the session's end`() async throws {
            try await TapBench.with { bench in
                let tap = bench.makeTap()
                try await tap.keep("a")
                try await bench.write(Array("words".utf8))
                try await bench.tmux.ask("kill-session", "-t", "a")
                try await waitUntil { try bench.held().taps == 0 }
                await tap.shutdown()
            }
        }

        @Test(.enabled(if: SystemProgram.path("prlimit") != nil, "needs prlimit"))
        func `a full disk ends it, and is told`() async throws {
            try await TapBench.with { bench in
                let tap = bench.makeTap()
                try await tap.keep("a")
                var bytes = try await tap.resume(bench.pane, from: .oldest).makeAsyncIterator()
                try await bench.write(Array("fits".utf8))
                var received = Received()
                try await bytes.read(into: &received) { $0.bytes.count >= 4 }
                let taps = "\(bench.kit.folder)/run/taps"
                let name = try #require(try FileManager.default.contentsOfDirectory(atPath: taps).first)
                // As on a full disk, what it writes fails from some byte on.
                let pump = try #require(name.split(separator: ".").last)
                let (status, output) = try await SystemProgram.run(
                    "prlimit",
                    ["--fsize=100000", "--pid", String(pump)]
                )
                #expect(status == 0, "\(output)")
                let flood = Task { try await bench.write(Self.lines(0..<50_000)) }
                let error = await #expect(throws: KitError.self) {
                    while let chunk = try await bytes.next() { received.add(chunk) }
                }
                #expect(error?.code == .hostFull)
                // The pane goes on.
                try await flood.value
                #expect(try await bench.pipe() == "0")
                await tap.shutdown()
            }
        }

        @Test func `a kit of before says that it is too old`() async throws {
            try await TapBench.with { bench in
                let output = "folder \(bench.kit.folder)\nstate installed\npart tap 1 intact 1 bin/riff-tap.sh\n"
                let tap = PaneTap(
                    on: bench.host,
                    kit: try #require(HostKitStatus(output: output)),
                    server: bench.tmux.server
                )
                let error = await #expect(throws: KitError.self) { try await tap.keep("a") }
                #expect(error?.code == .outdated)
                let none = await #expect(throws: KitError.self) { try await bench.makeTap().keep("absent") }
                #expect(none?.code == .noPane)
                await tap.shutdown()
            }
        }
    }
}
