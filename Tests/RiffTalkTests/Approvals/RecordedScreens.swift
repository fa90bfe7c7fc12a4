// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffTalk
import TestSupport
import Testing

/// Recorded screens of real agents, and what a person saw on each. Format and origin: `Fixtures/screens/README.md`.
struct RecordedScreen: Sendable, CustomTestStringConvertible {
    /// What a person saw on it.
    enum Seen: String, Sendable {
        case claudePrompt = "prompt-claude"
        case codexPrompt = "prompt-codex"
        case question
        case other
        /// A prompt with something open beside it, or a question that is not drawn yet: any reading is right.
        case either
    }

    let name: String
    let seen: Seen
    let program: String
    let isAlternate: Bool
    let rows: [String]

    var testDescription: String { name }
    var isClaude: Bool { name.hasPrefix("claude") }
    var look: ScreenLook {
        ScreenLook(rows: rows, cursorRow: nil, cursorColumn: nil, isAlternate: isAlternate, program: program)
    }

    private static let loaded = Result { try load() }
    static var all: [RecordedScreen] { get throws { try loaded.get() } }

    /// The shell commands that the recorded questions of Claude's are about.
    static var commands: [(screen: RecordedScreen, command: String)] {
        get throws {
            try lines("commands.tsv").map { line in
                let fields = line.components(separatedBy: "\t")
                let command = try JSONDecoder().decode(String.self, from: Data(fields[1].utf8))
                return (try named(fields[0]), command)
            }
        }
    }

    static func named(_ name: String) throws -> RecordedScreen { try #require(all.first { $0.name == name }) }

    private static func load() throws -> [RecordedScreen] {
        let rows = try lines("rows.txt")
        return try lines("screens.tsv").map { line in
            let fields = line.components(separatedBy: "\t")
            return RecordedScreen(
                name: fields[0],
                seen: try #require(Seen(rawValue: fields[1])),
                program: fields[2],
                isAlternate: fields[3] == "1",
                rows: try fields[4].split(separator: " ").map { rows[try #require(Int($0))] }
            )
        }
    }

    private static func lines(_ file: String) throws -> [String] {
        let text = try String(contentsOfFile: Fixture.path("screens/\(file)"), encoding: .utf8)
        return text.components(separatedBy: "\n").dropLast()
    }
}
