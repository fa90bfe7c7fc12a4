// Riff
// SPDX-License-Identifier: Apache-2.0

/// The state of a connection to Codex's server, and of the conversation that it is about.
public struct CodexStatus: Sendable, Hashable {
    /// The state of the connection.
    public enum Phase: Sendable, Hashable {
        /// There is none yet, or the last one was lost; the reason is a sentence, empty before the first one.
        case connecting(String)
        /// The conversation is being looked for.
        case finding
        /// The conversation is not loaded there. It is looked for again every two seconds.
        case noThread
        /// Several conversations are in the folder, and none is chosen: see ``CodexStatus/candidates``.
        case severalThreads
        /// The conversation has no prompt yet, so that it cannot be joined: a prompt can be given, and nothing is told
        /// about it. It is tried again every two seconds.
        case unbegun
        /// The conversation is joined, and its events arrive.
        case joined
    }

    /// The state of the connection.
    public package(set) var phase = Phase.connecting("")
    /// The conversation's id, once it is found.
    public package(set) var thread: String?
    /// The conversations to choose from, if there are several.
    public package(set) var candidates: [CodexThread] = []
    /// The turn that runs, while the conversation is joined.
    public package(set) var turn: String?
    /// The questions that stand, oldest first. They are delivered again after each loss.
    public package(set) var questions: [AgentQuestion] = []
    /// The number of messages that were ignored: malformed, of an unknown kind, or too many.
    public package(set) var ignoredMessages = 0

    package init() {}
}
