// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// Panes of a host whose connection is lost.
    @Suite(.enabled(if: ThrowawaySSHServer.isInstalled && TmuxBench.isInstalled))
    struct PaneTapOverSSHTests {
        private static func with(_ body: (TapBench, SSHHost, ChaosProxy) async throws -> Void) async throws {
            try await TapBench.with { bench in
                try await SSHLab.with { lab in
                    let proxy = try await ChaosProxy.start(target: lab.server.port)
                    var configuration = try lab.configuration(port: proxy.port)
                    configuration.reconnect = ReconnectPolicy(delays: [.milliseconds(50)])
                    let host = lab.host(configuration)
                    let result: Result<Void, any Error>
                    do { result = .success(try await body(bench, host, proxy)) } catch { result = .failure(error) }
                    await host.shutdown()
                    await proxy.stop()
                    try result.get()
                }
            }
        }

        @Test func `a reader goes on where it was, each time that the connection is cut`() async throws {
            try await Self.with { bench, host, proxy in
                let tap = bench.makeTap(on: host)
                var bytes = try await tap.bytes(of: bench.pane).makeAsyncIterator()
                var received = Received()
                var written: [UInt8] = []
                for number in 0..<5 {
                    let before = Array("\u{1B}]7501;state=working:n=\(number)\u{1B}\\".utf8)
                    try await bench.write(before)
                    written += before
                    try await bytes.read(into: &received) { $0.bytes.count >= written.count }
                    try await proxy.resetAll()
                    // Nobody reads it at the moment.
                    let after = Array("away \(number);".utf8)
                    try await bench.write(after)
                    written += after
                    try await bytes.read(into: &received) { $0.bytes.count >= written.count }
                }
                #expect(received.bytes == written && received.missing == 0 && received.unknownGaps == 0)
                #expect(try bench.held().taps == 1)
                await tap.shutdown()
                try await waitUntil { try await bench.pipe() == "0" }
            }
        }

        @Test func `a pane that ends while the connection is lost gives its last words`() async throws {
            try await Self.with { bench, host, proxy in
                let tap = bench.makeTap(on: host)
                let reader = try await tap.bytes(of: bench.pane)
                try await proxy.resetAll()
                try await bench.write(Array("goodbye".utf8))
                // What tmux has not read yet dies with the pane.
                try await waitUntil {
                    try await bench.tmux.ask("capture-pane", "-p", "-t", bench.pane).contains("goodbye")
                }
                try await bench.tmux.ask("kill-pane", "-t", bench.pane)
                var received = Received()
                var bytes = reader.makeAsyncIterator()
                try await bytes.read(into: &received) { _ in false }
                #expect(received.bytes == Array("goodbye".utf8) && received.missing == 0)
                await tap.shutdown()
            }
        }
    }
}
