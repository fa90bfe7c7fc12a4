// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTalk
import Testing

/// What Claude really draws, at seven widths.
struct RecordedQuestionTests {
    /// Whether a text holds a command, apart from white space and the bars that Claude draws before the rows of a
    /// command.
    static func text(_ text: String, holds command: String) -> Bool { bare(text).contains(bare(command)) }

    private static func bare(_ text: String) -> [UInt8] {
        var bare = String.UnicodeScalarView()
        bare.append(contentsOf: text.unicodeScalars.filter { !$0.properties.isWhitespace && $0 != "│" })
        return Array(String(bare).utf8)
    }

    /// Of these the command is not seen as it is: it draws boxes, or has characters that are not seen; or a part of the
    /// question is not on the screen; or the answers have no numbers, or it is drawn for a screen reader.
    private static func mayBeRefused(_ screen: RecordedScreen) -> Bool {
        ["q-fake", "q-bidi", "q-zw", "q-lie", "auto-stay", "claude-ax"].contains { screen.name.contains($0) }
            || screen.rows.contains { $0.hasPrefix(" ↑ ") }
    }

    @Test func `recorded questions for a shell command are read with all of the command`() throws {
        let plain = try RecordedScreen.commands.filter { !Self.mayBeRefused($0.screen) }
        let read = plain.filter { ClaudePermissionPrompt.read($0.screen.rows)?.allowOnce != nil }
        #expect(plain.count >= 30)
        #expect(read.count * 100 >= plain.count * 95, "\(read.count) of \(plain.count)")
        for (screen, command) in try RecordedScreen.commands {
            guard let prompt = ClaudePermissionPrompt.read(screen.rows), prompt.allowOnce != nil else { continue }
            #expect(Self.text(prompt.spoken, holds: command), "\(screen.name)")
        }
    }

    @Test func `what cannot be read out for certain is not asked`() throws {
        let refused = try RecordedScreen.commands.filter { Self.mayBeRefused($0.screen) }
        #expect(refused.count >= 10)
        for (screen, _) in refused {
            #expect(ClaudePermissionPrompt.read(screen.rows) == nil, "\(screen.name)")
        }
    }

    @Test func `files to create and to edit are read with their paths`() throws {
        for (name, path) in [
            ("claude-perm-edit/01-asking-write", "notes.txt"), ("claude-perm-edit/03-asking-edit", "hello.txt"),
        ] {
            let screen = try RecordedScreen.named(name)
            let prompt = try #require(ClaudePermissionPrompt.read(screen.rows))
            #expect(prompt.details == [path])
            #expect(prompt.spoken.split(separator: "\n")[1] == path)
            #expect(prompt.options.count == 3)
            #expect(prompt.options[1].label.hasSuffix("for this session (shift+tab)"))
            #expect(prompt.allowOnce?.number == 1)
        }
    }

    @Test(arguments: try RecordedScreen.all.filter(\.isClaude))
    func `a question may stand where one stands, and not at Claude's own prompt`(_ screen: RecordedScreen) {
        switch screen.seen {
        case .question: #expect(ClaudePermissionPrompt.mayStand(on: screen.rows))
        case .claudePrompt: #expect(!ClaudePermissionPrompt.mayStand(on: screen.rows))
        default: break
        }
        if screen.seen != .question { #expect(ClaudePermissionPrompt.read(screen.rows) == nil) }
    }
}
