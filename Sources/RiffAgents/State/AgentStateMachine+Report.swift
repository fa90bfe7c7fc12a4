// Riff
// SPDX-License-Identifier: Apache-2.0

extension AgentStateMachine {
    /// The state that was told last, with its evidence.
    package var report: AgentReport {
        AgentReport(
            state: standing,
            background: backgroundKinds,
            hasDraft: draft,
            evidence: evidence
        )
    }

    private var draft: Bool? {
        switch screen?.reading.composer {
        case .draft: true
        case .empty: false
        case .absent, .commands, nil: nil
        }
    }

    private var evidence: [AgentReport.Evidence] {
        var list: [AgentReport.Evidence] = []
        for kind in [AgentEvidenceKind.file, .program, .hook, .record] {
            guard let claim = claim(kind) else { continue }
            list.append(AgentReport.Evidence(kind: kind, says: claim.activity.word, at: claim.at))
        }
        if let screen {
            list.append(AgentReport.Evidence(kind: .screen, says: screen.reading.word, at: screen.at))
        }
        switch process {
        case .unseen: break
        case .running(let since): list.append(AgentReport.Evidence(kind: .process, says: "running", at: since))
        case .over(let at, let exit):
            list.append(AgentReport.Evidence(kind: .process, says: exit.description, at: at))
        }
        return list
    }
}

extension AgentStateMachine.Claim.Activity {
    fileprivate var word: String {
        switch self {
        case .idle: "idle"
        case .busy: "working"
        case .waiting: "waiting"
        case .dialog: "dialog"
        case .unrecognized(let word): "? " + word
        }
    }
}
