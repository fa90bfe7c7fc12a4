// Riff
// SPDX-License-Identifier: Apache-2.0

/// The rules of permission by voice, without audio or clock: events in, effects out.
///
/// A request is read out whole, and only what begins after that can be a yes to it; a no counts from the first word of
/// the reading on. Requests are asked one after another, each with readings and answers of its own. Times are from any
/// beginning, the same for all events.
package struct SpokenApprovalMachine: Sendable {
    /// What happened.
    package enum Event: Sendable {
        /// An agent asks.
        case asked(ApprovalRequest)
        /// The question was read out to its end.
        case readOut(ApprovalRequest.ID, at: Duration)
        /// It could not be read out.
        case readingFailed(ApprovalRequest.ID)
        /// Somebody said something; `began` is the time of its first sound.
        case heard(String, began: Duration)
        /// The time for an answer is over.
        case timeIsOver(ApprovalRequest.ID, reading: Int)
        /// The agent does not ask any more, or was answered elsewhere.
        case withdrawn(ApprovalRequest.ID)
    }

    /// What is to be done.
    package enum Effect: Sendable, Hashable {
        /// Read the question out, and report its end.
        case read(ApprovalRequest)
        /// Stop reading.
        case stopReading(ApprovalRequest.ID)
        /// Listen, and report when this time is over without a decision.
        case listen(ApprovalRequest.ID, reading: Int, for: Duration)
        /// Allow it, this once.
        case allowOnce(ApprovalRequest.ID)
        /// Deny it.
        case deny(ApprovalRequest.ID)
        /// Leave it open, to be answered by hand.
        case leavePending(ApprovalRequest.ID)
    }

    private enum Phase: Sendable, Hashable {
        case reading
        case listening(since: Duration)
    }

    private struct Current: Sendable {
        let request: ApprovalRequest
        var phase = Phase.reading
        var readings = 1
    }

    /// More than one agent asks at once; what comes beyond that is not kept.
    private static let mostWaiting = 16

    private let policy: SpokenApprovalPolicy
    private let rules: SpokenAnswerRules
    private var current: Current?
    private var waiting: [ApprovalRequest] = []

    /// A machine that was asked nothing.
    package init(
        _ policy: SpokenApprovalPolicy = SpokenApprovalPolicy(),
        rules: SpokenAnswerRules = SpokenAnswerRules()
    ) {
        (self.policy, self.rules) = (policy, rules)
    }

    /// The request that is asked now.
    package var request: ApprovalRequest? { current?.request }

    /// Takes an event.
    ///
    /// - Returns: What is to be done, in this order.
    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .asked(let request): return ask(request)
        case .readOut(let id, let time): return listen(to: id, since: time)
        case .readingFailed(let id): return current?.request.id == id ? unanswered() : []
        case .heard(let text, let began): return hear(rules.answer(text), began)
        case .timeIsOver(let id, let reading):
            guard let current, current.request.id == id, current.readings == reading, current.phase != .reading else {
                return []
            }
            return unanswered()
        case .withdrawn(let id): return withdraw(id)
        }
    }

    private mutating func ask(_ request: ApprovalRequest) -> [Effect] {
        guard current?.request.id != request.id, !waiting.contains(where: { $0.id == request.id }) else { return [] }
        guard waiting.count < Self.mostWaiting else { return [left(request.id)] }
        waiting.append(request)
        return current == nil ? next() : []
    }

    private mutating func listen(to id: ApprovalRequest.ID, since time: Duration) -> [Effect] {
        guard let asked = current, asked.request.id == id, asked.phase == .reading else { return [] }
        current?.phase = .listening(since: time)
        return [.listen(id, reading: asked.readings, for: policy.answerTime)]
    }

    private mutating func hear(_ answer: SpokenAnswer, _ began: Duration) -> [Effect] {
        guard let current else { return [] }
        switch (answer, current.phase) {
        case (.denied, .reading): return [.stopReading(current.request.id)] + close(.deny(current.request.id))
        case (.denied, .listening): return close(.deny(current.request.id))
        // Before its end nobody knows what is asked.
        case (_, .reading): return []
        case (_, .listening(let since)) where began < since + policy.settling: return []
        case (.approved, .listening): return close(.allowOnce(current.request.id))
        case (.unclear, .listening):
            guard current.readings < policy.readings else { return unanswered() }
            self.current?.phase = .reading
            self.current?.readings += 1
            return [.read(current.request)]
        }
    }

    private mutating func unanswered() -> [Effect] {
        guard let id = current?.request.id else { return [] }
        return close(left(id))
    }

    private func left(_ id: ApprovalRequest.ID) -> Effect {
        policy.unanswered == .denied ? .deny(id) : .leavePending(id)
    }

    private mutating func withdraw(_ id: ApprovalRequest.ID) -> [Effect] {
        waiting.removeAll { $0.id == id }
        guard let asked = current, asked.request.id == id else { return [] }
        current = nil
        return (asked.phase == .reading ? [.stopReading(id)] : []) + next()
    }

    private mutating func close(_ effect: Effect) -> [Effect] {
        current = nil
        return [effect] + next()
    }

    private mutating func next() -> [Effect] {
        guard !waiting.isEmpty else { return [] }
        let request = waiting.removeFirst()
        current = Current(request: request)
        return [.read(request)]
    }
}
