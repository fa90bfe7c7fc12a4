// Riff
// SPDX-License-Identifier: Apache-2.0

/// A shell script that comes with this library and runs on the host.
///
/// Its text is compiled in, because a resource in a bundle may be missing where the program ends up, and asking for it
/// then ends the program.
package struct HostScript: Sendable, Hashable {
    /// Its file name.
    package let name: String
    /// What is in the file.
    package let text: String

    /// Starts `claude`, in a worktree where one is asked for.
    package static let claude = HostScript(name: "riff-claude.sh", text: claudeText)
    /// Removes a session's worktree.
    package static let worktreeRemove = HostScript(name: "riff-worktree-remove.sh", text: worktreeRemoveText)

    /// All of them; they belong into one folder.
    package static let all = [claude, worktreeRemove]

    /// The folders in which `sh` finds the kit's scripts. Relative paths are invalid in the variable (XDG Base
    /// Directory Specification), and must not lead into the current folder.
    package static let kitFolders = ["/${XDG_DATA_HOME#/}/riff/kit/bin", "$HOME/.local/share/riff/kit/bin"]

    /// The program and arguments that run the script where it is installed, and something else where it is not.
    ///
    /// It is looked for on the PATH, then in the kit, and then where ``HostScriptInstallation`` puts it: on macOS the
    /// PATH of a login shell does not lead there.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the script.
    ///   - otherwise: A line for `sh`, with the same arguments in `"$@"`.
    /// - Returns: The words of one command.
    package func words(_ arguments: [ShellWord], otherwise: String) -> [ShellWord] {
        let line =
            #"for script in "$(command -v "$0")" "\#(Self.kitFolders[0])/$0" "\#(Self.kitFolders[1])/$0" "#
            + #""$HOME/.local/bin/$0"; do"#
            + #" test -x "$script" && exec "$script" "$@"; done; "# + otherwise
        return ["sh", "-c", ShellWord(line), ShellWord(name)] + arguments
    }
}
