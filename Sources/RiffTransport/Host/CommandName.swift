// Riff
// SPDX-License-Identifier: Apache-2.0

/// Returns the part of a command that an error may show: its program, if that can be determined. Everything else, a
/// variable set before it too, can hold secrets.
func nameForMessages(of command: String) -> String {
    let words = command.split(whereSeparator: \.isWhitespace)
    guard let word = words.first(where: { !$0.contains("=") }), !word.contains(where: { "'\"$`\\".contains($0) }),
        words.prefix(while: { $0.contains("=") }).allSatisfy({ !$0.contains(where: { "'\"$`\\".contains($0) }) })
    else { return "The command" }
    return String(word)
}
