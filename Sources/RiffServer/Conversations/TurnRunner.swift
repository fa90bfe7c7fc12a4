// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffVoice
internal import Synchronization

/// Serves turns: keeps what was said, asks the agent, keeps the answer.
///
/// A turn that has begun goes on when its client has gone, so that the client finds the answer when it comes back.
final class TurnRunner: Sendable {
    /// What became of a turn.
    enum Outcome: Sendable {
        case replied(ConversationMessage)
        case timedOut
        case failed
        /// It could not be kept; where that was the answer, the agent has answered.
        case notKept
        /// As many as may be are served already.
        case busy
    }

    private let service: ConversationService
    private let clock: any Clock<Duration>
    private let wallClock: @Sendable () -> Double
    private let report: @Sendable (ServerError) -> Void
    private let tasks = OwnedTasks()
    private let count = Mutex(0)
    /// Answers that others are being told of.
    private let notices = Mutex(0)
    /// The most of them: a push service that hangs must not keep more and more of them.
    private static let noticeLimit = 256

    var push: PushSender? { service.push }
    var records: ServerRecords { service.records }

    init(
        _ service: ConversationService,
        clock: any Clock<Duration>,
        wallClock: @escaping @Sendable () -> Double,
        report: @escaping @Sendable (ServerError) -> Void
    ) {
        (self.service, self.clock, self.wallClock, self.report) = (service, clock, wallClock, report)
    }

    /// Serves a turn.
    ///
    /// - Parameters:
    ///   - text: What was said; not empty.
    ///   - conversation: The conversation that it belongs to, if any.
    ///   - device: Which device asks, where that is known.
    ///   - session: What the client calls it, where it stands alone: its name among the sessions.
    /// - Returns: What became of it.
    /// - Throws: `CancellationError` when the request's task is cancelled; the turn goes on.
    func run(
        _ text: String,
        in conversation: RiffIdentifier?,
        from device: RiffIdentifier?,
        named session: RiffIdentifier? = nil
    ) async throws -> Outcome {
        let isIn = count.withLock { count in
            guard count < service.concurrentTurns else { return false }
            count += 1
            return true
        }
        guard isIn else { return .busy }
        let outcome = EventualValue<Outcome>()
        let task = tasks.run {
            let (result, turn) = await self.serve(text, conversation, device, session)
            outcome.resolve(result)
            // The place is free for the next turn: who is told of this one may be far away.
            self.count.withLock { $0 -= 1 }
            if let turn, case .replied(let message) = result { await self.tell(message.text, of: turn) }
        }
        if task == nil { count.withLock { $0 -= 1 } }
        return task == nil ? .busy : try await outcome.cancellableValue()
    }

    private func serve(
        _ text: String,
        _ conversation: RiffIdentifier?,
        _ device: RiffIdentifier?,
        _ session: RiffIdentifier?
    ) async -> (Outcome, ConversationTurn?) {
        let id = RiffIdentifier.random()
        let question = ConversationMessage(id: id, role: .user, text: text, time: wallClock())
        var prompt = text
        if let conversation {
            do {
                let store = records.conversations
                try await store.append(question, to: conversation)
                // What others said in the meantime is not what this turn is about.
                let kept = try await store.last(service.windowLength, of: conversation)
                let before = kept.prefix { $0.id != id }
                let messages = (before.count < kept.count ? Array(before) : []) + [question]
                let summary = await service.summary(conversation)
                prompt = ConversationWindow(messages, length: service.windowLength, summary: summary).text
            } catch { return (notKept(error), nil) }
        }
        let turn = ConversationTurn(id: id, conversation: conversation, device: device, text: text, prompt: prompt)
        let reply: String
        do {
            reply = try await withDeadline(service.timeout, clock: clock) { [service] in
                try await service.responder.reply(to: turn)
            }
        } catch is DeadlineExceeded {
            report(ServerError(.replyTimeout, "The agent took longer than \(service.timeout)."))
            // A thread must say what became of a question; one that stood alone was told to who asked.
            guard conversation != nil else { return (.timedOut, turn) }
            let kept = await keep(ConversationService.timeoutReply, of: turn, session)
            if case .notKept = kept { return (kept, turn) }
            return (.timedOut, turn)
        } catch {
            report(ServerError(.replyFailed, "The agent could not be asked.", cause: error))
            return (.failed, turn)
        }
        return (await keep(reply, of: turn, session), turn)
    }

    /// Tells devices, and whoever else wants to know, of an answer that its client has.
    private func tell(_ reply: String, of turn: ConversationTurn) async {
        let isIn = notices.withLock { count in
            guard count < Self.noticeLimit else { return false }
            count += 1
            return true
        }
        guard isIn else {
            return report(ServerError(.pushFailed, "An answer was told to nobody: too many of them are under way."))
        }
        defer { notices.withLock { $0 -= 1 } }
        await service.replied(turn, reply)
        guard let push = service.push else { return }
        do {
            for error in try await push.tell(reply, of: turn, to: records.devices) { report(error) }
        } catch {
            // The end of the server is no failure of the service.
            guard !(error is CancellationError) else { return }
            report(ServerError(.pushFailed, "The devices could not be notified of an answer.", cause: error))
        }
    }

    /// Keeps that the speech of a turn could not be recognized.
    func keepFailure(_ reason: String, _ session: RiffIdentifier, _ conversation: RiffIdentifier?) async {
        let record = RiffClient.SessionRecord(
            id: session,
            conversation: conversation,
            transcript: "",
            reply: "",
            time: wallClock(),
            error: reason
        )
        // A client that goes away at this moment must not take the record with it.
        let task = tasks.run { [records, report] in
            do { try await records.sessions.append(record) } catch {
                report(ServerError(.storeFailed, "A failure could not be kept.", cause: error))
            }
        }
        await task?.value
    }

    private func keep(_ reply: String, of turn: ConversationTurn, _ session: RiffIdentifier?) async -> Outcome {
        let answer = ConversationMessage(id: .random(), role: .assistant, text: reply, time: wallClock())
        do {
            if let conversation = turn.conversation { try await records.conversations.append(answer, to: conversation) }
            try await records.sessions.append(
                RiffClient.SessionRecord(
                    // The name that the client was told, so that it can ask for what came after it.
                    id: session ?? answer.id,
                    conversation: turn.conversation,
                    transcript: turn.text,
                    reply: reply,
                    time: answer.time
                )
            )
            return .replied(answer)
        } catch { return notKept(error) }
    }

    private func notKept(_ error: any Error) -> Outcome {
        report(ServerError(.storeFailed, "What was said could not be kept.", cause: error))
        return .notKept
    }
}

extension ServerErrorCode {
    /// The agent did not answer in time.
    public static let replyTimeout = ServerError.Code(rawValue: "replyTimeout")
    /// The agent could not be asked; why is the cause.
    public static let replyFailed = ServerError.Code(rawValue: "replyFailed")
    /// What was said, or who is to be told, could not be kept or read; why is the cause.
    public static let storeFailed = ServerError.Code(rawValue: "storeFailed")
}
