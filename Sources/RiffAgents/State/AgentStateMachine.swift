// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Decides an agent's state from timed evidence, by rules that would rather not know than be wrong.
///
/// - Evidence is ordered by the time of the fact, and what is older than the process or than the conversation is void.
/// - Working needs the agent's own word (file, program report or hook), and none that says idle later.
/// - Ready and done need the agent's file to say idle and the screen to show an empty composer; a hook or a title alone
///   never proves them.
/// - Whatever disagrees for longer than a moment is unknown, and so are dialogs and words that the facts do not have.
package struct AgentStateMachine: Sendable {
    /// How long disagreeing evidence may settle before the state is unknown.
    package static let settling = Duration.milliseconds(800)
    /// How much later than a hook an agent's report in the terminal may say that a question stands.
    static let reportDelay = Duration.milliseconds(1200)
    /// How long an agent whose composer is drawn may say nothing.
    static let silenceLimit = Duration.seconds(2)
    /// The source whose word counts without a terminal: a server of the agent's that outlives it.
    static let server = Source(kind: .file, name: serverName)
    /// The name of that source.
    package static let serverName = "server"
    /// How long an agent may say nothing after its start.
    package static let startLimit = Duration.seconds(10)
    /// The most sources of evidence, open questions and pieces of background work that are kept.
    static let limit = 64

    /// Where a claim comes from.
    struct Source: Hashable, Sendable {
        let kind: AgentEvidenceKind
        let name: String
    }

    /// What one source said last about the turn.
    struct Claim: Hashable, Sendable {
        enum Activity: Hashable, Sendable { case idle, busy, waiting, dialog, unrecognized(String) }
        let at: Duration
        let activity: Activity
        /// Whether it is about a prompt, which begins a turn.
        var isPrompt = false
    }

    /// The agent's process.
    enum ProcessState: Hashable, Sendable {
        case unseen
        case running(since: Duration)
        case over(at: Duration, AgentExit)
    }

    /// Whether the agent is in a terminal. One without is judged by its own word alone.
    let hasTerminal: Bool
    /// Whether one without a terminal is at rest by its own file's word alone: nothing can be typed there.
    package var trustsOwnWord = false
    var process = ProcessState.unseen
    var claims: [Source: Claim] = [:]
    var screen: (reading: ScreenReading, at: Duration)?
    /// Since when a composer is on the screen.
    var composerSince: Duration?
    /// Whether a turn was seen since the conversation began.
    var hasTurn = false
    /// How the last turn ended; `nil` once a new one runs.
    var end: (end: AgentTurnEnd, at: Duration)?
    /// The conversation that the agent's own file names, and the one that each kind speaks of.
    var session: String?
    var sessionOf: [AgentEvidenceKind: String] = [:]
    /// Questions that hooks or calls told, and that are not over.
    var questions: [AgentEvidenceKind: [AgentQuestion]] = [:]
    /// The tool that was used last, with its result or without.
    var lastCall: (question: AgentQuestion, at: Duration, isOpen: Bool)?
    var background: [Source: [String]] = [:]
    var children: [String: String] = [:]
    /// The state that was told last, and since when it is contradicted.
    var standing = AgentState.unknown("nothing was seen yet")
    var contradictedSince: Duration?
    /// The rest that was proved last, until it was over or in doubt for longer than a moment: frames that are half
    /// drawn lack a composer.
    var provedRest: AgentState?
    /// Whether text in the composer is as good as none: it is known who typed it, and that it is all of it.
    var trustsDraft = false
    /// When time alone may change the state.
    var wakeup: Duration?

    /// Creates a machine that has seen nothing.
    ///
    /// - Parameter hasTerminal: Whether the agent is in a terminal.
    package init(hasTerminal: Bool) { self.hasTerminal = hasTerminal }

    /// The newest claim of a kind, of all its sources.
    func claim(_ kind: AgentEvidenceKind) -> Claim? {
        claims.filter { $0.key.kind == kind }.values.max { $0.at < $1.at }
    }

    /// When the next look at the clock can change the state; `nil` if only evidence can.
    package var deadline: Duration? {
        var deadlines: [Duration] = []
        if let contradictedSince, standing.outlastsDoubt { deadlines.append(contradictedSince + Self.settling) }
        if let wakeup { deadlines.append(wakeup) }
        return deadlines.min()
    }

    // MARK: Events

    /// Takes evidence.
    package mutating func handle(_ evidence: AgentEvidence) {
        let source = Source(kind: evidence.kind, name: evidence.source)
        // Another conversation's hooks: a helper's, or one that the agent has left.
        if evidence.kind == .hook || evidence.kind == .record, case .session = evidence.fact {
        } else if isForeign(evidence.kind) {
            return
        }
        if let claim = claims[source], claim.at > evidence.at { return }
        take(evidence, source)
    }

    /// Takes what the screen shows.
    package mutating func handle(_ reading: ScreenReading, at: Duration) {
        screen = (reading, at)
        if reading.composer == .absent { composerSince = nil } else { composerSince = composerSince ?? at }
    }

    /// The process began: everything older is void, but what a server says that outlives it.
    package mutating func start(at: Duration) {
        process = .running(since: at)
        claims = claims.filter { $0.key == Self.server }
        background = background.filter { claims[$0.key] != nil }
        if claims.isEmpty {
            questions = [:]
            end = nil
            hasTurn = false
        }
        children = [:]
        session = nil
        sessionOf = [:]
        lastCall = nil
        screen = nil
        composerSince = nil
        provedRest = nil
    }

    /// The process is over.
    package mutating func exit(_ exit: AgentExit, at: Duration) { process = .over(at: at, exit) }

    /// Looks at everything anew.
    ///
    /// - Returns: The state at this time.
    package mutating func evaluate(at now: Duration) -> AgentState {
        if let contradictedSince, now - contradictedSince >= Self.settling { provedRest = nil }
        switch verdict(at: now) {
        case .state(let state):
            contradictedSince = nil
            standing = state
            provedRest = state == .ready || state == .done ? state : nil
        case .unsettled(let reason):
            let since = contradictedSince ?? now
            contradictedSince = since
            // What was true a moment ago may stand while evidence comes in; that an agent takes a prompt may not.
            if now - since >= Self.settling || !standing.outlastsDoubt { standing = .unknown(reason) }
        }
        return standing
    }
}

extension AgentState {
    /// Whether it may stand for a moment against evidence that is not complete.
    fileprivate var outlastsDoubt: Bool {
        switch self {
        case .starting, .working, .waiting, .dialog: true
        case .ready, .done, .interrupted, .failed, .exited, .unknown: false
        }
    }
}
