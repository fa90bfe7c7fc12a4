// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// The raw bytes of panes of a real tmux.
    @Suite(.enabled(if: TmuxBench.isInstalled, "needs tmux"), .timeLimit(.minutes(5)))
    struct PaneTapTests {
        /// What agents write of themselves, and what no attached client gets.
        static let states: [[UInt8]] = [
            Array("\u{1B}]7501;state=idle:app=codex\u{1B}\\".utf8),
            Array("\u{1B}]7501;state=blocked:kind=permission:msg=cm0gLXJm\u{07}\u{1B}]9;4;1;50\u{07}".utf8),
            Array("\u{1B}]777;notify;a;b\u{07}\u{1B}Ptmux;\u{1B}\u{1B}]9;x\u{07}\u{1B}\\".utf8),
            Array(0...255), Array("é日本🙂".utf8),
        ]

        @Test func `a reader gets what the program wrote, split anywhere`() async throws {
            try await TapBench.with { bench in
                let tap = bench.makeTap()
                var bytes = try await tap.bytes(of: bench.pane).makeAsyncIterator()
                var received = Received()
                var written: [UInt8] = []
                for state in Self.states {
                    for place in stride(from: 1, to: state.count, by: max(1, state.count / 3)) {
                        for part in [state[..<place], state[place...]] {
                            try await bench.write(Array(part))
                            written += part
                            try await bytes.read(into: &received) { $0.bytes.count >= written.count }
                        }
                    }
                }
                #expect(received.bytes == written && received.missing == 0 && received.unknownGaps == 0)
                await tap.shutdown()
                #expect(try await bytes.next() == nil)
            }
        }

        @Test func `readers and clients share one pipe, which goes with the last of them`() async throws {
            try await TapBench.with { bench in
                let taps = [bench.makeTap(), bench.makeTap()]
                var readers: [PaneBytes] = []
                for tap in taps { for _ in 0..<2 { readers.append(try await tap.bytes(of: bench.pane)) } }
                #expect(try bench.held().taps == 1)
                try await bench.write(Array("for all".utf8))
                for reader in readers {
                    var received = Received()
                    var bytes = reader.makeAsyncIterator()
                    try await bytes.read(into: &received) { $0.bytes.count >= 7 }
                    #expect(received.bytes == Array("for all".utf8))
                }
                readers.removeAll { reader in
                    reader.close()
                    return true
                }
                try await waitUntil { try await bench.pipe() == "0" }
                // It begins anew.
                var bytes = try await taps[0].bytes(of: bench.pane).makeAsyncIterator()
                try await bench.write(Array("again".utf8))
                var received = Received()
                try await bytes.read(into: &received) { $0.bytes.count >= 5 }
                #expect(received.bytes == Array("again".utf8))
                for tap in taps { await tap.shutdown() }
            }
        }

        @Test func `somebody's own pipe is left alone`() async throws {
            try await TapBench.with { bench in
                let file = "\(bench.tmux.socket).theirs"
                try await bench.tmux.ask("pipe-pane", "-t", bench.pane, "cat >\(file)")
                let tap = bench.makeTap()
                let error = await #expect(throws: KitError.self) { _ = try await tap.bytes(of: bench.pane) }
                #expect(error?.code == .paneTaken)
                try await bench.write(Array("theirs".utf8))
                try await waitUntil { try Data(contentsOf: URL(filePath: file)) == Data("theirs".utf8) }
                #expect(try bench.held().taps == 0)
                await tap.shutdown()
            }
        }

        @Test(arguments: [true, false])
        func `a pipe that somebody replaces or closes is not taken back`(replaces: Bool) async throws {
            try await TapBench.with { bench in
                let tap = bench.makeTap()
                var bytes = try await tap.bytes(of: bench.pane).makeAsyncIterator()
                try await bench.write(Array("mine".utf8))
                var received = Received()
                try await bytes.read(into: &received) { $0.bytes.count >= 4 }
                let file = "\(bench.tmux.socket).theirs"
                let theirs = replaces ? ["cat >\(file)"] : []
                _ = try await bench.tmux.tell(["pipe-pane", "-t", bench.pane] + theirs)
                let error = await #expect(throws: KitError.self) { _ = try await bytes.next() }
                #expect(error?.code == (replaces ? .paneTaken : .paneClosed))
                #expect(try await bench.pipe() == (replaces ? "1" : "0"))
                await tap.shutdown()
                #expect(try await bench.pipe() == (replaces ? "1" : "0"))
            }
        }

        @Test func `a flood is bounded on the host and in the reader, and what is missing is counted`() async throws {
            try await TapBench.with { bench in
                let tap = bench.makeTap()
                let reader = try await tap.bytes(of: bench.pane, bufferedBytes: 1 << 20)
                let line = Array("0123456789abcde\n".utf8)
                let size = 24 << 20
                let flood = Task {
                    try await bench.write(Array(repeatElement(line, count: size / line.count).joined()))
                }
                var received = Received()
                var bytes = reader.makeAsyncIterator()
                var most = 0
                while received.total < UInt64(size), let chunk = try await bytes.next() {
                    received.add(chunk)
                    // How much is missing is not known then, and the rest would never come.
                    try #require(received.unknownGaps == 0)
                    most = max(most, try bench.held().bytes)
                }
                try await flood.value
                #expect(received.total == UInt64(size) && received.unknownGaps == 0)
                // What came is in its place.
                #expect(received.bytes.suffix(16) == line[...])
                #expect(most <= 8 << 20)
                print(
                    "flood: \(received.bytes.count) bytes came, \(received.missing) told missing, at most \(most) kept"
                )
                await tap.shutdown()
            }
        }

        @Test func `a reader that stops holds up neither the pane nor the other readers`() async throws {
            try await TapBench.with { bench in
                let tap = bench.makeTap()
                let slow = try await tap.bytes(of: bench.pane, bufferedBytes: 64 << 10)
                var fast = try await tap.bytes(of: bench.pane).makeAsyncIterator()
                let block = [UInt8](repeating: 0x61, count: 1 << 20)
                try await bench.write(block)
                var received = Received()
                try await fast.read(into: &received) { $0.bytes.count >= block.count }
                #expect(received.bytes.count == block.count)
                var late = Received()
                var bytes = slow.makeAsyncIterator()
                try await bytes.read(into: &late) { $0.total >= UInt64(block.count) }
                #expect(late.total == UInt64(block.count) && late.missing > 0 && late.bytes.count <= 128 << 10)
                await tap.shutdown()
            }
        }

        @Test func `a pane that is killed ends it, after its last words`() async throws {
            try await TapBench.with { bench in
                let tap = bench.makeTap()
                let reader = try await tap.bytes(of: bench.pane)
                try await bench.write(Array("last words".utf8))
                // What tmux has not read yet dies with the pane.
                try await waitUntil {
                    try await bench.tmux.ask("capture-pane", "-p", "-t", bench.pane).contains("last words")
                }
                try await bench.tmux.ask("kill-pane", "-t", bench.pane)
                var received = Received()
                var bytes = reader.makeAsyncIterator()
                try await bytes.read(into: &received) { _ in false }
                #expect(received.bytes == Array("last words".utf8) && received.missing == 0)
                let error = await #expect(throws: KitError.self) { _ = try await tap.bytes(of: bench.pane) }
                #expect(error?.code == .noPane)
                await tap.shutdown()
            }
        }

        @Test func `a tap whose process is killed is started again, and the gap is told`() async throws {
            try await TapBench.with { bench in
                let tap = bench.makeTap()
                var bytes = try await tap.bytes(of: bench.pane).makeAsyncIterator()
                try await bench.write(Array("one".utf8))
                var received = Received()
                try await bytes.read(into: &received) { $0.bytes.count >= 3 }
                let folder = "\(bench.kit.folder)/run/taps"
                let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
                kill(try #require(pid_t(name.split(separator: ".").last ?? "")), SIGKILL)
                try await waitUntil {
                    try FileManager.default.contentsOfDirectory(atPath: folder).contains { $0 != name }
                }
                try await bench.write(Array("two".utf8))
                try await bytes.read(into: &received) { $0.bytes.count >= 6 }
                #expect(received.bytes == Array("onetwo".utf8) && received.unknownGaps == 1)
                await tap.shutdown()
            }
        }

        @Test func `without the kit, a pane, a tmux, or a tmux that tells, the reason is said`() async throws {
            try await TapBench.with { bench in
                let kit = HostKit(on: bench.host)
                for pane in ["%99", "a", "%", "%1;kill-server", ""] {
                    let error = await #expect(throws: KitError.self) { _ = try await bench.makeTap().bytes(of: pane) }
                    #expect(error?.code == .noPane, "\(pane)")
                }
                // An older tmux knows nothing of a pane's pipe; it leaves the word out.
                let bin = "\(bench.tmux.socket).bin"
                let old = "#!/bin/sh\nexec \(try #require(SystemProgram.path("tmux"))) \"$@\" | sed 's/ [01]$/ /'\n"
                try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
                try await SystemProgram.writeScript(old, to: "\(bin)/tmux")
                // A login shell sets the PATH itself.
                try "PATH=\(bin):$PATH\n".write(toFile: "\(bin)/.profile", atomically: true, encoding: .utf8)
                let home = bin
                let variables = ["HOME": home, "SHELL": "/bin/sh", "PATH": "/usr/bin:/bin"]
                let older = LocalHostSession(shell: "/bin/sh", homeDirectory: home, environment: variables)
                let tooOld = await #expect(throws: KitError.self) {
                    _ = try await bench.makeTap(on: older).bytes(of: bench.pane)
                }
                #expect(tooOld?.code == .tmuxTooOld)
                #expect(try await kit.remove() == [])
                let gone = await #expect(throws: KitError.self) { _ = try await bench.makeTap().bytes(of: bench.pane) }
                let never = PaneTap(on: bench.host, kit: try await kit.status(), server: bench.tmux.server)
                let none = await #expect(throws: KitError.self) { _ = try await never.bytes(of: bench.pane) }
                #expect(gone?.code == .failed && none?.code == .notInstalled)
                #expect(try await bench.pipe() == "0")
            }
        }
    }
}
