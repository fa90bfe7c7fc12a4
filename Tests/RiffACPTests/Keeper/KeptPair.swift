// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import RiffTesting
import Testing

/// Two clients of one agent, which asks twenty questions: both see each, one answer arrives.
struct KeptPair: Sendable {
    let first: ACPKeeper
    let second: ACPKeeper
    let command: [String]

    func run() async throws {
        let (firstSaw, secondSaw) = (Recorder<String>(), Recorder<String>())
        let isWithdrawn = EventualValue<Void>()
        let isFirstAsked = EventualValue<Void>()
        let isAttached = EventualValue<Void>()
        let isOver = EventualValue<Void>()
        var handlers = ACPClient.Handlers()
        handlers.update = { firstSaw.add($0.update.summary) }
        handlers.permission = { question in
            // The first question is left to the other client; the others are answered by both.
            if question.title == "Tool 1000" {
                isFirstAsked.resolve(())
                do { try await EventualValue<Void>().cancellableValue() } catch {
                    isWithdrawn.resolve(())
                    throw error
                }
            }
            return question.choosing(question.options[0])
        }
        var others = handlers
        others.update = { secondSaw.add($0.update.summary) }
        others.permission = { question in
            try await isFirstAsked.cancellableValue()
            return question.choosing(question.options[1])
        }
        try await withThrowingTaskGroup(of: Void.self) { [handlers, others] group in
            group.addTask {
                let source = self.first.agent("pair", command)
                try await withACPClient(source, handlers: handlers) { client in
                    let session = try await client.newSession(in: "/").sessionID
                    isAttached.resolve(())
                    #expect(try await client.prompt("ask 20", in: session).stopReason == .endTurn)
                    try await isWithdrawn.cancellableValue()
                    let stats = try await client.stats()
                    var once = JSONObject()
                    for number in 1000..<1020 { once.append("\(number)", 1) }
                    #expect(stats.answers == .object(once))
                    isOver.resolve(())
                }
            }
            group.addTask {
                try await isAttached.cancellableValue()
                let channel = try await self.second.attach(to: "pair")
                try await withACPClient(.channel(channel), handlers: others) { client in
                    // Nobody asked the agent again.
                    #expect(client.agent.agentInfo?.name == "kept")
                    try await isOver.cancellableValue()
                    #expect(try await client.stats().pid.map(String.init) == client.agent.agentInfo?.version)
                }
            }
            try await group.waitForAll()
        }
        #expect(firstSaw.all == secondSaw.all)
        #expect(firstSaw.all.count == 20)
    }
}
