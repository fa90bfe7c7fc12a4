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

extension RealServers {
    /// A pane that is kept on the host, read by clients that are cut off and by others that come after them.
    @Suite(.enabled(if: ThrowawaySSHServer.isInstalled && TmuxBench.isInstalled))
    struct PaneCutTests {
        /// What a pane writes.
        enum Source: Sendable, CustomTestStringConvertible {
            case lines(Int)
            case scene(String)

            var testDescription: String { "\(self)" }

            func bytes() throws -> [UInt8] {
                switch self {
                case .lines(let count): (0..<count).reduce(into: []) { $0 += Array("\($1): the number of it\r\n".utf8) }
                case .scene(let name): try Fixture.bytes("scenes/\(name)/pane.bin", of: "RiffAgentsTests")
                }
            }

            func size() throws -> TerminalSize {
                guard case .scene(let name) = self else { return .standard }
                let file = try Fixture.bytes("scenes/\(name)/scene.json", of: "RiffAgentsTests")
                let scene = try JSONValue(parsing: file)
                return TerminalSize(
                    columns: Int(try #require(scene["columns"]?.integer)),
                    rows: Int(try #require(scene["rows"]?.integer))
                )
            }
        }

        @Test(arguments: [(Source.lines(400_000), 120), (.scene("claude-slow"), 40), (.scene("codex-slow"), 40)])
        func `after each cut the bytes are the pane's, and the screen is tmux's`(source: Source, cuts: Int) async throws
        {
            let size = try source.size()
            let all = try source.bytes()
            var generator = SeededGenerator(seed: UInt64(all.count))
            try await TapBench.with { bench in
                try await bench.tmux.ask("resize-window", "-t", "a", "-x", "\(size.columns)", "-y", "\(size.rows)")
                try await SSHLab.with { lab in
                    let proxy = try await ChaosProxy.start(target: lab.server.port)
                    var configuration = try lab.configuration(port: proxy.port)
                    configuration.reconnect = ReconnectPolicy(delays: [.milliseconds(20)])
                    let host = lab.host(configuration)
                    let places = (0..<cuts).map { _ in Int.random(in: 0...all.count, using: &generator) }.sorted()
                    var tap = bench.makeTap(on: host)
                    let result: Result<Void, any Error>
                    do {
                        try await tap.keep("a")
                        var bytes = try await tap.resume(bench.pane, from: .oldest).makeAsyncIterator()
                        var received = Received()
                        var screen = Screen(size: size)
                        var written = 0
                        for place in places + [all.count] {
                            if place > written { try await bench.write(Array(all[written..<place])) }
                            written = place
                            // The cut comes anywhere in what is on its way.
                            let enough = UInt64.random(in: received.total...UInt64(written), using: &generator)
                            try await bytes.read(into: &received) { $0.total >= enough }
                            if Bool.random(using: &generator) {
                                try await proxy.resetAll()
                            } else {
                                let start = received.end.map { PaneStart.position($0) } ?? .oldest
                                await tap.shutdown()
                                tap = bench.makeTap(on: host)
                                bytes = try await tap.resume(
                                    bench.pane,
                                    from: start,
                                    isCompressed: Bool.random(using: &generator)
                                ).makeAsyncIterator()
                            }
                        }
                        try await bytes.read(into: &received) { $0.total >= UInt64(all.count) }
                        #expect(received.missing == 0 && received.unknownGaps == 0)
                        #expect(received.bytes == all)
                        screen.feed(received.bytes)
                        let shown = try await bench.tmux.ask("capture-pane", "-p", "-t", bench.pane)
                        #expect(Self.rows(screen.visibleText) == Self.rows(shown))
                        result = .success(())
                    } catch { result = .failure(error) }
                    await tap.shutdown()
                    await host.shutdown()
                    await proxy.stop()
                    try result.get()
                }
            }
        }

        /// Rows without the space at their ends, and without the empty ones above and below.
        private static func rows(_ text: String) -> [String] {
            var rows = text.split(separator: "\n", omittingEmptySubsequences: false).map { row in
                String(row.reversed().drop { $0 == " " }.reversed())
            }
            while rows.last?.isEmpty == true { rows.removeLast() }
            return Array(rows.drop { $0.isEmpty })
        }
    }
}
