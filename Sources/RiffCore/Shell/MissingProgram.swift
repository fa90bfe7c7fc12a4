// Riff
// SPDX-License-Identifier: Apache-2.0

/// A program that a host's shell did not find, in the words of dash, bash, zsh, fish, busybox and `env`.
package struct MissingProgram: Sendable, Hashable {
    /// The program's name, as the shell told it, safe to show.
    package let name: String
    /// The PATH on which it was looked for, where that was told; at most 500 bytes, safe to show.
    package private(set) var searchedPath: String?

    /// Reads how a command ended; `nil` where the status is another, or the words are not a shell's.
    ///
    /// - Parameters:
    ///   - status: Its status; every shell ends with 127 for a program that is not there. `nil` where it is not known.
    ///   - diagnostics: What was written to standard error, or to the terminal.
    package init?(status: Int?, diagnostics: some StringProtocol) {
        guard status == nil || status == 127 else { return nil }
        for line in diagnostics.split(whereSeparator: \.isNewline) {
            guard let name = Self.name(in: String(line)) else { continue }
            self.name = name
            searchedPath = Self.searchedPath(in: diagnostics)
            return
        }
        return nil
    }

    /// The text before the PATH in the output of ``StartCheck``.
    package static let searchedMark = "riff: not in any folder of PATH: "

    private static func searchedPath(in diagnostics: some StringProtocol) -> String? {
        for line in diagnostics.split(whereSeparator: \.isNewline) {
            guard let range = line.firstRange(of: searchedMark) else { continue }
            return InertText.quote(String(line[range.upperBound...]), limitBytes: 500)
        }
        return nil
    }

    private static func name(in line: String) -> String? {
        // fish: "fish: Unknown command: tmux", in old ones without the second colon and quoted;
        // zsh: "zsh:1: command not found: tmux".
        for phrase in ["Unknown command: ", "Unknown command ", "command not found: "] {
            guard let range = line.firstRange(of: phrase) else { continue }
            return word(String(line[range.upperBound...]))
        }
        // bash: "bash: line 1: tmux: command not found"; dash: "sh: 1: exec: tmux: not found".
        for phrase in [": command not found", ": not found"] where line.hasSuffix(phrase) {
            return word(lastField(line.dropLast(phrase.count)))
        }
        // env: "env: 'tmux': No such file or directory".
        for phrase in [": No such file or directory", ": no such file or directory"] where line.hasSuffix(phrase) {
            let start = line.dropLast(phrase.count)
            return start.hasPrefix(bytes: "env: ") ? word(lastField(start)) : nil
        }
        return nil
    }

    private static func lastField(_ line: Substring) -> String {
        String(line.split(byte: ":").last ?? "").trimmingSpaces()
    }

    /// A program's name has no white space; anything else is a sentence of some program's own. Quotes that `env` and
    /// fish put around it are taken away, the name's last path component is what is left.
    private static func word(_ text: String) -> String? {
        let quotes = "'\"\u{2018}\u{2019}`"
        let bare = text.trimmingSpaces().drop { quotes.contains($0) }
        let path = bare.last.map { quotes.contains($0) } == true ? bare.dropLast() : bare
        guard let name = path.split(byte: "/").last, !name.contains(where: \.isWhitespace) else { return nil }
        let shown = InertText.quote(String(name), limitBytes: 200)
        return shown.isEmpty ? nil : shown
    }
}

extension String {
    fileprivate func trimmingSpaces() -> String {
        guard let first = firstIndex(where: { $0 != " " }) else { return "" }
        return String(self[first...].reversed().drop { $0 == " " }.reversed())
    }
}
