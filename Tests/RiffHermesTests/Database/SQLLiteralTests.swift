// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffHermes
import RiffTesting
import TestSupport
import Testing

@Suite(.enabled(if: HermesLab.isInstalled, "sqlite3 or python3 is missing"), .timeLimit(.minutes(2)))
struct SQLLiteralTests {
    static let values: [SQLValue] = [
        .null, .integer(0), .integer(.min), .integer(.max), .integer(-1), .real(0), .real(-0.5), .real(1e300), .real(2),
        .real(1_795_231_111.121_749_4), .real(0.1), .real(-1e-9), .text(""), .text("it's"), .text("a\nb\u{0}c"),
        .text("; .quit"), .text("日本語 \u{1B}[31m"), .text("'; DROP TABLE messages; --"), .blob([]),
        .blob([0, 0xFF, 0x27]), .text("'\u{301}; DROP TABLE messages; --"), .text("\u{301}it'\u{308}s ?\u{301}"),
    ]

    @Test(arguments: values)
    func `the program reads back what was written, and prints it so that it can be read again`(value: SQLValue)
        async throws
    {
        let query = SQLQuery("SELECT ?, '?', typeof(?)", [value, value], columns: 3)
        let literal = SQLLiteral.render(query)
        #expect(!literal.utf8.contains { $0 < 0x20 })
        let statement = HostRows.printing(query)
        let printed = try await HermesLab.output(of: "sqlite3", ["-batch", ":memory:", statement])
        var rows = HostRows(columns: 3, end: "n.1", limits: HermesDatabase.Limits())
        let answer = try #require(
            try rows.feed(Array((printed + (printed.hasSuffix("\n") ? "" : "\n") + "En.1\n").utf8))
        )
        let row = try #require(answer.rows.first)
        #expect(row[0] == value)
        #expect(row[1] == .text("?"))
    }

    @Test func `marks with an accent behind them are escaped for MATCH and LIKE, too`() {
        let match = HermesMatch("a\"\u{301} 100%\u{301}_\u{301}")
        // Byte by byte, since texts are equal by characters.
        let expression = "\"a\"\"\u{301}\" \"100%\u{301}_\u{301}\""
        #expect(match.expression.map { Array($0.utf8) } == Array(expression.utf8))
        let pattern = "%100\\%\u{301}\\_\u{301}%"
        #expect(match.patterns.last.map { Array($0.utf8) } == Array(pattern.utf8))
    }
}
