// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTesting
import Foundation
import RiffCore
import RiffScreen
import RiffTransport
import Testing

extension InTurn {
    /// The program itself, on a home that has hostile words in everything that an agent writes there.
    @Suite(.timeLimit(.minutes(5)), .enabled(if: DashLab.isInstalled, "sqlite3 is not installed"))
    struct HostileHomeTests {
        private static func withHome(_ body: (DashLab) async throws -> Void) async throws {
            try await DashLab.withHome { lab in
                let evil = HostileWords.sql
                let arguments = #"[{"id":"c","type":"function","function":{"name":\#(HostileWords.json),"arguments":"#
                let calls = arguments + JSONText.quoted(#"{"command":\#(HostileWords.json)}"#) + "}}]"
                let begin = DashLab.newest + 120
                // One without a title or a text is called by its id.
                try await lab.sql(
                    """
                    INSERT INTO sessions (id, source, model, started_at, title, message_count, tool_call_count, input_tokens)
                    VALUES (\(evil), \(evil), \(evil), \(begin), NULL, 0, 0, 5000000),
                      ('evil', \(evil), \(evil), \(begin) + 10, \(evil), 3, 900, 9000000);
                    INSERT INTO messages (session_id, role, content, tool_calls, tool_call_id, tool_name, timestamp) VALUES
                      ('evil', 'user', 'harmful ' || \(evil), NULL, NULL, NULL, \(begin) + 11),
                      ('evil', 'assistant', \(evil), CAST(x'\(JSONText.hex(calls))' AS TEXT), NULL, NULL, \(begin) + 12),
                      ('evil', 'tool', \(evil), NULL, 'c', \(evil), \(begin) + 13),
                      ('evil', \(evil), \(evil), NULL, NULL, NULL, \(begin) + 14);
                    """
                )
                try lab.append("2026-11-21 03:18:13,863 ERROR tools.\(HostileWords.text): \(HostileWords.text)\n")
                try await body(lab)
            }
        }

        @Test func `in a pipe, nothing of a home is for a terminal`() async throws {
            try await Self.withHome { lab in
                for arguments in [["sessions", "--all"], ["search", "harmful"], ["insights"], ["log"]] {
                    let ran = try await lab.output(arguments)
                    #expect(ran.exit == .exited(0), "\(arguments): \(ran.complaint)")
                    #expect(Array(ran.text.utf8).foreign(to: .pipe) == [], "\(arguments)")
                    #expect(Array(ran.complaint.utf8).foreign(to: .pipe) == [], "\(arguments)")
                    #expect(ran.text.contains(HostileWords.left), "\(arguments): \(ran.text)")
                }
            }
        }

        @Test func `on a terminal, nothing of a home is obeyed on any page`() async throws {
            try await Self.withHome { lab in
                let person = try await lab.start()
                func turns(_ keys: String, to page: String, showing words: String = "evil]52;c;aGk=") async throws {
                    try await person.type(keys)
                    try await person.waits(for: page) { screen in
                        screen.visibleText.contains(page) && screen.visibleText.contains(words)
                    }
                }
                try await turns("", to: "[1 Overview]")
                try await turns("2", to: "[2 Sessions]")
                try await turns("\r", to: "[2 Sessions]", showing: "harmful evil]52;c;aGk=")
                try await turns("\u{1B}", to: "Return reads  a")
                try await turns("4", to: "[4 Activity]")
                try await turns("5", to: "[5 Insights]", showing: "Models, by tokens")
                try await turns("6", to: "[6 Log]")
                try await turns("/harmful\r", to: "[3 Search]", showing: "harmful evil]52;c;aGk=")
                try await person.type("q")
                try await person.watchesTheEnd()
                #expect(person.written.foreign(to: .drawing) == [])
                #expect(person.events.isEmpty)
            }
        }
    }
}

private enum JSONText {
    static func quoted(_ text: String) -> String { String(decoding: JSONValue.string(text).bytes(), as: UTF8.self) }
    static func hex(_ text: String) -> String { text.utf8.map { String(format: "%02x", $0) }.joined() }
}
