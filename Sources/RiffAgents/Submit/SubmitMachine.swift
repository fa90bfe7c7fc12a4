// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// Decides about the writes of one prompt by what is seen of the agent.
///
/// - The text is typed only if the agent takes a prompt and its composer is empty.
/// - Return is pressed only if the composer shows this text and nothing else, and the agent still takes a prompt.
/// - The agent has taken it if it named the prompt, or if the text is gone from the composer and a turn began since.
/// - A text that still stands in the composer long after Return is Return lost: it is pressed once more.
/// - An empty composer and no word of the agent is uncertain: nothing is typed again.
package struct SubmitMachine: Sendable {
    private let text: SqueezedText
    /// Whether it is a command to the agent's composer, which may open a menu and begin no turn.
    private let isCommand: Bool
    /// What was seen before Return.
    private var before: SubmitSight?

    /// Creates a machine for a text.
    package init(_ text: String) {
        self.text = SqueezedText(text)
        isCommand = self.text.bytes.first == UInt8(ascii: "/")
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - step: The last write.
    ///   - sight: What is seen now.
    ///   - isLast: Whether there is no time left to see more.
    /// - Returns: The decision; `nil` if more is to be seen first, which only is if `isLast` is not set.
    package mutating func decide(
        after step: SubmitStep,
        seeing sight: SubmitSight,
        isLast: Bool
    ) -> SubmitDecision? {
        switch step {
        case .untyped: untyped(sight, isLast)
        case .typed: typed(sight, isLast)
        case .pressed(let presses): pressed(presses, sight, isLast)
        }
    }

    private func untyped(_ sight: SubmitSight, _ isLast: Bool) -> SubmitDecision? {
        if let refusal = Self.refusal(sight.state) {
            // A dialog, a question and the end do not pass by themselves.
            return isLast || refusal.needsPerson ? .refuse(refusal) : nil
        }
        switch sight.composer {
        case .empty: return .proceed
        case .text, .paste: return isLast ? .refuse(SubmitRefusal(.draft)) : nil
        case .absent: return isLast ? .refuse(SubmitRefusal(.unknown, name: "no composer is on the screen")) : nil
        }
    }

    private mutating func typed(_ sight: SubmitSight, _ isLast: Bool) -> SubmitDecision? {
        // A receipt that comes from here on is this text's.
        before = sight
        let isShown = isShown(sight.composer)
        if let refusal = Self.refusal(isShown ? sight.ownState : sight.state) {
            return isLast || refusal.needsPerson ? .refuse(refusal) : nil
        }
        if isShown { return .proceed }
        guard isLast else { return nil }
        if case .text = sight.composer { return .refuse(SubmitRefusal(.draft)) }
        return .refuse(SubmitRefusal(.notShown))
    }

    private mutating func pressed(_ presses: Int, _ sight: SubmitSight, _ isLast: Bool) -> SubmitDecision? {
        if before == nil { before = sight }
        if hasReceipt(sight) { return .submitted }
        let isGone = !isShown(sight.composer)
        if isGone, hasBegun(sight) { return .submitted }
        if isGone, isCommand, case .dialog = sight.state { return .submitted }
        guard isLast else { return nil }
        if isGone { return .uncertain(Self.doubt(sight)) }
        if let refusal = Self.refusal(sight.ownState) { return .refuse(refusal) }
        return presses > 1 ? .refuse(SubmitRefusal(.notTaken)) : .proceed
    }

    /// Whether the composer shows this text and nothing else.
    private func isShown(_ composer: SubmitSight.Composer) -> Bool {
        switch composer {
        case .absent, .empty: false
        // It was empty before the text was typed, and a sign stands for one paste.
        case .paste: true
        case .text(let shown): shown.isShown(of: text) || shown.isEnd(of: text)
        }
    }

    private func hasReceipt(_ sight: SubmitSight) -> Bool {
        let known = before?.receipts.count ?? 0
        // Another observer counts from the beginning.
        let first = sight.receipts.count < known ? 0 : known
        return sight.receipts.newest.contains { $0.number > first && $0.text.isShown(of: text) }
    }

    /// Whether the agent says since Return that a turn runs.
    private func hasBegun(_ sight: SubmitSight) -> Bool {
        sight.busySigns.contains { before?.busySigns[$0.key] != $0.value }
    }

    // MARK: Words

    /// Why a state does not take a prompt; `nil` if it does.
    private static func refusal(_ state: AgentState) -> SubmitRefusal? {
        switch state {
        case .ready, .done, .interrupted, .failed: nil
        case .starting: SubmitRefusal(.starting)
        case .working: SubmitRefusal(.working)
        case .dialog(let name): SubmitRefusal(.dialog, name: name)
        case .waiting(let question): SubmitRefusal(.question, name: question?.summary ?? "")
        case .exited(let exit): SubmitRefusal(.exited, name: exit.description)
        case .unknown(let why): SubmitRefusal(.unknown, name: why)
        }
    }

    private static func doubt(_ sight: SubmitSight) -> String {
        let state = refusal(sight.state).map { ": " + $0.words } ?? ""
        return "Return was pressed and the text is gone, but the agent did not say that it took it\(state)."
    }
}

extension SubmitRefusal {
    /// Whether only a person ends what it is about.
    fileprivate var needsPerson: Bool { [.dialog, .question, .exited].contains(reason) }
}
