// Riff
// SPDX-License-Identifier: Apache-2.0

/// All of an agent that decides about a prompt, at one moment.
package struct SubmitSight: Sendable, Hashable {
    /// The composer.
    package enum Composer: Sendable, Hashable {
        /// It is not on the screen, or takes commands.
        case absent
        /// It is empty.
        case empty
        /// This text is in it.
        case text(SqueezedText)
        /// A sign stands in it for a paste that is too long to be shown.
        case paste
    }

    /// The agent's state.
    package var state: AgentState
    /// The state if the text in the composer is the caller's own. A draft proves nothing about an agent, because what
    /// looks like one may be something else; a text that was just typed, and stands there to the letter, is a draft.
    package var ownState: AgentState
    /// The composer.
    package var composer: Composer
    /// When its file, its reports and its hooks last said that a turn runs; only ever another value, never compared
    /// with a clock.
    package var busySigns: [AgentEvidenceKind: Duration]
    /// The prompts that it said it took.
    package var receipts: PromptReceipts

    /// Creates a sight.
    package init(
        state: AgentState,
        ownState: AgentState? = nil,
        composer: Composer = .absent,
        busySigns: [AgentEvidenceKind: Duration] = [:],
        receipts: PromptReceipts = PromptReceipts()
    ) {
        self.state = state
        self.ownState = ownState ?? state
        self.composer = composer
        self.busySigns = busySigns
        self.receipts = receipts
    }

    /// Nothing was seen yet.
    package static let nothing = SubmitSight(state: .unknown("nothing was seen yet"))
}

extension AgentStateMachine {
    /// When each kind that may say so last said that a turn runs or stands still for a question.
    var busySigns: [AgentEvidenceKind: Duration] {
        var signs: [AgentEvidenceKind: Duration] = [:]
        for kind in [AgentEvidenceKind.file, .program, .hook] {
            guard let claim = claim(kind), claim.activity == .busy || claim.activity == .waiting else { continue }
            signs[kind] = claim.at
        }
        return signs
    }

    /// The state if the text in the composer is the caller's own.
    func ownState(at now: Duration) -> AgentState {
        guard screen?.reading.composer == .draft else { return standing }
        var trusting = self
        trusting.trustsDraft = true
        return trusting.evaluate(at: now)
    }

    /// The composer as a prompt's fate shows in it.
    var submitComposer: SubmitSight.Composer {
        guard let reading = screen?.reading else { return .absent }
        return switch reading.composer {
        case .absent, .commands: .absent
        case .empty: .empty
        case .draft: reading.isPaste ? .paste : .text(reading.draft)
        }
    }
}
