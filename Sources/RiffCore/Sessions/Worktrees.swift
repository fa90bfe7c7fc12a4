// Riff
// SPDX-License-Identifier: Apache-2.0

/// That each session of `claude` starts in a git worktree of its own, so that sessions in one repository do not change
/// files under each other.
///
/// It is isolation and nothing else: what was done lies on the branch `riff/SESSION`, and is merged by whoever wants
/// it. Where worktrees lie and how they are made is known to ``HostScript/claude`` alone, on the host; without that
/// script, or where it fails, a session starts in its start directory as it does without worktrees. It needs tmux 3.2
/// on the host.
public struct Worktrees: Sendable, Hashable {
    /// The folder on the host that they are kept in. `nil` is the account's data folder there:
    /// `$XDG_DATA_HOME/riff` or `~/.local/share/riff`, and `~/Library/Application Support/riff` on macOS.
    public var root: StartDirectory?

    /// Worktrees in a folder.
    public init(root: StartDirectory? = nil) { self.root = root }

    /// The flags of `new-session` that tell the script of the session; they stay with the session's environment.
    package func flags(session: SessionName, directory: StartDirectory) -> [ShellWord] {
        var variables: [(name: String, value: ShellWord)] = [
            ("RIFF_WORKTREE", "1"), ("RIFF_START_DIR", directory.shellWord),
            ("RIFF_SESSION", ShellWord(session.rawValue)),
        ]
        if let root { variables.append(("RIFF_ROOT", root.shellWord)) }
        return variables.flatMap { ["-e", .assignment($0.name, $0.value)] }
    }
}
