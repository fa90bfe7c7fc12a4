// Riff
// SPDX-License-Identifier: Apache-2.0

/// The bindings behind ``SafeKey``: what puts them on a server, and what shows that they are there.
package struct SafeKeyBindings: Sendable {
    /// A key of a key table.
    struct Key: Hashable {
        let table: String
        let name: String
    }

    /// The table in which the session's keys are looked up when its pane is in no mode.
    let root: String

    /// - Parameter server: The server: on Riff's own, the keys are looked up in a table that no other program binds
    ///   keys in.
    package init(_ server: TmuxServer) { root = server.isRiffs ? SafeKey.root : "root" }

    /// Returns the command that each key runs, as words, but for the key of a session. Within a mode `copy-mode -q`
    /// leaves all modes of the pane at once; `send-keys -X cancel` would leave tree mode on.
    func commands(in root: String) -> [Key: [String]] {
        let leave = ["if-shell", "-F", "#{pane_in_mode}", "copy-mode -q"]
        var commands = [
            Key(table: root, name: "F12"): leave,
            Key(table: "copy-mode", name: "F12"): ["copy-mode", "-q"],
            Key(table: "copy-mode-vi", name: "F12"): ["copy-mode", "-q"],
            Key(table: root, name: "C-S-F11"): ["send-keys", "Escape"],
            Key(table: SafeKey.table, name: "C-c"): leave,
        ]
        for table in [root, "copy-mode", "copy-mode-vi", SafeKey.table] {
            commands[Key(table: table, name: "C-S-F12")] = ["switch-client", "-T", SafeKey.table]
        }
        return commands
    }

    /// Returns the command that the key of a session runs: a client that tmux has moved elsewhere is detached, before
    /// it takes another key.
    static func place(_ session: TmuxSessionID) -> [String] {
        ["if-shell", "-F", "#{!=:#{session_id},\(session.rawValue)}", "detach-client"]
    }

    /// The same for the session whose identifier is in the shell's variable `id`, and its key in `key`.
    private var placing: [[ShellWord]] {
        let isElsewhere = ShellWord([.text("#{!=:#{session_id},"), .variable("id"), .text("}")])
        let tables = root == "root" ? [root] : [root, "root"]
        return tables.map {
            [
                "bind-key", "-T", ShellWord($0), ShellWord([.variable("key")]), "if-shell", "-F", isElsewhere,
                "detach-client",
            ]
        }
    }

    /// Sets `key` to the character of ``SafeKey/placeCharacter(_:)``, out of `id`: four bytes of UTF-8.
    static let findingKey =
        #"n=$((${id#?} % 65520)) && key=$(printf "\\364\\$(printf %o $((128 + n / 4096)))"#
        + #"\\$(printf %o $((128 + n / 64 % 64)))\\$(printf %o $((128 + n % 64)))")"#

    /// The mouse bindings in the table of Riff's own sessions: those of tmux, without menus and without a button that
    /// pastes copied text.
    private static let mouse: [(name: String, command: [ShellWord])] = {
        let isProgramsOwn: ShellWord = "#{||:#{pane_in_mode},#{mouse_any_flag}}"
        func select(_ what: String) -> ShellWord {
            ShellWord("copy-mode -H ; send-keys -X \(what) ; run-shell -d 0.3 ; send-keys -X copy-pipe-and-cancel")
        }
        return [
            ("WheelUpPane", ["if-shell", "-F", isProgramsOwn, "send-keys -M", "copy-mode -e"]),
            ("MouseDown1Pane", ["if-shell", "-F", "1", "select-pane -t = ; send-keys -M"]),
            ("MouseDrag1Pane", ["if-shell", "-F", isProgramsOwn, "send-keys -M", "copy-mode -M"]),
            ("MouseDrag1Border", ["resize-pane", "-M"]),
            ("MouseDown1Status", ["select-window", "-t", "="]),
            ("DoubleClick1Pane", ["if-shell", "-F", isProgramsOwn, "send-keys -M", select("select-word")]),
            ("TripleClick1Pane", ["if-shell", "-F", isProgramsOwn, "send-keys -M", select("select-line")]),
        ]
    }()

    /// The format that `display-message` is given for the session: its identity, and the options that decide whether
    /// keys are looked up at all.
    static let options =
        optionsMark + "#{session_id} #{session_created} #{assume-paste-time} #{key-table} #{prefix} #{prefix2}"

    static let optionsMark = "riff-options "

    /// The calls of `bind-key`, in a fixed order. They stand in the `root` table as well: a client that was moved to a
    /// session outside of Riff must not let them through to its program.
    var installing: [[ShellWord]] {
        var commands = commands(in: root)
        commands.merge(self.commands(in: "root")) { own, _ in own }
        let keys = commands.keys.sorted { ($0.table, $0.name) < ($1.table, $1.name) }
        let safe = keys.map { Self.bind($0.table, $0.name, (commands[$0] ?? []).map { ShellWord($0) }) }
        return placing + (root == "root" ? safe : safe + Self.mouse.map { Self.bind(root, $0.name, $0.command) })
    }

    private static func bind(_ table: String, _ name: String, _ command: [ShellWord]) -> [ShellWord] {
        ["bind-key", "-T", ShellWord(table), ShellWord(name)] + command
    }

    /// The tables whose bindings are read back.
    var tables: [String] { [root, "copy-mode", "copy-mode-vi", SafeKey.table] }
}

extension TmuxServer {
    /// Binds the safe keys, and lists what is then bound, for ``SafeKeyCheck``.
    ///
    /// tmux takes keys that come faster than `assume-paste-time` for a paste and looks none of them up: `ab` and a safe
    /// key in one burst would reach the program with the safe key in it. So that time is 0 here.
    ///
    /// - Parameter name: The session whose options count.
    /// - Returns: A line of `sh`; it fails if the server or the session is not there.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package func installSafeKeys(for name: SessionName) throws(CoreError) -> String {
        let bindings = SafeKeyBindings(self)
        let pane = name.paneTarget
        // For the session as well, which a configuration that is read again leaves alone.
        let set: [[ShellWord]] =
            [["set-option", "-g", "assume-paste-time", "0"], ["set-option", "-t", pane, "assume-paste-time", "0"]]
            + TmuxCustody.session(name)
        let list: [[ShellWord]] = bindings.tables.map { ["list-keys", "-T", ShellWord($0)] }
        let ask: [[ShellWord]] = [["display-message", "-p", "-t", pane, ShellWord(SafeKeyBindings.options)]]
        // Only once it is filled.
        let use: [[ShellWord]] =
            isRiffs ? [["set-option", "-q", "-t", pane, "key-table", ShellWord(SafeKey.root)]] : []
        let whole = TmuxCommand(socket, commands: set + bindings.installing + use + list + ask)
        let identify = try TmuxCommand(socket, ["display-message", "-p", "-t", pane, "#{session_id}"]).line()
        return "id=$(\(identify)) && \(SafeKeyBindings.findingKey) && \(try whole.line())"
    }

    /// Asks which session has a name; any tmux answers.
    package func identify(_ name: SessionName) -> TmuxCommand {
        TmuxCommand(socket, ["display-message", "-p", "-t", name.paneTarget, "#{session_id} #{session_created}"])
    }
}
