// Riff
// SPDX-License-Identifier: Apache-2.0

/// The bindings behind ``SafeKey``: what puts them on a server, and what shows that they are there.
package enum SafeKeyBindings {
    /// A key of a key table.
    struct Key: Hashable {
        let table: String
        let name: String
    }

    /// What each key runs, as words. Within a mode `copy-mode -q` leaves all modes of the pane at once; `send-keys -X
    /// cancel` would leave tree mode on.
    static let commands: [Key: [String]] = {
        let leave = ["if-shell", "-F", "#{pane_in_mode}", "copy-mode -q"]
        var commands = [
            Key(table: "root", name: "F12"): leave,
            Key(table: "copy-mode", name: "F12"): ["copy-mode", "-q"],
            Key(table: "copy-mode-vi", name: "F12"): ["copy-mode", "-q"],
            Key(table: "root", name: "C-S-F11"): ["send-keys", "Escape"],
            Key(table: SafeKey.table, name: "C-c"): leave,
        ]
        for table in tables { commands[Key(table: table, name: "C-S-F12")] = ["switch-client", "-T", SafeKey.table] }
        return commands
    }()

    static let tables = ["root", "copy-mode", "copy-mode-vi", SafeKey.table]

    /// What `display-message` tells about the session: its own identifier, which no other session of the server ever
    /// has, and the options that decide whether keys are looked up at all.
    static let options = optionsMark + "#{session_id} #{assume-paste-time} #{key-table} #{prefix} #{prefix2}"

    static let optionsMark = "riff-options "

    /// The calls of `bind-key`, in a fixed order.
    static var installing: [[ShellWord]] {
        let keys = commands.keys.sorted { ($0.table, $0.name) < ($1.table, $1.name) }
        return keys.map { key in
            ["bind-key", "-T", ShellWord(key.table), ShellWord(key.name)] + (commands[key] ?? []).map { ShellWord($0) }
        }
    }
}

extension TmuxServer {
    /// Binds the safe keys, and lists what is then bound, for ``SafeKeyCheck``.
    ///
    /// tmux takes keys that come faster than `assume-paste-time` for a paste and looks none of them up: `ab` and a safe
    /// key in one burst would reach the program with the safe key in it. So that time is 0 here.
    ///
    /// - Parameter name: The session whose options count.
    /// - Returns: The call; it fails where the server or the session is not there.
    package func installSafeKeys(for name: SessionName) -> TmuxCommand {
        let set: [[ShellWord]] = [["set-option", "-g", "assume-paste-time", "0"]]
        let list: [[ShellWord]] = SafeKeyBindings.tables.map { ["list-keys", "-T", ShellWord($0)] }
        let ask: [[ShellWord]] = [["display-message", "-p", "-t", name.paneTarget, ShellWord(SafeKeyBindings.options)]]
        return TmuxCommand(socket, commands: set + SafeKeyBindings.installing + list + ask)
    }

    /// Asks what the server calls a session by itself; any tmux answers.
    package func identify(_ name: SessionName) -> TmuxCommand {
        TmuxCommand(socket, ["display-message", "-p", "-t", name.paneTarget, "#{session_id}"])
    }
}
