// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
package import RiffACP
import RiffCore
import Synchronization

/// An agent that speaks the Agent Client Protocol.
struct AgentPartner: ChatPartner {
    let conversation: ACPConversation
    let client: ACPClient

    func pictures() -> AsyncStream<ChatPicture> {
        let answer = Mutex<Int?>(nil)
        return conversation.changes().pictures { update in
            answer.withLock { ChatPicture(update, answer: &$0) }
        }
    }

    func ask(_ text: String) async throws { try await conversation.send(text) }

    func resume() async throws {
        throw ExampleFailure("An agent's turn cannot be gone on with; ask it to continue.")
    }

    func cut() async { await conversation.cancel() }

    func choose(_ place: Int) async throws {
        guard let question = await conversation.current.questions.first,
            question.permission.options.indices.contains(place)
        else { throw ExampleFailure("Nothing is asked that has such an answer.") }
        await conversation.answer(question, with: question.permission.options[place])
    }

    func models() async throws -> [String] {
        await conversation.current.transcript.models?.availableModels.map(\.modelID.rawValue) ?? []
    }

    func use(model: String) async throws {
        guard let session = await conversation.session else { throw ExampleFailure("There is no session.") }
        try await client.setModel(ACP.ModelID(rawValue: model), of: session)
    }

    func facts() async -> [String] {
        let transcript = await conversation.current.transcript
        var facts = [client.agent.agentInfo.map { $0.title ?? $0.name } ?? "agent"]
        if let model = transcript.models?.currentModelID.rawValue { facts.append(model) }
        if let usage = transcript.usage {
            if usage.size > 0 {
                facts.append("context \(usage.used.multipliedReportingOverflow(by: 100).0 / usage.size) %")
            }
            if let cost = usage.cost { facts.append("\(cost.amount) \(cost.currency)") }
        }
        return facts.map(InertText.line)
    }
}

extension ChatPicture {
    /// A picture of what an agent says.
    ///
    /// - Parameters:
    ///   - update: What is new.
    ///   - answer: What the agent said last while it worked. It has no more of that when it is done; what it says by
    ///     itself grows until something else comes.
    package init(_ update: ACPChat.Update, answer: inout Int?) {
        self.init()
        let chat = update.chat
        let texts = Dictionary(uniqueKeysWithValues: update.texts.map { ($0.id, $0) })
        isAnswering = chat.isRunning
        let last = chat.transcript.entries.last?.id
        if chat.isRunning { answer = last }
        let hasMore = chat.isRunning || last != answer
        items = chat.transcript.entries.compactMap { entry in
            let more = texts[entry.id]?.text ?? ""
            let startsOver = texts[entry.id]?.startsOver ?? false
            return switch entry.kind {
            case .user: Item(entry.id, .question, more, startsOver: startsOver)
            case .agent:
                Item(
                    entry.id,
                    .answer,
                    more,
                    startsOver: startsOver,
                    isOpen: hasMore && entry.id == last
                )
            case .thought: nil
            case .toolCall(let call):
                Item(
                    entry.id,
                    .note,
                    "\(call.status.rawValue): \(call.title)",
                    isOpen: !call.isFinished && chat.isRunning
                )
            }
        }
        notice = chat.problem?.message
        if let question = chat.questions.first?.permission {
            notice = "May it? \(question.title)"
            choices = question.options.map(\.name)
        }
    }
}
