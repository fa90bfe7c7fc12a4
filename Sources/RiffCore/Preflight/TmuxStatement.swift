// Riff
// SPDX-License-Identifier: Apache-2.0

/// One command of a tmux configuration, as far as a review needs it (tmux(1), COMMAND PARSING AND EXECUTION).
struct TmuxStatement {
    /// The words, without their quotes.
    private(set) var words: [String] = []
    /// The text, with them.
    private(set) var text = ""
    /// The braces that it opens less those that it closes.
    private(set) var balance = 0

    /// The commands of a line, which `;` separates.
    static func all(in line: String) -> [TmuxStatement] {
        var all: [TmuxStatement] = []
        var statement = TmuxStatement()
        var word: String?
        var quote: Unicode.Scalar?
        var isEscaped = false
        let scalars = Array(line.unicodeScalars)
        func end(_ statement: inout TmuxStatement, _ word: inout String?) {
            if let word { statement.words.append(word) }
            word = nil
        }
        for (index, scalar) in scalars.enumerated() {
            if scalar == "#", word == nil, quote == nil, !isEscaped, scalars[(index + 1)...].first != "{" { break }
            statement.text.unicodeScalars.append(scalar)
            if isEscaped {
                word = (word ?? "") + String(scalar)
                isEscaped = false
                continue
            }
            switch scalar {
            case "\\" where quote != "'": isEscaped = true
            case "'", "\"":
                if quote == nil || quote == scalar {
                    quote = quote == nil ? scalar : nil
                    word = word ?? ""
                } else {
                    word = (word ?? "") + String(scalar)
                }
            case " " where quote == nil, "\t" where quote == nil, "\r" where quote == nil: end(&statement, &word)
            case ";" where quote == nil:
                statement.text.unicodeScalars.removeLast()
                end(&statement, &word)
                if !statement.words.isEmpty { all.append(statement) }
                statement = TmuxStatement()
            default:
                if quote == nil { statement.balance += scalar == "{" ? 1 : scalar == "}" ? -1 : 0 }
                word = (word ?? "") + String(scalar)
            }
        }
        end(&statement, &word)
        if !statement.words.isEmpty { all.append(statement) }
        return all
    }
}
