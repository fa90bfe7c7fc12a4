// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Answers whose words never came: they are told, and kept for the person.
extension HubMachine {
    /// Keeps an answer that is lost, and tells why.
    mutating func lose(_ answer: HubAnswers.Answer, in id: HubSession.ID, because failure: Problem) {
        let voice = sessions[id]?.historyKey ?? departed.voices[id] ?? id.asVoice
        let lost = HubSnapshot.LostAnswer(
            id: answer.number,
            session: id,
            voice: voice,
            content: answer.content,
            failure: failure
        )
        self.failure = lostAnswers.add(lost) ? Self.lostAnswersFull : failure
    }

    /// Ends the client: answers that the hub does not have for certain are left to the caller that ends it.
    mutating func loseAll() {
        let before = failure
        for id in sessions.order {
            for answer in sessions[id]?.answers.all ?? [] { lose(answer, in: id, because: Self.answerUnsent) }
            sessions[id]?.answers.removeAll()
        }
        // Why the hub is not spoken with comes first.
        if isRefused { showEarlier(before) }
    }

    /// The person sends a lost answer again: to its session, or to the one that its voice has now.
    mutating func sendAgain(_ number: Int) {
        guard let lost = lostAnswers.all.first(where: { $0.id == number }) else { return }
        let ids = [lost.session] + sessions.order.filter { sessions[$0]?.historyKey == lost.voice }
        guard let id = ids.first(where: { sessions[$0].map { !$0.isGone } ?? false }) else {
            failure = Self.sessionGone
            return
        }
        let answer = HubAnswers.Answer(number: self.number(), content: lost.content)
        do { try sessions[id]?.answers.add(answer) } catch {
            failure = Problem(error)
            return
        }
        discard(number)
    }

    /// The person does not want a lost answer any more.
    mutating func discard(_ number: Int) {
        lostAnswers.remove(number)
        failure = nil
    }

    static let answerLost = Problem(
        code: "hub.answerLost",
        message: "The hub had an answer and lost it before its words were there; send it again, or discard it.",
        recovery: .retry
    )

    static let answerUnsent = Problem(
        code: "hub.answerUnsent",
        message: "The client ended before the hub had an answer for certain; look at the history, then send it again.",
        recovery: .retry
    )

    static let lostAnswersFull = Problem(
        code: "hub.lostAnswersFull",
        message: "Too many lost answers are kept; the oldest was let go. Send them again, or discard them."
    )
}
