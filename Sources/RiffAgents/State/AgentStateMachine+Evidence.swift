// Riff
// SPDX-License-Identifier: Apache-2.0

extension AgentStateMachine {
    /// Whether what this kind says is about another conversation than the one that the agent's own file names.
    func isForeign(_ kind: AgentEvidenceKind) -> Bool {
        guard kind == .hook || kind == .record, let session, let spoken = sessionOf[kind] else { return false }
        return !spoken.utf8.elementsEqual(session.utf8)
    }

    mutating func take(_ evidence: AgentEvidence, _ source: Source) {
        let at = evidence.at
        switch evidence.fact {
        case .session(let id): begin(id, source, at)
        case .idle: rest(source, at)
        case .working(let isPrompt): work(isPrompt, source, at)
        case .call(let question):
            claim(.busy, source, at)
            lastCall = (question, at, true)
        case .result(let question): result(question, source, at)
        case .waiting(let question):
            claim(.waiting, source, at)
            hasTurn = true
            guard let question else { break }
            questions[source.kind, default: []].removeAll { $0 == question }
            questions[source.kind, default: []].append(question)
            if questions[source.kind, default: []].count > Self.limit { questions[source.kind]?.removeFirst() }
        case .resolved(let id):
            questions[source.kind]?.removeAll { $0.id.map { $0.utf8.elementsEqual(id.utf8) } ?? false }
            if claims[source]?.activity == .waiting, questions[source.kind]?.isEmpty ?? true {
                claim(.busy, source, at)
            }
        case .dialog: claim(.dialog, source, at)
        case .ended(let end): finish(end, source, at)
        case .unrecognized(let word): claim(.unrecognized(word), source, at)
        case .gone:
            claims[source] = nil
            questions[source.kind] = nil
        case .background(let kinds): background[source] = Array(kinds.prefix(Self.limit))
        case .child(let id, let kind): child(id, kind)
        }
    }

    private mutating func claim(_ activity: Claim.Activity, _ source: Source, _ at: Duration) {
        guard claims[source] != nil || claims.count < Self.limit else { return }
        claims[source] = Claim(at: at, activity: activity)
        if activity != .waiting { questions[source.kind] = nil }
    }

    /// Another conversation voids what hooks and records said of the one before.
    private mutating func begin(_ id: String, _ source: Source, _ at: Duration) {
        let known = sessionOf[source.kind]
        sessionOf[source.kind] = id
        let isOwn = source.kind == .file
        if isOwn { session = id }
        guard let known, !known.utf8.elementsEqual(id.utf8), isOwn || session == nil else { return }
        claims = claims.filter { $0.value.at >= at || $0.key.kind == .program || $0.key == source }
        questions = questions.filter { $0.key == .program }
        hasTurn = false
        end = nil
        lastCall = nil
    }

    private mutating func work(_ isPrompt: Bool, _ source: Source, _ at: Duration) {
        claim(.busy, source, at)
        claims[source]?.isPrompt = isPrompt
        guard source.kind != .record else { return }
        // A report in the terminal also says it for a moment at the start, when no turn runs.
        if source.kind != .program || isPrompt { hasTurn = true }
        // A report in the terminal flickers while a turn is ended.
        if isPrompt || source.kind == .file, end.map({ $0.at < at }) ?? true { end = nil }
    }

    private mutating func rest(_ source: Source, _ at: Duration) {
        if let last = claims[source], last.activity == .busy, at - last.at > Self.settling { hasTurn = true }
        claim(.idle, source, at)
    }

    /// A tool was used: its question is over, others of the same turn may stand.
    private mutating func result(_ question: AgentQuestion, _ source: Source, _ at: Duration) {
        let open = questions[source.kind, default: []].filter {
            $0.tool != question.tool || $0.subject != question.subject
        }
        if claims[source]?.activity == .waiting, !open.isEmpty {
            questions[source.kind] = open
            return
        }
        claim(.busy, source, at)
        if lastCall?.question.tool == question.tool { lastCall = (question, at, false) }
    }

    private mutating func finish(_ new: AgentTurnEnd, _ source: Source, _ at: Duration) {
        claim(.idle, source, at)
        // The record comes late: it tells how a turn ended that others said is over, and nothing of a newer one.
        if source.kind == .record,
            let busy = [claim(.file), claim(.hook)].compactMap({ $0 }).filter({ $0.activity == .busy })
                .map(\.at).max(), busy > at
        {
            return
        }
        hasTurn = true
        lastCall = nil
        // A turn that failed or was interrupted is over in the agent's other words as well.
        if let end, end.end != .completed, new == .completed { return }
        end = (new, at)
    }

    private mutating func child(_ id: String, _ kind: String?) {
        guard let kind else {
            children[id] = nil
            return
        }
        guard children[id] != nil || children.count < Self.limit else { return }
        // A kind that says more stays.
        if kind != "task" || children[id] == nil { children[id] = kind }
    }

    /// The kinds of work in the background.
    var backgroundKinds: [String] {
        var kinds = Set(background.values.joined()).union(children.values)
        if let screen { kinds.formUnion(screen.reading.background) }
        if kinds.count > 1 { kinds.remove("task") }
        return kinds.sorted()
    }
}
