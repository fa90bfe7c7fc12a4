// Riff
// SPDX-License-Identifier: Apache-2.0

extension AgentStateMachine {
    enum Verdict: Hashable {
        /// All that it needs is there.
        case state(AgentState)
        /// Evidence disagrees or is missing; that may be because it is not all there yet.
        case unsettled(String)
    }

    /// The activity of file, program report and hook, the three that may say that an agent works.
    private struct Voices {
        var busy: Duration?
        var idle: Duration?
        var waiting: Duration?
        var isSilent = true

        init(_ claims: [Claim?]) {
            for case let claim? in claims {
                isSilent = false
                switch claim.activity {
                case .busy: busy = max(busy ?? claim.at, claim.at)
                case .idle: idle = max(idle ?? claim.at, claim.at)
                case .waiting: waiting = max(waiting ?? claim.at, claim.at)
                case .dialog, .unrecognized: break
                }
            }
        }
    }

    mutating func verdict(at now: Duration) -> Verdict {
        wakeup = nil
        if hasTerminal {
            switch process {
            case .unseen: return .state(.unknown("nothing was seen yet"))
            case .over(let at, let exit):
                // A server that goes on without its terminal speaks for itself.
                guard let server = claims[Self.server], server.at > at else { return .state(.exited(exit)) }
                return verdictOfFile(server)
            case .running(let since):
                return verdictInTerminal(now, since: since)
            }
        }
        // A thread of a server is known by what the server says. Everything else needs a screen to be called at rest.
        if let server = claims[Self.server] { return verdictOfFile(server) }
        if trustsOwnWord, let file = claim(.file) { return verdictOfFile(file) }
        guard !claims.isEmpty else { return .state(.unknown("nothing was seen yet")) }
        return verdictInTerminal(now, since: .zero)
    }

    /// An agent without a terminal is judged by its own word alone.
    private func verdictOfFile(_ file: Claim) -> Verdict {
        switch file.activity {
        case .busy: .state(.working)
        case .waiting: .state(.waiting(questions[.file]?.last))
        case .dialog: .state(.dialog("dialog"))
        case .idle: .state(resting)
        case .unrecognized(let word): .state(.unknown("it reports \(word), which is not known"))
        }
    }

    /// Idle, by how the last turn ended.
    private var resting: AgentState {
        guard hasTurn else { return .ready }
        return switch end?.end {
        case .failed(let reason): .failed(reason)
        case .interrupted: .interrupted
        case .completed, nil: .done
        }
    }

    private mutating func verdictInTerminal(_ now: Duration, since: Duration) -> Verdict {
        let file = claim(.file)
        var program = claim(.program)
        var hook = claim(.hook)
        if let asked = hook, asked.activity == .waiting {
            if isTakenBack(asked, file, program, now) {
                hook = nil
            } else if let report = program, report.at > asked.at, report.activity != .waiting {
                // It may be on its way still.
                program = nil
            }
        }
        if let late = hook, isLate(late, file) { hook = nil }
        let voices = Voices([file, program, hook])
        if voices.isSilent { return verdictOfStart(now, since: since) }
        let reading = screen?.reading ?? ScreenReading()
        if reading.hasTrouble { return .state(.unknown("it does not reach its server")) }

        if let waiting = voices.waiting {
            let isNewest = waiting >= max(voices.busy ?? .zero, voices.idle ?? .zero)
            if isNewest || reading.question != nil || reading.hold != nil { return .state(.waiting(question(reading))) }
        }
        if let question = reading.question { return .state(.waiting(question)) }
        if file?.activity == .dialog || reading.dialog != nil || reading.hold != nil {
            return verdictOfDialog(reading, file)
        }
        if reading.hasOptions { return .unsettled("a dialog stands there that is not known") }
        if let busy = voices.busy, busy > voices.idle ?? .zero {
            if voices.waiting != nil { return .unsettled("a question was not taken back") }
            // Its own report in the terminal would know better.
            if reading.titleWaits, program == nil { return .state(.waiting(question(reading))) }
            return .state(.working)
        }
        if voices.waiting != nil { return .unsettled("a question was not taken back") }
        return verdictOfRest(reading, now, file: file, program: program, hook: hook)
    }

    /// Whether a question that a hook told is over by what the agent says of itself since then. Not every agent runs a
    /// hook when a question is answered or denied.
    private mutating func isTakenBack(_ hook: Claim, _ file: Claim?, _ program: Claim?, _ now: Duration) -> Bool {
        if let file, file.at > hook.at { return true }
        guard let program, program.at > hook.at, program.activity == .busy || program.activity == .idle else {
            return false
        }
        // Codex reports that it is blocked up to a second after its hook ran.
        return passed(program.at + Self.reportDelay, now)
    }

