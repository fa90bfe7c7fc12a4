// Riff
// SPDX-License-Identifier: Apache-2.0

/// The lines of a person's tmux configuration that can end, move, freeze or rename sessions, or take keys, and that nothing
/// that Riff sets on its server can undo: they have to be changed by the person.
///
/// Options, hooks and key bindings are not among them, since ``TmuxCustody`` overrides those. What a script or a plugin does
/// when it is run cannot be seen here, only what the line says itself.
package struct TmuxConfigurationReview: Sendable, Hashable {
    /// One such line.
    package struct Problem: Sendable, Hashable {
        /// The file's path on the host.
        package let file: String
        /// The line's number, from 1.
        package let line: Int
        /// Why it is one, as the end of a sentence that begins with the line.
        package let reason: String
    }

    /// The lines, in the order of the files.
    package private(set) var problems: [Problem] = []

    /// Reviews files.
    ///
    /// - Parameter files: The path and the text of each.
    package init(_ files: [(path: String, text: String)]) {
        for file in files { review(file.path, file.text) }
    }

    private mutating func review(_ path: String, _ text: String) {
        var number = 0
        var begun: (line: Int, text: String)?
        // How deep the lines are in a block that a key or a hook runs.
        var depth = 0
        // Bytes, since a carriage return and a line feed are one Character.
        for bytes in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let physical = Substring(bytes)
            number += 1
            var line = begun ?? (number, "")
            line.text += physical
            if physical.hasSuffix("\\") {
                line.text.removeLast()
                begun = line
                continue
            }
            begun = nil
            let words = Self.words(of: line.text)
            if depth > 0 || Self.isDeferred(words) {
                depth = max(0, depth + Self.balance(of: line.text))
                continue
            }
            if let reason = Self.reason(words, line.text) {
                problems.append(Problem(file: path, line: line.line, reason: reason))
            }
        }
    }

    private static func words(of line: String) -> [Substring] {
        let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }
        return words.first?.first == "#" ? [] : words
    }

    private static func isDeferred(_ words: [Substring]) -> Bool {
        guard let first = words.first else { return false }
        return ["bind", "bind-key", "set-hook"].contains(String(first))
    }

    private static func balance(of line: String) -> Int {
        // A format's braces come in pairs, and so do those of a command.
        line.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "{") ? 1 : $1 == UInt8(ascii: "}") ? -1 : 0) }
    }

    private static func reason(_ words: [Substring], _ line: String) -> String? {
        guard let first = words.first.map(String.init) else { return nil }
        if let found = immediate[first] { return found }
        switch first {
        case "new", "new-session":
            guard let flag = words.firstIndex(of: "-s"), flag + 1 < words.count else { return nil }
            let name = words[flag + 1].filter { !"'\"".contains($0) }
            return name == "riff" || name.hasPrefix("riff-") ? "makes the session \(name) itself" : nil
        case "run", "run-shell", "if", "if-shell":
            let found = dangers.first { line.contains($0) }
            return found.map { "runs \($0) by a script, which nothing takes back" }
        case "set", "set-option", "setw", "set-window-option":
            if words.contains("@continuum-restore"), words.last?.filter({ !"'\"".contains($0) }) == "on" {
                return "brings old sessions back, over those that are there"
            }
            let isOverride = words.contains { $0 == "terminal-overrides" || $0.hasPrefix("terminal-overrides[") }
            return isOverride && line.contains("kf") ? "changes function keys that Riff needs" : nil
        default: return nil
        }
    }

    /// Commands that act when the file is read, or read again.
    private static let immediate: [String: String] = [
        "kill-server": "ends all sessions", "kill-session": "ends a session", "detach": "detaches terminals",
        "detach-client": "detaches terminals", "lock": "locks the terminals", "lock-server": "locks the terminals",
        "lock-session": "locks the terminals", "suspend-client": "stops the terminals",
        "switch-client": "moves a terminal to another session", "switchc": "moves a terminal to another session",
        "rename": "renames a session", "rename-session": "renames a session",
    ]

    private static let dangers = [
        "kill-server", "kill-session", "kill-window", "kill-pane", "respawn-", "switch-client", "switchc",
        "detach-client",
        "rename-session", "lock-server", "lock-session", "lock-client", "suspend-client", "exit-unattached",
        "send-keys",
        "move-pane", "join-pane", "swap-pane", "break-pane", "unlink-window", "pkill", "killall",
    ]

    /// A line of `sh` that prints the files that tmux reads, those that they name included: a line `file PATH` before each,
    /// and `conf ` before each of its lines.
    // swift-format-ignore
    package static let printing = #"""
        ( set -f; show() { [ -f "$1" ] && [ -r "$1" ] && { printf 'file %s\n' "$1"; \
        head -n 2000 "$1" | head -c 65536 | sed 's/^/conf /'; echo; }; }; \
        for f in /etc/tmux.conf "$HOME/.tmux.conf" "${XDG_CONFIG_HOME:-$HOME/.config}/tmux/tmux.conf"; do show "$f"; \
        b='[[:blank:]]'; q='['\''"]\{0,1\}'; p='\([^'\''"[:blank:];]*\)'; \
        for g in $(sed -n "s/^$b*source\(-file\)\{0,1\}$b\{1,\}\(-[a-zA-Z]*$b\{1,\}\)*$q$p.*/\3/p" "$f" \
        2>/dev/null | head -n 20); do case $g in '~/'*) g=$HOME/${g#??};; '$HOME/'*) g=$HOME/${g#??????};; esac; \
        show "$g"; done; done )
        """#

    /// Reads what ``printing`` wrote, of which the lines may stand among others.
    package init(printed lines: [Substring]) {
        var files: [(path: String, text: String)] = []
        for line in lines {
            if line.hasPrefix("file ") {
                files.append((String(line.dropFirst(5)), ""))
            } else if line.hasPrefix("conf "), let last = files.indices.last {
                files[last].text += line.dropFirst(5) + "\n"
            }
        }
        self.init(files)
    }
}
