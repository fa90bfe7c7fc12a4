// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTesting
import Foundation
import RiffCore
import RiffHermes
import RiffScreen
import RiffTesting
import RiffTransport
import Testing

/// The suites of this target that use programs, sockets or real time, one after another.
@Suite(.serialized) enum InTurn {}

extension InTurn {
    /// The program itself under a real terminal, on a home that the test makes, changes and compares.
    @Suite(.timeLimit(.minutes(5)), .enabled(if: DashLab.isInstalled, "sqlite3 is not installed"))
    struct HermesDashProgramTests {
        @Test func `sessions are listed and read, what is new shows by itself, and nothing is written`() async throws {
            try await DashLab.withHome { lab in
                let before = try lab.bytes()
                let person = try await lab.start()
                try await person.sees("73 sessions · 6 messages")
                try await person.sees("terminal          grep -n comma parser.py")
                try await person.type("2")
                try await person.sees("Mend the parser")
                // A frame may come in two pieces.
                try await person.sees("Does it rain in Oslo?")
                #expect(!person.screen.visibleText.contains("A small errand"))
                try await person.type("a")
                try await person.sees("A small errand")
                try await person.type("a")
                // The list is read anew: keys before it is there have nothing to move in.
                try await person.waits(for: "the list without archived sessions") { screen in
                    let text = screen.visibleText
                    return text.contains("Mend the parser") && !text.contains("A small errand")
                }
                // Page by page to the end of the list, far behind what is read first.
                // A page that is not there yet has nothing to turn to, so it is turned until the end is seen.
                let terminal = person.terminal
                let paging = Task {
                    while true {
                        try await terminal.write([0x20])
                        try await ContinuousClock().sleep(for: .milliseconds(150))
                    }
                }
                defer { paging.cancel() }
                try await person.sees("Old matter 70")
                paging.cancel()
                _ = await paging.result
                #expect(try lab.bytes() == before)

                for _ in 0..<20 { try await person.type("b") }
                try await person.sees("▸ ")
                try await lab.sql(
                    "INSERT INTO sessions (id, source, started_at, title) VALUES "
                        + "('new', 'cli', \(DashLab.newest + 60), 'Brand new matter');"
                )
                try await person.sees("Brand new matter")
                try await person.type("\u{1B}[B\r")
                try await person.sees("→ terminal grep -n comma parser.py")
                try await person.sees("Found it: a needle in line 12.")
                try await lab.sql(
                    """
                    INSERT INTO messages (session_id, role, content, timestamp)
                    VALUES ('parser', 'user', 'Thank you, that was it.', \(DashLab.newest + 5));
                    UPDATE sessions SET message_count = 5 WHERE id = 'parser';
                    """
                )
                try await person.sees("Thank you, that was it.")
                try await person.type("\u{1B}")
                try await person.sees("Brand new matter")
                try await person.type("q")
                try await person.watchesTheEnd()
            }
        }

        @Test func `words are searched, and what was found is read in its place`() async throws {
            try await DashLab.withHome { lab in
                let person = try await lab.start()
                try await person.sees("[1 Overview]")
                try await person.type("/nowhere\r")
                try await person.sees("Nothing was found.")
                try await person.type("/needel")
                try await person.sees("Search: needel▏")
                try await person.type("\u{7F}\u{7F}le comma\r")
                try await person.sees("Nothing was found.")
                try await person.type("/needle\r")
                try await person.sees("Found it: a needle in line 12.")
                try await person.type("\r")
                try await person.waits(for: "the answer in its place") { screen in
                    ["▸ assistant", "Mend the parser", "The parser loses a comma."].allSatisfy {
                        screen.visibleText.contains($0)
                    }
                }
                try await person.type("\u{3}")
                try await person.watchesTheEnd()
            }
        }

        @Test func `insights have bars, for the days that are chosen`() async throws {
            try await DashLab.withHome { lab in
                let person = try await lab.start()
                try await person.sees("All time")
                try await person.type("5")
                try await person.sees("[30 days]")
                try await person.sees("73 sessions, 6 messages")
                try await person.sees("Models, by tokens")
                try await person.waits(for: "the bar of m-large") { _ in
                    person.row("m-large")?.contains("15.4K ████████") == true
                }
                try await person.type("\u{1B}[D")
                try await person.sees("[7 days]")
                try await person.sees("3 sessions, 6 messages, 1 tool calls, 1h 5m, $1.25")
                for _ in 0..<40 { try await person.type("j") }
                try await person.sees("costliest, $1.25: Mend the parser")
                try await person.type("q")
                try await person.watchesTheEnd()
            }
        }

