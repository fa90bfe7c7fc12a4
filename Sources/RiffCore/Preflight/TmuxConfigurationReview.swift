// Riff
// SPDX-License-Identifier: Apache-2.0

/// The lines of a person's tmux configuration that can end, move, freeze or rename sessions, or take keys, and that
/// nothing that Riff sets on its server can undo: they have to be changed by the person.
///
/// Options and key bindings are not among them, since ``TmuxCustody`` overrides those; nor are hooks, unless they would
/// do harm when the file is read again. What a script or a plugin does when it is run cannot be seen here, only what
/// the line says.
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
        // How deep the lines are in a block that a key or a hook runs, and whether it is a hook.
        var depth = 0
        var isHook = false
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
            for statement in TmuxStatement.all(in: line.text) {
                var reason: String?
                if depth == 0, let deferred = Self.isHook(statement) {
                    isHook = deferred
                    depth = max(0, statement.balance)
                    reason = isHook ? Self.reason(ofHook: statement) : nil
                } else if depth > 0 {
                    depth = max(0, depth + statement.balance)
                    reason = isHook ? Self.reason(ofHook: statement) : nil
                } else {
                    reason = Self.reason(statement)
                }
                if let reason { problems.append(Problem(file: path, line: line.line, reason: reason)) }
            }
        }
    }

    /// Whether a statement sets a hook; `nil` if it does not say what a hook or a key does.
    private static func isHook(_ statement: TmuxStatement) -> Bool? {
        switch statement.words.first {
        case "set-hook": true
        case "bind", "bind-key": false
        default: nil
        }
    }

    private static func reason(ofHook statement: TmuxStatement) -> String? {
        danger(in: statement).map { "sets a hook that runs \($0), which is back whenever the file is read again" }
    }

    private static func reason(_ statement: TmuxStatement) -> String? {
        let words = statement.words
        guard let first = words.first else { return nil }
        // tmux takes the beginning of a command's name, if no other begins so.
        let name = first.utf8.count >= 4 ? immediate.keys.filter { $0.hasPrefix(first) }.min() ?? first : first
        if let found = immediate[first] ?? immediate[name] { return found }
        switch first {
        case "new", "new-session":
            guard let flag = words.firstIndex(of: "-s"), flag + 1 < words.count else { return nil }
            let name = words[flag + 1]
            return name == "riff" || name.hasPrefix("riff-") ? "makes the session \(name) itself" : nil
        case "run", "run-shell", "if", "if-shell":
            return danger(in: statement).map { "runs \($0) by a script, which nothing takes back" }
        case "set", "set-option", "setw", "set-window-option":
            if words.contains("@continuum-restore"), words.last == "on" {
                return "brings old sessions back, over those that are there"
            }
            if words.contains("exit-unattached"), !["off", "0"].contains(words.last) {
                return "ends all sessions when nobody looks, once the file is read again"
            }
            if statement.text.contains("#("), let found = danger(in: statement) {
                return "runs \(found) by a format, which nothing takes back"
            }
            let isOverride = words.contains { $0 == "terminal-overrides" || $0.hasPrefix("terminal-overrides[") }
            return isOverride && statement.text.contains("kf") ? "changes function keys that Riff needs" : nil
        default: return nil
        }
    }

    /// The first word of a statement that ends, moves or changes something.
    private static func danger(in statement: TmuxStatement) -> Substring? {
        let words = statement.text.split { !($0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "-" || $0 == "_") }
        return words.first { dangers.contains(String($0)) }
    }

    /// Commands that act when the file is read, or read again.
    private static let immediate: [String: String] = [
        "kill-server": "ends all sessions", "kill-session": "ends a session", "kill-window": "ends a window",
        "killw": "ends a window", "kill-pane": "ends a pane", "killp": "ends a pane",
        "respawn-pane": "ends a program", "respawnp": "ends a program", "respawn-window": "ends a program",
        "respawnw": "ends a program", "detach": "detaches terminals", "detach-client": "detaches terminals",
        "lock": "locks the terminals", "lock-server": "locks the terminals", "lock-session": "locks the terminals",
        "locks": "locks the terminals", "lock-client": "locks the terminals", "lockc": "locks the terminals",
        "suspend-client": "stops the terminals", "suspendc": "stops the terminals",
        "switch-client": "moves a terminal to another session", "switchc": "moves a terminal to another session",
        "rename": "renames a session", "rename-session": "renames a session", "send": "types keys",
        "send-keys": "types keys",
    ]

    private static let dangers: Set<String> = Set(immediate.keys).union([
        "exit-unattached", "move-pane", "movep", "join-pane", "joinp", "swap-pane", "swapp", "break-pane", "breakp",
        "unlink-window", "unlinkw", "pkill", "killall",
    ])

    /// A line of `sh` that prints the files that tmux reads, those that they name included: a line `file PATH` before
    /// each, and `conf ` before each of its lines.
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
