// Riff
// SPDX-License-Identifier: Apache-2.0

/// The words that start a program with variables of its own. `exec` and env(1) take words for options and assignments;
/// nothing that a peer names may become one.
enum ProgramWords {
    /// Whether `exec` takes a word for a program.
    static func isProgram(_ word: String) -> Bool { !word.isEmpty && word.utf8.first != UInt8(ascii: "-") }

    /// Whether env(1) takes a name for a variable's: `-S...=` would be an option that runs something else.
    static func isVariable(_ name: String) -> Bool {
        isProgram(name) && !name.utf8.contains { $0 == UInt8(ascii: "=") || $0 < 0x20 || $0 == 0x7F }
    }

    /// Whether a command is more than one word to a shell.
    static func isShellLine(_ command: String) -> Bool {
        command.utf8.first == UInt8(ascii: "~") || command.utf8.contains { " \t\n|&;<>()$`\"'*?\\".utf8.contains($0) }
    }

    /// A program's words with variables set for it.
    static func setting(_ variables: [(name: String, value: String)], for words: [String]) -> [String] {
        guard !variables.isEmpty else { return words }
        // To env(1) a program with an equals sign in its path is one more variable.
        let isAssignment = words.first?.utf8.contains(UInt8(ascii: "=")) == true
        let start = isAssignment ? ["sh", "-c", "exec \"$@\"", "sh"] : []
        return ["env"] + variables.map { "\($0.name)=\($0.value)" } + start + words
    }
}
