// Riff
// SPDX-License-Identifier: Apache-2.0

/// An agent's state with what proves it.
public struct AgentReport: Sendable, Hashable {
    /// One kind of evidence and what it says last.
    public struct Evidence: Sendable, Hashable {
        /// Which kind it is.
        public let kind: AgentEvidenceKind
        /// Its statement in a word or two, such as `idle`.
        public let says: String
        /// When that became so, on the caller's time line.
        public let at: Duration
    }

    /// The state of the agent.
    public let state: AgentState
    /// Kinds of work that goes on behind the turn, sorted: `shell`, `subagent`, `terminal`.
    public let background: [String]
    /// Text that stands in the composer and was not sent; `nil` if no composer is on the screen.
    public let hasDraft: Bool?
    /// The newest evidence of each kind. The age of one is the caller's time less its ``Evidence/at``.
    public let evidence: [Evidence]
}

/// The kinds of evidence about an agent. Two pieces of one kind count once.
public enum AgentEvidenceKind: String, Sendable, Hashable, CaseIterable {
    /// The agent's own record of its state: a status file, a rollout, a remote procedure call.
    case file = "F"
    /// A report of the Program Status Protocol in the terminal's bytes (OSC 7501).
    case program = "O"
    /// A hook that the agent ran.
    case hook = "H"
    /// A line of the conversation's record.
    case record = "R"
    /// The terminal's screen.
    case screen = "S"
    /// The process table.
    case process = "P"
}
