// Riff
// SPDX-License-Identifier: Apache-2.0

import Logging
import RiffCore
import RiffServer

/// Gives Sven's prompts to the agent one after another, and its answers to those who ask for messages.
struct PromptDesk: Sendable {
    struct Full: Error {}
    struct TooLate: Error {}

    let conversation = SvenConversation()
    private let responder: any ConversationResponder
    private let timeout: Duration
    private let logger: Logger
    private let prompts: AsyncStream<SvenPrompt>
    private let waiting: AsyncStream<SvenPrompt>.Continuation

    init(_ responder: any ConversationResponder, timeout: Duration, _ logger: Logger) {
        (self.responder, self.timeout, self.logger) = (responder, timeout, logger)
        (prompts, waiting) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(16))
    }

    /// Takes a prompt; the agent has it when its turn comes.
    func take(_ prompt: SvenPrompt) throws {
        guard case .enqueued = waiting.yield(prompt) else { throw Full() }
    }

    /// Serves prompts until its task is cancelled.
    func run() async {
        for await prompt in prompts {
            do {
                let turn = ConversationTurn(
                    id: .random(),
                    conversation: nil,
                    device: nil,
                    text: prompt.text,
                    prompt: prompt.text
                )
                try conversation.reply(try await answer(to: turn))
            } catch {
                if Task.isCancelled { return }
                logger.error("a prompt was not answered", metadata: ["riff.cause": "\(type(of: error))"])
            }
        }
    }

    /// One prompt that is never answered must not keep those behind it waiting for ever.
    private func answer(to turn: ConversationTurn) async throws -> String {
        try await withThrowingTaskGroup(of: String.self) { group in
            group.addTask { try await responder.reply(to: turn) }
            group.addTask {
                try await ContinuousClock().sleep(for: timeout)
                throw TooLate()
            }
            defer { group.cancelAll() }
            return try await group.next() ?? ""
        }
    }
}
