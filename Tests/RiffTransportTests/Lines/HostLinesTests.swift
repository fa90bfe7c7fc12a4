// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(2)))
    struct HostLinesTests {
        @Test func `a command's lines come while it runs, and then how it ended`() async throws {
            let command = try ShellQuoting.join(["sh", "-c", #"printf 'a\nb'; echo trouble >&2; exit 3"#])
            let lines = try await LocalHostSession().lines(of: command)
            var found: [String] = []
            for try await line in lines { found.append(line.text) }
            #expect(found == ["a", "b"])
            #expect(try await lines.exitStatus() == .exited(3))
            #expect(try await lines.diagnostics() == "trouble\n")
            await lines.close()
        }

        @Test func `a flood of lines passes whole through a slow reader`() async throws {
            let command = try ShellQuoting.join(["sh", "-c", "seq 1 200000"])
            let lines = try await LocalHostSession().lines(of: command)
            var next = 1
            for try await line in lines {
                guard line.text == String(next) else { break }
                next += 1
                if next % 20_000 == 0 { await Task.yield() }
            }
            #expect(next == 200_001)
            await lines.close()
        }

        @Test func `the lines of a file`() async throws {
            let text = (1...30_000).map { "line \($0)\n" }.joined()
            let host = ScriptedHostSession(files: ["/log": Array(text.utf8)])
            var count = 0
            for try await line in host.lines(ofFile: "/log", from: 7) {
                count += 1
                guard line.text == "line \(count + 1)" else { break }
            }
            #expect(count == 29_999)
            let error = await #expect(throws: TransportError.self) {
                for try await _ in host.lines(ofFile: "/none") {}
            }
            #expect(error?.code == .fileNotFound)
        }
    }
}
