// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// One agent in the list of an ``AgentBoard``.
public struct AgentListing: Sendable, Hashable, Identifiable {
    /// The place of an agent on its host.
    public enum Place: Sendable, Hashable {
        /// A pane of the host's tmux server: the session's name, and tmux's id of the pane, such as `%3`.
        case pane(session: String, id: String)
        /// A process that this tmux server does not have: in another terminal, or started by a desktop program.
        case process
        /// A job that Claude Code runs in the background, by its id.
        case job(String)
        /// A conversation of Codex that its server keeps without a terminal.
        case thread
    }

    /// The agent's id, which stays while it runs and is another one on each host.
    public let id: String
    /// The host's name, as it was given to the board.
    public let host: String
    /// The kind of agent.
    public let kind: AgentKind
    /// The place where it runs.
    public let place: Place
    /// Its state with what proves it. Without a hook and a report in the terminal it has fewer kinds of evidence than
    /// an ``AgentObserver`` that is fed with them. Without a pane the agent's own word alone says that it is at rest.
    public let report: AgentReport
    /// The directory that it works in, harmless for a terminal; `nil` if it is not known.
    public let directory: String?
    /// The title of its terminal or its own name, harmless for a terminal; `nil` for none.
    public let title: String?
    /// The id of its conversation, for ``AgentStart/Conversation/resumed(_:)``; `nil` if it is not known.
    public let conversation: String?
    /// The number of its process; `nil` for a thread.
    public let pid: Int?
}

/// The agents of all hosts of a board, and the hosts' own conditions.
public struct AgentBoardSnapshot: Sendable, Hashable {
    /// The condition of one host.
    public struct Host: Sendable, Hashable {
        /// Its name, as it was given to the board.
        public let name: String
        /// Whether its agents are as the last look saw them; `false` before the first look and while its link is away.
        public internal(set) var isFresh = false
        /// The reason that it cannot be looked at; `nil` if it can.
        public internal(set) var problem: Problem?
        /// Things that it lacks, such as `no tmux`: there is less evidence without them.
        public internal(set) var lacks: [String] = []
    }

    /// The agents, by host in the order in which hosts were added, each host's in the order in which they came.
    public internal(set) var agents: [AgentListing] = []
    /// The hosts, in the order in which they were added.
    public internal(set) var hosts: [Host] = []

    /// Creates an empty board.
    public init() {}
}
