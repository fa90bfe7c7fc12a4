// Riff
// SPDX-License-Identifier: Apache-2.0

/// What a line that was typed asks for.
package enum ChatCommand: Equatable {
    case say(String)
    /// What is said in a recording; the one of the command line where none is named.
    case listen(String?)
    case listModels
    case use(String)
    case resume
    /// The answer to a question, from 0.
    case choose(Int)
    case help
    case leave

    static let usage = "/model [NAME], /talk [FILE.wav], /resume, /quit; Ctrl-C cuts an answer off"

    /// What a line asks for; `nil` for an empty one.
    ///
    /// - Parameters:
    ///   - line: What was typed.
    ///   - choices: How many answers there are to the question that is asked now; a number is one of them then.
    package init?(_ line: String, choices: Int = 0) {
        let words = line.split(separator: " ", maxSplits: 1)
        guard let first = words.first else { return nil }
        let rest = words.count > 1 ? words[1].trimmingPrefix(while: \.isWhitespace) : ""
        if choices > 0 {
            guard let number = Int(first), (1...choices).contains(number) else { return nil }
            self = .choose(number - 1)
            return
        }
        switch first {
        case "/model", "/models": self = rest.isEmpty ? .listModels : .use(String(rest))
        case "/talk": self = .listen(rest.isEmpty ? nil : String(rest))
        case "/resume": self = .resume
        case "/help": self = .help
        case "/quit": self = .leave
        default: self = .say(line)
        }
    }
}
