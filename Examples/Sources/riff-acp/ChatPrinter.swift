// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import RiffACP
import RiffCore

/// Turns what is new of a conversation into what a terminal has not shown yet. Pure: updates in, text out.
package struct ChatPrinter: Sendable {
    let showsThoughts: Bool
    /// What is shown before a line is typed; nothing where nobody types.
    let prompt: [String]

    private var shown: [Int: String] = [:]
    private var plan = ""
    private var mode: String?
    private var lastID: Int?
    private var isAtLineStart = true

    package init(showsThoughts: Bool = false, isInteractive: Bool = isatty(0) == 1) {
        self.showsThoughts = showsThoughts
        prompt = isInteractive ? ["> "] : []
    }

    /// What is new since the update before.
    mutating func print(_ update: ACPChat.Update) -> [String] {
        var pieces: [String] = []
        let chat = update.chat
        let texts = Dictionary(uniqueKeysWithValues: update.texts.map { ($0.id, $0.text) })
        for entry in chat.transcript.entries {
            switch entry.kind {
            // The person typed it.
            case .user: continue
            case .agent: pieces += grow(entry.id, by: texts[entry.id] ?? "")
            case .thought:
                if showsThoughts {
                    pieces += grow(entry.id, by: texts[entry.id] ?? "")
                } else if shown[entry.id] == nil {
                    shown[entry.id] = ""
                    pieces += line(entry.id, "(thinking)")
                }
            case .toolCall(let call):
                let state = "\(call.status.rawValue) \(call.diffs.count) \(call.title)"
                guard shown[entry.id] != state else { continue }
                shown[entry.id] = state
                pieces += line(entry.id, "[\(call.wasCancelled ? "cancelled" : call.status.rawValue)] \(call.title)")
                for diff in call.diffs { pieces += Self.lines(of: diff).map { "    \(plain($0))\n" } }
            }
        }
        pieces += newPlan(chat.transcript.plan)
        if let modes = chat.transcript.modes, modes.currentModeID.rawValue != mode {
            mode = modes.currentModeID.rawValue
            let names = modes.availableModes.map(\.id.rawValue).joined(separator: ", ")
            pieces += line(nil, "Mode \(plain(mode ?? "")) of \(plain(names))")
        }
        return pieces
    }

    /// A question, with its answers by number.
    mutating func print(_ question: ACPPermissionQuestion) -> [String] {
        let options = question.options.enumerated().map { "  \($0 + 1)  \($1.name)\n" }
        return line(nil, "May it? \(question.title)") + options
    }

    /// What a turn's end says, once all of the turn was printed.
    mutating func end(_ chat: ACPChat) -> [String] {
        var pieces = isAtLineStart ? [] : ["\n"]
        isAtLineStart = true
        if let problem = chat.problem { pieces.append("! \(plain(problem.message))\n") }
        if chat.transcript.turn == .idle(.cancelled) { pieces.append("(cancelled)\n") }
        return pieces
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

    private mutating func newPlan(_ entries: [ACP.PlanEntry]) -> [String] {
        let marks: [ACP.PlanEntryStatus: String] = [.completed: "x", .inProgress: "-"]
        let text = entries.map { "  [\(marks[$0.status] ?? " ")] \(plain($0.content))\n" }.joined()
        guard text != plan else { return [] }
        plan = text
        return line(nil, "Plan") + [text]
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
    package func plain(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where scalar == "\n" || scalar == "\t" || !Self.isObeyed(scalar) {
            scalars.append(scalar)
        }
        return String(scalars)
    }

    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Controls, and what changes the direction of what stands beside it.
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
