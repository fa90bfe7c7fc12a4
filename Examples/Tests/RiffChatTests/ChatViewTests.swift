// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import RiffCore
import RiffMarkdown
import RiffScreen
import Testing

import riff_chat

struct ChatViewTests {
    private static let text = """
        # Title

        Some **bold** words in `code`, and [a link](https://example.com).

        - one
        - two

        ```swift
        let x = 1
        ```

        | a | b |
        |---|---|
        | 1 | 2 |

        """

    /// The same conversation as it is told: each text without what was told of it before.
    private static func told(_ pictures: [ChatPicture]) -> [ChatPicture] {
        var texts: [Int: String] = [:]
        return pictures.map { picture in
            var told = picture
            told.items = picture.items.map { item in
                let before = texts.updateValue(item.more, forKey: item.id)
                let isGrown = before.map { item.more.utf8.starts(with: $0.utf8) } ?? false
                let more = isGrown ? String(item.more.utf8.dropFirst(before?.utf8.count ?? 0)) ?? "?" : item.more
                return .init(item.id, item.kind, more, startsOver: !isGrown, isOpen: item.isOpen)
            }
            return told
        }
    }

    /// What stands in a terminal when a conversation was shown.
    private static func shown(_ pictures: [ChatPicture], size: TerminalSize) -> Screen {
        var (view, area, screen) = (ChatView(), LiveArea(), Screen(size: size))
        for picture in told(pictures) {
            let above = view.take(picture)
            screen.feed(area.draw(above: above, live: view.live + "status\n> ", size: size).text)
        }
        return screen
    }

    private static func picture(_ text: String, isOpen: Bool = true) -> ChatPicture {
        var picture = ChatPicture()
        picture.isAnswering = isOpen
        picture.items = [.init(0, .question, "What?"), .init(1, .answer, text, isOpen: isOpen)]
        return picture
    }

    @Test(arguments: [1, 2, 7, 1000]) func `an answer in pieces leaves what the whole answer does`(count: Int) {
        let size = TerminalSize(columns: 40, rows: 30)
        let scalars = Array(Self.text)
        var pictures = stride(from: count, to: scalars.count, by: count).map {
            Self.picture(String(scalars[..<$0]))
        }
        pictures.append(Self.picture(Self.text, isOpen: false))
        let whole = Self.shown([Self.picture(Self.text, isOpen: false)], size: size)
        #expect(Self.shown(pictures, size: size).picture == whole.picture)
        #expect(whole.visibleText.contains("> What?") && whole.visibleText.contains("let x = 1"))
    }

    @Test func `what is not complete is drawn without its marks`() {
        let screen = Self.shown([Self.picture("Some **bold** wor")], size: TerminalSize(columns: 40, rows: 10))
        #expect(screen.visibleText.contains("\nSome bold wor\n"))
        let held = Self.shown([Self.picture("Some **bo")], size: TerminalSize(columns: 40, rows: 10))
        #expect(held.visibleText.contains("\nSome\n"))
    }

    @Test func `of an end that is longer than the screen, the last lines are drawn, and nothing twice`() {
        let size = TerminalSize(columns: 20, rows: 6)
        let lines = (1...30).map { "line \($0)" }
        let text = "```\n" + lines.joined(separator: "\n") + "\n```\n"
        let pictures = stride(from: 5, to: text.count, by: 3).map { Self.picture(String(text.prefix($0))) }
        let open = Self.shown(pictures, size: size)
        #expect(open.visibleText.contains("line 30") && open.visibleText.hasSuffix("status\n>"))
        let all = Self.shown(pictures + [Self.picture(text, isOpen: false)], size: size)
        let end = all.textOfAllLines
        for line in lines { #expect(end.count { $0 == line } == 1, "\(line)") }
    }

    @Test func `an answer that is asked for once more begins anew`() {
        let size = TerminalSize(columns: 40, rows: 12)
        let pictures = [Self.picture("The first half"), Self.picture(""), Self.picture("Another", isOpen: false)]
        let text = Self.shown(pictures, size: size).visibleText
        #expect(text.contains("Another") && !text.contains("half"))
    }

    @Test func `nothing that was said drives the terminal`() {
        var picture = ChatPicture()
        picture.items = [.init(0, .question, "\u{1B}[31mred\u{7}"), .init(1, .note, "a\u{1B}]2;title\u{7}b")]
        var view = ChatView()
        let text = view.take(picture).text
        #expect(!text.contains("\u{7}") && !text.contains("\u{1B}]") && !text.contains("\u{1B}[31m"))
    }
}

extension Screen {
    fileprivate var textOfAllLines: [String] {
        (0..<visibleLines.upperBound).map { line in
            cells(ofLine: line).map { $0.text.isEmpty ? " " : $0.text }.joined()
                .trimmingCharacters(in: .whitespaces)
        }
    }
}

struct ChatCommandTests {
    private static let commands: [(line: String, choices: Int, command: ChatCommand?)] = [
        ("", 0, nil), ("hello", 0, .say("hello")), ("/model", 0, .listModels), ("/model  a b", 0, .use("a b")),
        ("/talk x.wav", 0, .listen("x.wav")), ("/talk", 0, .listen(nil)), ("/resume", 0, .resume), ("/quit", 0, .leave),
        ("2", 2, .choose(1)), ("3", 2, nil), ("2", 0, .say("2")),
        ("/etc/hosts is what?", 0, .say("/etc/hosts is what?")),
    ]

    @Test(arguments: commands) func `lines are commands`(_ test: (line: String, choices: Int, command: ChatCommand?)) {
        #expect(ChatCommand(test.line, choices: test.choices) == test.command)
    }
}