    /// Whether a hook about a tool came after the turn was over: it takes time to run one, and an interrupted tool has
    /// a result as well. Only a prompt begins a turn.
    private func isLate(_ hook: Claim, _ file: Claim?) -> Bool {
        guard hook.activity == .busy, !hook.isPrompt, let file, file.activity == .idle else { return false }
        return hook.at > file.at && hook.at - file.at < Self.settling
    }

    /// Whether a time has come; if not, the machine looks again then.
    private mutating func passed(_ time: Duration, _ now: Duration) -> Bool {
        if now >= time { return true }
        wakeup = min(wakeup ?? time, time)
        return false
    }

    /// A process that has not reported anything yet.
    private mutating func verdictOfStart(_ now: Duration, since: Duration) -> Verdict {
        if let reading = screen?.reading {
            if let dialog = reading.dialog { return .state(.dialog(dialog)) }
            if reading.hasOptions { return .state(.unknown("a dialog stands there that is not known")) }
            // What would have been reported with the composer is not reported.
            if reading.composer == .empty || reading.composer == .draft, let composerSince,
                passed(composerSince + Self.silenceLimit, now)
            {
                return .state(.unknown("it has not reported anything"))
            }
        }
        if passed(since + Self.startLimit, now) { return .state(.unknown("it has not reported anything")) }
        return .state(.starting)
    }

    private func verdictOfDialog(_ reading: ScreenReading, _ file: Claim?) -> Verdict {
        // A tool that was called and has no result: the dialog holds the turn up.
        if reading.hold != nil || file?.activity == .dialog && lastCall?.isOpen == true && reading.dialog == nil {
            return .state(.waiting(question(reading)))
        }
        return .state(.dialog(reading.dialog ?? "dialog"))
    }

    /// Nobody says later than all others that it works: is it at rest?
    private mutating func verdictOfRest(
        _ reading: ScreenReading,
        _ now: Duration,
        file: Claim?,
        program: Claim?,
        hook: Claim?
    ) -> Verdict {
        var isBackground = false
        switch file?.activity {
        case .idle: break
        case .unrecognized(let word): return .state(.unknown("it reports \(word), which is not known"))
        // The turn is over, and helpers keep the agent busy.
        case .busy where hook?.activity == .idle && !background.values.joined().isEmpty: isBackground = true
        // Before its first prompt Codex has no file.
        case nil where program?.activity == .idle && !hasTurn: break
        case nil: return .unsettled("its own file says nothing")
        default: return .unsettled("what it says does not agree")
        }
        switch program?.activity {
        case nil, .idle: break
        case .unrecognized(let word): return .state(.unknown("it reports \(word), which is not known"))
        case .busy where !reading.background.isEmpty || isBackground: break
        default: return .unsettled("what it says does not agree")
        }
        if let record = claim(.record), record.activity == .busy, let at = file?.at, record.at > at, !isBackground,
            passed(record.at + Self.settling, now)
        {
            return .unsettled("its record goes on")
        }
        return atRest(reading)
    }

    private func atRest(_ reading: ScreenReading) -> Verdict {
        if reading.titleWaits { return .unsettled("its title says that it waits") }
        var state = resting
        if state == .done, end == nil, reading.isInterrupted { state = .interrupted }
        switch state {
        case .interrupted, .failed: return .state(state)
        default: break
        }
        switch reading.composer {
        case .empty: return reading.isWorking ? .unsettled("the screen shows a turn") : .state(state)
        // What was proved stands while somebody types.
        case .draft where trustsDraft: return reading.isWorking ? .unsettled("the screen shows a turn") : .state(state)
        case .draft: return provedRest == state ? .state(state) : .unsettled("text stands in the composer")
        case .commands: return .unsettled("the composer takes commands")
        case .absent: return .unsettled("no composer is on the screen")
        }
    }

    /// The question, as the kind of evidence tells it that knows what it is about.
    private func question(_ reading: ScreenReading) -> AgentQuestion? {
        if let hold = reading.hold { return AgentQuestion(kind: .dialog, tool: hold, subject: "") }
        let shown = reading.question
        var told = [AgentEvidenceKind.file, .hook, .program].compactMap { questions[$0]?.last }
        if let lastCall, lastCall.isOpen { told.append(lastCall.question) }
        // What the screen asks in words that nobody else has is better than a question without a subject.
        let best =
            told.first { !$0.subject.isEmpty || !$0.tool.isEmpty && $0.kind != .permission } ?? shown ?? told.first
        return best?.completed(by: shown)
    }
}
