// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Signs by which a question, a menu or a dialog on a screen is known. Each is found too often rather than too seldom.
enum QuestionSigns {
    /// The first of these rows that has a sign, in words for a person; `nil` if none has.
    static func sign(in rows: some Collection<ScreenRow>) -> String? {
        for row in rows {
            if let kind = kind(of: row) { return words(kind, row) }
        }
        return nil
    }

    /// A sign in the row before the cursor, or in those above it that could be what it asks.
    static func sign(ofPrompt before: String, above: [ScreenRow]) -> String? {
        let row = ScreenRow(before)
        if let kind = kind(of: row) ?? asks(before) { return words(kind, row) }
        // What was answered has its answer after it.
        if let last = above.suffix(3).last(where: { endsWithYesNo($0.unboxed.lowercased()) }) {
            return words("asks for yes or no", last)
        }
        let menu = above.reversed().prefix { isNumbered($0.text) }
        if let row = menu.last, menu.count >= 2 { return words("shows a menu", row) }
        if let last = above.last, kind(of: last) != nil { return words("asks something", last) }
        return nil
    }

    /// Whether a row, without what marks it as chosen, begins with a number as an answer does: `1. `, `2) `, `[3] `.
    static func isNumbered(_ text: String) -> Bool {
        let text = text.drop { !$0.isNumber && !$0.isLetter && $0 != "[" && $0 != "(" }
        let number = text.drop { $0 == "[" || $0 == "(" }.prefix { ("0"..."9").contains($0) }
        guard (1...2).contains(number.count), let sign = text[number.endIndex...].first, ".):]".contains(sign) else {
            return false
        }
        let rest = text[number.endIndex...].dropFirst()
        return rest.isEmpty || rest.first == " "
    }

    private static func kind(of row: ScreenRow) -> String? {
        let text = row.unboxed
        guard !text.isEmpty else { return nil }
        let bytes = Array(text.lowercased().utf8)
        if keys.isFound(in: bytes) || text.hasSuffix("(esc)") { return "names keys that answer or cancel" }
        if isChosen(row, text) || text.unicodeScalars.contains("●") && text.contains("(●)") { return "shows a choice" }
        if yesNo.isFound(in: bytes) { return "asks for yes or no" }
        if bytes.last == UInt8(ascii: ":"), secrets.isFound(in: bytes) { return "asks for a secret" }
        if bytes.last == UInt8(ascii: "?"), bytes.starts(with: "do you want to ".utf8) { return "asks something" }
        return nil
    }

    private static func asks(_ before: String) -> String? {
        let lower = before.lowercased()
        let words = lower.split { " :>?#$%❯›".contains($0) }.map(String.init)
        if words.contains(where: commands.contains) { return "asks something" }
        if secrets.isFound(in: Array(lower.utf8)) { return "asks for a secret" }
        // The prompts of `select` in zsh and in bash.
        if ["?#", "#?"].contains(before.filter { $0 != " " }) { return "shows a menu" }
        // Signs of version control have no letter before theirs.
        let scalars = Array(before)
        let asks = scalars.indices.dropFirst().contains { scalars[$0] == "?" && scalars[$0 - 1].isLetter }
        return asks || before.hasSuffix(":") ? "asks something" : nil
    }

    /// `❯ 1. Yes`, or an indented `❯ Yes`: the agents' own prompts begin in the first column.
    private static func isChosen(_ row: ScreenRow, _ text: String) -> Bool {
        guard let pointer = text.first, "❯›▸►➜→●◉▶>*".contains(pointer) else { return false }
        let label = text.dropFirst()
        guard label.first?.isWhitespace == true else { return false }
        // Neither in the first column nor after a figure of the shell's: in a list or in a box.
        let isSurelyOne = "❯›▸►▶".contains(pointer) && row.scalars.first != pointer.unicodeScalars.first
        return isSurelyOne && label.contains { !$0.isWhitespace } || isNumbered(text)
    }

    private static func endsWithYesNo(_ lower: String) -> Bool {
        guard yesNo.isFound(in: Array(lower.utf8)) else { return false }
        let end = lower.reversed().drop { " :?>".contains($0) }
        return end.first == "]" || end.first == ")"
    }

    private static func words(_ kind: String, _ row: ScreenRow) -> String {
        "The screen \(kind): \(InertText.line(row.unboxed).prefix(100))"
    }

    private static let keys = Phrases([
        "esc to cancel", "esc to close", "esc to exit", "esc to go back", "esc to skip", "esc to reject",
        "esc to dismiss", "esc to return", "esc back", "esc dismiss", "esc close", "esc exit", "esc skip", "esc cancel",
        "escape to cancel", "enter to confirm", "enter to continue", "enter to select", "enter to submit",
        "enter to resume", "enter to save", "enter to set", "enter to stay", "enter to open", "enter to approve",
        "enter to accept",
        "enter to choose", "enter confirm", "enter select", "enter continue", "enter submit", "enter resume",
        "enter review", "enter default", "enter open", "enter choose", "press enter", "press return", "hit enter",
        "press any key", "any key to", "showing detailed transcript", "type to search", "type to filter",
        "select with numbers", "permission required", "action required", "allow execution of", "user confirmation",
        "space to select", "↑/↓ to navigate", "↑/↓ browse",
        "↑/↓ select", "arrow keys", "arrow-keys", ":select", ":cancel", "--more--", "(end)",
        "press esc to cancel",
    ])
    private static let yesNo = Phrases([
        "[y/n", "(y/n", "y/n]", "y/n)", "[yes/no", "(yes/no", "yes/no)", "yes/no]", "(y)es", "[y]es", "(y or n)",
        "[y|n", "(y|n", "yes or no",
    ])
    private static let secrets = Phrases([
        "password", "passphrase", "passcode", "verification code", "one-time code", "pin for",
    ])
    private static let commands: Set<String> = [
        "enter", "choose", "choice", "select", "selection", "type", "input", "answer", "continue", "proceed", "confirm",
        "overwrite", "username", "login", "option", "pick",
    ]
}

/// Phrases that are looked for in one pass over a text's bytes.
private struct Phrases: Sendable {
    private var startingWith: [[[UInt8]]] = Array(repeating: [], count: 256)

    init(_ phrases: [String]) {
        for phrase in phrases {
            let bytes = Array(phrase.utf8)
            startingWith[Int(bytes[0])].append(bytes)
        }
    }

    func isFound(in text: [UInt8]) -> Bool {
        for index in text.indices {
            for phrase in startingWith[Int(text[index])] where text[index...].starts(with: phrase) { return true }
        }
        return false
    }
}
