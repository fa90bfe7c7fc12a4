// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffShare
import RiffTalk
import RiffTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PromptDictationTests {
    @Test func `what is said to a delivery is kept, and handed over when the agent takes it`() async throws {
        try await KeyTool.withFolder { folder in
            let outbox = PromptOutbox(directory: "\(folder)/outbox")
            let agent = ScriptedPromptAgent()
            await agent.set(.notNow("A question."))
            let sink: any TextInjecting = PromptDelivery(outbox, to: "a", by: agent)
            try await sink.typeSpoken("yes \u{1B}[31mplease\r", submit: true)
            try await sink.typeSpoken("a draft", submit: false)
            try await sink.typeSpoken("\u{1B}", submit: true)
            let delivery = try #require(sink as? PromptDelivery)
            await delivery.finished()
            #expect(await agent.taken.isEmpty)
            #expect(try await outbox.refresh().prompts.map(\.state) == [.waitingForAgent("A question."), .draft])
            await agent.set(.ready)
            await delivery.wake()
            await delivery.finished()
            let words = try #require(await agent.taken.first?.text)
            #expect(!words.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
            #expect(words.hasPrefix("yes ") && words.contains("please"))
            #expect(await agent.taken.count == 1)
        }
    }
}
