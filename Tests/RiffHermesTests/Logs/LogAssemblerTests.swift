// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import Testing

struct LogAssemblerTests {
    private static func entries(_ parts: [ArraySlice<UInt8>]) -> [LogEntry] {
        var assembler = LogAssembler()
        let entries = parts.flatMap { assembler.push($0) }
        return entries + assembler.finish()
    }

    private static let text = """
        a line of an entry that began before
        2026-11-21 03:19:07,420 INFO [20261121_031836_a3cbaa] agent.turn_context: conversation turn: 漢字 🎧
        2026-11-21 03:19:08,001 ERROR tools.shell: failed
        Traceback (most recent call last):
          File "x.py", line 1, in <module>

        ValueError: [oops] 2026-11-21 03:19:08
        2026-11-21 03:19:09 [WARNING] hermes_cli.plugins: from standard error
        2026-11-21 03:19:10,000 CRITICAL no logger here
        2026-11-21 03:19:11,000 INFO gateway.run:
        2026-11-21 03:19:12,000 DEBUG [not a session x: y
        """

    @Test(arguments: 0...text.utf8.count)
    func `entries are the same wherever the bytes are split`(place: Int) {
        let bytes = Array(Self.text.utf8)
        let entries = Self.entries([bytes[..<place], bytes[place...]])
        #expect(entries.count == 7)
        #expect(entries.map(\.id) == Array(0..<7))
        #expect(
            entries.map(\.level) == [nil, .info, .error, .warning, .critical, .info, .debug]
        )
        #expect(entries[1].message == "conversation turn: 漢字 🎧")
        #expect(entries[1].session == "20261121_031836_a3cbaa")
        #expect(entries[1].timestamp == "2026-11-21 03:19:07,420")
        #expect(
            entries[2].message
                == "failed\nTraceback (most recent call last):\n  File \"x.py\", line 1, in <module>\n\n"
                + "ValueError: [oops] 2026-11-21 03:19:08"
        )
        #expect(
            entries.map(\.logger) == [
                nil, "agent.turn_context", "tools.shell", "hermes_cli.plugins", nil, "gateway.run", nil,
            ]
        )
        #expect(entries.map(\.component) == [nil, "agent", "tools", "cli", nil, "gateway", nil])
        #expect(entries[4].message == "no logger here" && entries[5].message == "")
        #expect(entries[6].message == "[not a session x: y")
    }

    @Test func `real logs are read whole`() throws {
        for (name, count, graver) in [("agent", 48, 0), ("errors", 13, 13)] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(HomeLab.fixture)/logs/\(name).log"))
            let entries = Self.entries([Array(bytes)[...]])
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            #expect(entries.flatMap { $0.message.split(separator: "\n") }.count <= lines.count)
            #expect(entries.allSatisfy { $0.level != nil && $0.logger != nil })
            #expect(entries.count == lines.filter { $0.hasPrefix("2026-") }.count)
            #expect(entries.filter { ($0.level ?? .info) >= .warning }.count >= graver)
            #expect(entries.count >= count / 2)
        }
    }

    @Test func `what comes after a pause goes on with the entry before`() {
        var assembler = LogAssembler()
        #expect(assembler.push(Array("2026-11-21 03:19:07,420 ERROR [s] a.b: one\n  two\n".utf8)).isEmpty)
        #expect(assembler.holdsEntry)
        #expect(assembler.pause().map(\.message) == ["one\n  two"])
        #expect(assembler.pause().isEmpty && !assembler.holdsEntry)
        #expect(assembler.push(Array("  three\n  fo".utf8)).isEmpty)
        let late = assembler.pause()
        #expect(late.map(\.message) == ["  three"])
        #expect(late.first?.continuesPrevious == true && late.first?.session == "s" && late.first?.level == .error)
        // A line without its end is never given out by a pause.
        #expect(assembler.push(Array("ur\n".utf8)).isEmpty)
        #expect(assembler.finish().map(\.message) == ["  four"])
    }

    @Test func `an entry without an end comes in pieces, and memory is bounded`() {
        var assembler = LogAssembler()
        var entries = assembler.push(Array("2026-11-21 03:19:07,420 INFO a: start\n".utf8))
        let line = String(repeating: "é", count: 50_000) + "\n"
        for _ in 0..<20 { entries += assembler.push(Array(line.utf8)) }
        entries += assembler.push(Array(String(repeating: "x", count: 1_000_000).utf8))
        entries += assembler.finish()
        #expect(entries.allSatisfy { $0.message.utf8.count <= 2 * LogAssembler.entryBytes })
        #expect(entries.dropFirst().allSatisfy { $0.continuesPrevious })
        let written = entries.map(\.message).joined()
        let accents = written.count { $0 == "é" }
        let letters = written.count { $0 == "x" }
        #expect(accents == 1_000_000 && letters == 1_000_000)
    }

    @Test(
        arguments: [
            (LogFilter(), [0, 1, 2, 3]),
            (LogFilter(minimumLevel: .warning), [1, 3]),
            (LogFilter(components: ["agent", "cli"]), [0, 3]),
            (LogFilter(session: "s1"), [0]),
            (LogFilter(search: "TIRITH"), [1]),
            (LogFilter(search: "HERMES_cli"), [3]),
            (LogFilter(minimumLevel: .error, components: ["cli"], search: "boom"), [3]),
            (LogFilter(minimumLevel: .critical), []),
        ] as [(LogFilter, [Int])]
    )
    func `filters by level, component, session and text`(filter: LogFilter, expected: [Int]) {
        let text = """
            2026-11-21 03:19:07,420 INFO [s1] agent.turn: hello
            2026-11-21 03:19:07,421 WARNING [s2] tools.tirith_security: tirith spawn failed
            2026-11-21 03:19:07,422 INFO gateway.run: fine
            2026-11-21 03:19:07,423 ERROR hermes_cli.plugins: boom
            """
        let entries = Self.entries([Array(text.utf8)[...]])
        #expect(entries.indices.filter { filter.matches(entries[$0]) } == expected)
    }

    @Test func `empty lines are counted, and no entry grows without bound`() {
        let first = Array("2026-11-21 03:19:08,001 INFO tools.shell: x\n".utf8)
        let entries = Self.entries([first[...], [UInt8](repeating: 0x0A, count: 4 * LogAssembler.entryBytes)[...]])
        #expect(entries.count >= 4)
        #expect(entries.allSatisfy { $0.message.utf8.count <= LogAssembler.entryBytes + 1 })
    }
}
