// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The command that starts an agent; ``AgentAdapter/launch(_:)`` makes one.
public struct AgentLaunch: Sendable, Hashable {
    /// The kind of agent.
    public let agent: AgentKind
    /// The program and its arguments.
    public let words: [String]
    /// Variables for it alone.
    public let environment: [String: String]
    /// The conversation's id; `nil` if the agent makes it up later.
    public let conversation: String?

    /// The command as a line for dash, bash, zsh and fish (from 3.1 on, if there are variables).
    ///
    /// - Returns: The line.
    /// - Throws: `CoreError` with `nulInArgument`.
    public func line() throws(CoreError) -> String {
        var parts: [String] = []
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) {
            parts.append("\(name)=\(try ShellQuoting.quote(value))")
        }
        parts.append(try ShellQuoting.join(words))
        return parts.joined(separator: " ")
    }

    /// The wish for a session that runs it.
    ///
    /// Worktrees and the other settings for `claude` do not count for it: its command is whole.
    ///
    /// - Parameter directory: Where it starts; the home directory if `nil`.
    /// - Returns: The wish, for `SessionManager.create`.
    /// - Throws: `CoreError` with `nulInArgument`.
    public func spec(in directory: StartDirectory? = nil) throws(CoreError) -> NewSessionSpec {
        NewSessionSpec(directory: directory, harness: .custom(try line()))
    }
}
