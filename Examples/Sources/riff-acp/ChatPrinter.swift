// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
package import RiffACP
import RiffCore

/// Turns what is new of a conversation into text for a terminal. Pure: news in, text out.
package struct ChatPrinter: Sendable {
    /// What is shown before a line is typed; nothing where nobody types.
    let prompt: [String]
    private let isInteractive: Bool

    private var lastID: Int?
    private var isAtLineStart = true

    package init(isInteractive: Bool = isatty(0) == 1) {
        prompt = isInteractive ? ["> "] : []
        self.isInteractive = isInteractive
    }

    /// Prints news.
    package mutating func print(_ news: ChatNews) -> [String] {
        news.pieces.flatMap { piece in
            switch piece {
            case .text(let id, let text): grow(id, by: text)
            case .line(let id, let text, let lines): line(id, plain(text)) + lines.map { "\(plain($0))\n" }
            }
        }
    }

    /// A question, with its answers by number.
    mutating func print(_ question: ACPPermissionQuestion) -> [String] {
        let options = question.options.enumerated().map { "  \($0 + 1)  \($1.name)\n" }
        return line(nil, "May it? \(question.title)") + options
    }

    /// The words for the beginning of a turn that somebody else asked for.
    mutating func busy() -> [String] { line(nil, "(at work for another client; what you type waits)") }

    /// The words for the end of a turn, once all of the turn was printed.
    mutating func end(_ news: ChatNews) -> [String] {
        var pieces = isAtLineStart ? [] : ["\n"]
        isAtLineStart = true
        if isInteractive, let problem = news.problem { pieces.append("! \(plain(problem))\n") }
        if news.wasCancelled { pieces.append("(cancelled)\n") }
        return pieces
    }

    /// A turn's problem for standard error: a script takes what is on standard output for the agent's words.
    func problem(_ news: ChatNews) -> String? {
        isInteractive ? nil : news.problem.map { "riff-acp: \(plain($0))\n" }
    }

    private mutating func grow(_ id: Int, by text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        let new = plain(text)
        let separator = lastID == id || isAtLineStart ? [] : ["\n"]
        lastID = id
        isAtLineStart = new.hasSuffix("\n")
        return separator + [new]
    }

    private mutating func line(_ id: Int?, _ text: String) -> [String] {
        defer {
            lastID = id
            isAtLineStart = true
        }
        return (isAtLineStart ? [] : ["\n"]) + [text, "\n"]
    }

    /// The lines that a change removes and adds; those that it keeps at both ends are left out.
    package static func lines(of diff: ACP.Diff, limit: Int = 40) -> [String] {
        var old = diff.oldText.map { $0.split(separator: "\n", omittingEmptySubsequences: false)[...] } ?? []
        var new = diff.newText.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let first = old.first, first == new.first {
            old.removeFirst()
            new.removeFirst()
        }
        while let last = old.last, last == new.last {
            old.removeLast()
            new.removeLast()
        }
        let lines = old.map { "- \($0)" } + new.map { "+ \($0)" }
        let more = lines.count > limit ? ["(\(lines.count - limit) more lines)"] : []
        return [diff.path] + lines.prefix(limit) + more
    }

    /// Text without what a terminal would obey.
    package func plain(_ text: String) -> String { HarmlessText(text).text }
}
