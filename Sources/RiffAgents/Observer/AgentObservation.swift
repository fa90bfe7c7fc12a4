// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// One thing that was seen of an agent.
public enum AgentObservation: Sendable, Hashable {
    /// Its process began, for the first time or again. What was seen of an earlier one is void.
    case started
    /// Its process is over.
    case exited(AgentExit)
    /// Bytes that it wrote to its terminal, split anywhere. They have to be the program's own, as tmux's `pipe-pane`
    /// and control mode tell them; an attached client's are not.
    case terminal([UInt8])
    /// Its terminal has another size.
    case resized(TerminalSize)
    /// The current contents of its status file (Claude Code: `~/.claude/sessions/<pid>.json`); `nil` if the file is
    /// gone.
    case statusFile([UInt8]?)
    /// The JSON that it gave to a hook on standard input.
    case hook([UInt8])
    /// A line that was added to its record (a transcript or a rollout), without its end, and the file's name.
    case recordLine([UInt8], file: String)
    /// A message of its server to a client (Codex's app-server), JSON.
    case serverMessage([UInt8])
    /// The connection to its server was lost: what the server said before is void.
    case serverLost
}
