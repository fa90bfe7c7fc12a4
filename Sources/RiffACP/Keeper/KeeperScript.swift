// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The script that keeps agents on a host, and the lines that run it there.
///
/// It lies on the host under a name with its digest, so that clients of different versions do not take each other's: in
/// the kit, where one was installed with it, and else below `~/.local/state/riff`.
enum KeeperScript {
    /// Its file's name.
    static let file: String = {
        // FNV-1a: it tells versions apart, nothing more.
        let digest = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return "riff-keeper-\(String(digest, radix: 16)).sh"
    }()

    /// Puts the script there, unless the kit has it, and starts an agent; the text is the line's input.
    static func start(_ name: String, keptBytes: Int, line: String) throws(CoreError) -> String {
        try run(
            "folder=$HOME/.local/state/riff; case $script in \"$folder\"/*) umask 077; mkdir -p \"$folder\" "
                + "&& cat >\"$folder/.$1.$$\" && mv -f \"$folder/.$1.$$\" \"$folder/$1\" || exit ;; *) cat >/dev/null ;; esac",
            ["start", name, String(keptBytes), line]
        )
    }

    /// Attaches a client: everything from a byte on, or from the oldest one that is kept.
    static func attach(_ name: String, client: String, from: UInt64?, marker: String) throws(CoreError) -> String {
        try run(isThere + "exit 3", ["attach", name, client, from.map(String.init) ?? "oldest", marker])
    }

    /// Ends an agent.
    static func end(_ name: String) throws(CoreError) -> String {
        try run(isThere + "exit 3", ["end", name])
    }

    /// Lists what is kept; nothing where the script was never put.
    static func list() throws(CoreError) -> String {
        try run(isThere + "exit 0", ["list"])
    }

    private static let isThere = #"test -e "$script" || "#

    /// Sets `script` to the first that is there, and else to the last.
    private static let find =
        (HostScript.kitFolders + ["$HOME/.local/state/riff"]).reduce("for script in") { "\($0) \"\($1)/$1\"" }
        + #"; do test -e "$script" && break; done; "#

    /// Names the programs that are missing, one a line.
    static func missingTools() throws(CoreError) -> String {
        let tools = ["tmux", "mkfifo", "dd", "head", "tail", "wc", "cat", "mv", "rm", "sleep", "grep"]
        let line = #"for tool; do command -v "$tool" >/dev/null || echo "$tool"; done"#
        return try LoginShellCommand(ShellQuoting.join(["sh", "-c", line, "sh"] + tools)).line
    }

    /// Returns the line by which `sh` first does what precedes the script, and then runs the script with arguments. The
    /// login shell finds tmux where the person does.
    private static func run(_ before: String, _ arguments: [String]) throws(CoreError) -> String {
        let line = find + before + #"; shift; exec sh "$script" "$@""#
        return try LoginShellCommand(ShellQuoting.join(["exec", "sh", "-c", line, "sh", file] + arguments)).line
    }
}
