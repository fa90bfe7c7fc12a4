// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import RiffCore
package import RiffGateway
import Synchronization

/// A model behind a gateway.
final class GatewayPartner: ChatPartner {
    private let gateway: ChatGateway
    private let session: GatewaySession
    private let chat: ChatConversation
    private let file: ThreadFile?
    /// What a model is called in the line at the end: the one that was chosen, then the one that answers.
    private let model: Mutex<String>

    init(_ gateway: ChatGateway, file: ThreadFile?) throws {
        (self.gateway, self.file) = (gateway, file)
        let kept = try file?.read()
        session = try kept.map { GatewaySession(key: try RiffIdentifier($0.session)) } ?? .random()
        chat = ChatConversation(gateway, session: session, thread: kept?.thread ?? ChatThread())
        model = Mutex(gateway.configuration.model)
    }

    func pictures() -> AsyncStream<ChatPicture> { chat.changes().pictures(ChatPicture.init) }

    func ask(_ text: String) async throws { try await keeping { await $0.ask(text) } }

    func resume() async throws {
        try await keeping { chat in
            guard let outcome = await chat.resume() else { throw ExampleFailure("No answer was cut off.") }
            return outcome
        }
    }

    func cut() async { await chat.suspend() }

    func choose(_ place: Int) async throws {}

    func models() async throws -> [String] { try await gateway.models().map(\.id) }

    func use(model: String) async throws {
        try await gateway.use(model: model, in: session)
        self.model.withLock { $0 = model }
    }

    func facts() async -> [String] {
        // Each is left out where the gateway does not offer it: the conversation goes on without.
        async let today = try? gateway.costs(days: 1)
        async let week = try? gateway.costs(days: 7)
        async let limits = try? gateway.rateLimits()
        let costs = CostUsage.Summary(today: await today, week: await week)
        var facts = [model.withLock(\.self)]
        if let today = costs.today { facts.append(String(format: "$%.2f today", today)) }
        if let month = costs.monthlyEstimate { facts.append(String(format: "$%.0f a month", month)) }
        for limit in await limits ?? [] {
            let windows = [("session", limit.session), ("week", limit.weekly)]
            let parts = windows.compactMap { name, window in window.map { "\(name) \($0.percent) %" } }
            if !parts.isEmpty { facts.append("\(limit.provider): \(parts.joined(separator: ", "))") }
            if limit.isPaused { facts.append("paused") }
        }
        return facts
    }

    /// Keeps what is said while it is, so that not even the end of the program loses more than its last second.
    private func keeping(_ exchange: (ChatConversation) async throws -> ChatOutcome) async throws {
        let keeper = Task {
            while true {
                try await ContinuousClock().sleep(for: .seconds(1))
                try file?.write(chat.current, session: session)
            }
        }
        let outcome: Result<ChatOutcome, any Error>
        do { outcome = .success(try await exchange(chat)) } catch { outcome = .failure(error) }
        keeper.cancel()
        // Nobody writes any more when the last state is written. What kept it from writing keeps this from it as well.
        _ = await keeper.result
        if let answered = try outcome.get().reply.model { model.withLock { $0 = answered } }
        try file?.write(chat.current, session: session)
    }
}

extension ChatPicture {
    package init(_ update: ChatThread.Update) {
        self.init()
        let thread = update.thread
        let texts = Dictionary(uniqueKeysWithValues: update.texts.map { ($0.id, $0) })
        let refusals = Dictionary(uniqueKeysWithValues: update.refusals.map { ($0.id, $0) })
        items = thread.entries.map { entry in
            let isOpen = entry.state == .growing || entry.id == thread.answer?.id && thread.isResumable
            var more = texts[entry.id]?.text ?? ""
            if let refusal = refusals[entry.id] {
                // Behind what was said, and apart from it. One that was taken back begins anew without a word of that.
                let begins = !refusal.text.isEmpty && refusal.text.utf8.count == entry.refusal.utf8.count
                more += (begins && !entry.text.isEmpty ? "\n\n" : "") + refusal.text
            }
            let startsOver = texts[entry.id]?.startsOver ?? false
            let kind = entry.role == .user ? Item.Kind.question : .answer
            return Item(entry.id, kind, more, startsOver: startsOver, isOpen: isOpen)
        }
        switch thread.answer?.state {
        case .growing: isAnswering = true
        case .cut: notice = "The answer was cut off; /resume asks for the rest."
        case .failed(let reason): notice = "\(reason) /resume goes on."
        case .whole where thread.answer?.isSuspectedError == true:
            notice = "This reads like an error of the gateway and not like an answer; /resume asks again."
        case .whole, nil:
            if let doubt = thread.answer?.doubt {
                notice = "These words may stand twice in the answer, whose rest was asked for: \(doubt)"
            }
        }
    }
}

extension AsyncStream where Element: Sendable {
    /// A picture of each element, made when it is asked for: nothing waits between, and nothing is left out.
    func pictures(_ picture: @escaping @Sendable (Element) -> ChatPicture) -> AsyncStream<ChatPicture> {
        let stream = self
        return AsyncStream<ChatPicture> {
            for await element in stream { return picture(element) }
            return nil
        }
    }
}
