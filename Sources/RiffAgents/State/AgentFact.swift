// Riff
// SPDX-License-Identifier: Apache-2.0

/// The statement of one piece of evidence, in the words that all agents share.
package enum AgentFact: Sendable, Hashable {
    /// A conversation began; another one's evidence of the same agent is void.
    case session(String)
    /// No turn runs.
    case idle
    /// A turn runs. A prompt begins one; everything else only shows that it goes on.
    case working(isPrompt: Bool)
    /// A tool is about to be used; what may be asked about is this.
    case call(AgentQuestion)
    /// A tool was used, the one of this call.
    case result(AgentQuestion)
    /// A question stands. `nil` if this evidence does not say which.
    case waiting(AgentQuestion?)
    /// A question with this id is over.
    case resolved(String)
    /// A dialog or a menu of the agent's own is open.
    case dialog
    /// A turn ended.
    case ended(AgentTurnEnd)
    /// A part of the agent said something in a word that the facts do not have.
    case unrecognized(String)
    /// Nothing more comes from there: the file was removed, the session was closed.
    case gone
    /// Work in the background, all of it.
    case background([String])
    /// One piece of work in the background began, or ended.
    case child(id: String, kind: String?)
}

/// The way that a turn ended.
package enum AgentTurnEnd: Sendable, Hashable {
    case completed
    case interrupted
    case failed(String)
}

/// A fact with its kind, its source and its time.
package struct AgentEvidence: Sendable, Hashable {
    /// The kind of evidence.
    package let kind: AgentEvidenceKind
    /// Which source of that kind: a file's name, a thread's id. Sources of one kind count once.
    package let source: String
    /// When the fact came about, on the machine's time line.
    package let at: Duration
    /// Its statement.
    package let fact: AgentFact

    /// Creates a piece of evidence.
    package init(_ kind: AgentEvidenceKind, source: String = "", at: Duration, _ fact: AgentFact) {
        self.kind = kind
        self.source = source
        self.at = at
        self.fact = fact
    }
}
