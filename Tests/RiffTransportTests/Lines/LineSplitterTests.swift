// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

struct LineSplitterTests {
    private static let text = Array("one\r\n\nzwölf 漢字\n🎧 last".utf8)

    private static func lines(_ parts: [ArraySlice<UInt8>], limit: Int = 100) -> [LineSplitter.Line] {
        var splitter = LineSplitter(limitBytes: limit)
        var lines = parts.flatMap { splitter.push($0) }
        if let rest = splitter.finish() { lines.append(rest) }
        return lines
    }

    @Test(arguments: 0...text.count)
    func `lines are the same wherever the bytes are split`(place: Int) {
        let lines = Self.lines([Self.text[..<place], Self.text[place...]])
        #expect(lines.map(\.text) == ["one", "", "zwölf 漢字", "🎧 last"])
        #expect(lines.map(\.isComplete) == [true, true, true, false])
    }

    @Test(arguments: 8...14)
    func `a line that is too long comes in pieces, cut between characters`(limit: Int) {
        let line = "äöü漢字🎧🎧 end of it"
        let lines = Self.lines([Array(line.utf8)[...], [0x0A]], limit: limit)
        #expect(lines.map(\.text).joined() == line)
        #expect(lines.allSatisfy { $0.bytes.count <= limit })
        #expect(lines.map(\.isComplete) == Array(repeating: false, count: lines.count - 1) + [true])
    }

    @Test func `bytes that are no UTF-8 lose nothing around them`() {
        let bytes = [UInt8](repeating: 0x80, count: 20) + [0x0A, 0x41, 0x0A]
        let lines = Self.lines([bytes[...]], limit: 9)
        #expect(lines.flatMap(\.bytes) == [UInt8](repeating: 0x80, count: 20) + [0x41])
        #expect(lines.last?.text == "A")
    }
}

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