        @Test func `the log grows while somebody looks, also through a rotation`() async throws {
            try await DashLab.withHome { lab in
                let person = try await lab.start()
                try await person.type("6")
                try await person.sees("INFO hermes_cli.main: Started")
                try lab.append("2026-11-21 03:19:07,420 WARNING [s1] agent.turn: Slow\n  and a second line\n")
                try await person.sees("WARNING [s1] agent.turn: Slow")
                try await person.sees("and a second line")
                try FileManager.default.moveItem(atPath: lab.log, toPath: lab.log + ".1")
                try lab.append("2026-11-21 03:20:00,000 ERROR agent.turn: After the rotation \u{1B}[2J\n")
                try await person.sees("ERROR agent.turn: After the rotation")
                try await person.sees("Started")
                try await person.type("ll")
                try await person.waits(for: "WARNING and worse, without Started") {
                    $0.visibleText.contains("WARNING and worse") && !$0.visibleText.contains("Started")
                }
                try await person.type("q")
                try await person.watchesTheEnd()
            }
        }

        @Test func `a home without a database says so, and shows it once it is there`() async throws {
            try await DashLab.with { lab in
                let person = try await lab.start()
                try await person.sees("There is no file at")
                try await lab.makeDatabase()
                try await person.sees("73 sessions")
                try await person.type("q")
                try await person.watchesTheEnd()
            }
        }

        @Test func `in a pipe there are lines for scripts, and a status`() async throws {
            try await DashLab.withHome { lab in
                let before = try lab.bytes()
                let zone = try #require(TimeZone(identifier: "UTC"))
                let sessions = try await lab.output(["sessions", "--limit", "2"])
                let time = HermesWords.time(DashLab.newest, in: zone)
                #expect(sessions.exit == .exited(0))
                let lines = sessions.text.split(separator: "\n")
                #expect(lines.count == 2)
                #expect(lines[0] == "parser\t\(time)\tcli\troot\tm-large\t4\t1\t15400\t1.25\tMend the parser")
                #expect(lines[1].hasSuffix("\t2\t0\t150\t\tDoes it rain in Oslo?"))
                let all = try await lab.output(["sessions", "--all", "--limit", "1000"])
                #expect(all.text.split(separator: "\n").count == 73)

                let found = try await lab.output(["search", "needle"])
                #expect(found.exit == .exited(0))
                #expect(found.text.hasPrefix("parser\t4\t"))
                #expect(found.text.hasSuffix("\tassistant\tFound it: a needle in line 12.\n"))
                #expect(try await lab.output(["search", "nowhere"]).exit == .exited(1))

                let insights = try await lab.output(["insights", "--days", "7"])
                #expect(insights.text.hasPrefix("  3 sessions, 6 messages, 1 tool calls, 1h 5m, $1.25\n"))
                #expect(
                    insights.text.contains("  m-large                    15.4K " + String(repeating: "█", count: 40))
                )

                try lab.append("2026-11-21 03:19:07,420 ERROR agent.turn: Bad\nTraceback\n")
                let log = try await lab.output(["log", "--level", "error"])
                #expect(log.text == "2026-11-21 03:19:07,420 ERROR agent.turn: Bad\n    Traceback\n")

                let refused = try await lab.output([])
                #expect(refused.exit == .exited(1))
                #expect(refused.complaint.contains("needs a terminal"))
                let missing = try await lab.output(["log", "--name", "absent"])
                #expect(missing.exit == .exited(1))
                #expect(missing.complaint.contains("There is no log at"))
                #expect(try lab.bytes() == before)
            }
        }
    }
}

extension Person {
    /// The row that has a text in it.
    func row(_ text: String) -> String? {
        screen.visibleText.split(separator: "\n").first { $0.contains(text) }.map(String.init)
    }
}
