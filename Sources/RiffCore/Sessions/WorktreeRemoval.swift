// Riff
// SPDX-License-Identifier: Apache-2.0

/// The outcome of removing a session's worktrees after the session was closed.
///
/// Its branch always stays. A worktree stays too where it holds work that no commit has, and is told in ``kept``.
public struct WorktreeRemoval: Sendable, Hashable {
    /// The folders that are gone.
    public let removed: [String]
    /// The folders that are still there, each with the reason after a colon: text to show.
    public let kept: [String]

    /// Reads what ``line(for:in:)`` wrote; lines of another kind are passed over.
    ///
    /// - Parameter output: Its standard output.
    package init(output: [UInt8]) {
        let lines = String(decoding: output, as: UTF8.self).split(byte: "\n")
        func rest(after word: String) -> [String] {
            lines.compactMap { $0.dropping(prefix: word).map { InertText.line(String($0)) } }
        }
        removed = rest(after: "removed ")
        kept = rest(after: "kept ")
    }

    /// The line for a ``ManagementCommand`` that removes them. Close the session first, and do not wait for it: nothing
    /// depends on it, and the next session of the name takes over what is left. It does nothing where the script is not
    /// on the host. The status is 3 where a worktree was kept.
    ///
    /// - Parameters:
    ///   - session: The session that was closed.
    ///   - worktrees: As it was when the session was made.
    /// - Returns: A line for `sh`.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    public static func line(for session: SessionName, in worktrees: Worktrees) throws(CoreError) -> String {
        let root: [ShellWord] = worktrees.root.map { ["env", .assignment("RIFF_ROOT", $0.shellWord)] } ?? []
        let script = HostScript.worktreeRemove.words([ShellWord(session.rawValue)], otherwise: "exit 0")
        return try (root + script).quotedLine()
    }
}
