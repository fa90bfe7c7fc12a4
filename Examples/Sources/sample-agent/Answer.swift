// Riff
// SPDX-License-Identifier: Apache-2.0

/// What the agent says to a request: decided by the request alone, so that a test knows it beforehand.
package enum Answer {
    /// One piece of an answer and how long to wait before it.
    package struct Piece: Sendable, Equatable {
        /// The text; a `\n` ends a line.
        package let text: String
        /// The wait before it, as of a model that thinks.
        package let delay: Duration
    }

    /// The most lines that `slow` streams.
    package static let longest = 10_000

    /// The pieces of the answer to a request, the agent's `turn`-th, at a terminal of this size.
    package static func pieces(to request: String, turn: Int, columns: Int, rows: Int) -> [Piece] {
        let words = request.split(whereSeparator: \.isWhitespace).map(String.init)
        var lines: [String]
        var delay = Duration.milliseconds(15)
        switch words.first?.lowercased() {
        case "help" where words.count == 1:
            lines = [
                "slow N: N lines, one at a time", "size: how large this terminal is", "Ctrl-C clears, Ctrl-D leaves",
            ]
        case "size" where words.count == 1: lines = ["\(rows) rows, \(columns) columns"]
        case "slow" where words.count == 2 && Int(words[1]) != nil:
            let count = min(max(1, Int(words[1]) ?? 1), longest)
            lines = (1...count).map { "line \($0) of \(count)" }
            delay = .milliseconds(30)
        default:
            let longestWord = words.max { $0.count < $1.count } ?? ""
            lines = ["You said: \(words.joined(separator: " "))"]
            lines.append("\(words.count) words, \(request.count) characters, longest: \(longestWord)")
        }
        lines.append("Done, turn \(turn).")
        return lines.flatMap { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            return words.enumerated().map { index, word in
                let isLast = index == words.count - 1
                return Piece(text: word + (isLast ? "\n" : " "), delay: index == 0 ? delay * 2 : delay)
            }
        }
    }
}
