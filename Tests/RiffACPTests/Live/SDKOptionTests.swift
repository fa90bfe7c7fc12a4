// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffACP
import RiffCore
import RiffTesting
import RiffTransport
import Testing

extension InTurn {
    /// A session's options, its model and its servers of tools, with an agent on the protocol's own SDK (Python).
    @Suite(
        .enabled(if: SDKAgents.areThere, "scripts/fetch-acp-agents was not run"),
        .timeLimit(.minutes(5))
    ) struct SDKOptionTests {
        private static let servers: [ACP.MCPServer] = [
            .stdio(ACP.MCPServerStdio(name: "files", command: "/bin/cat", args: [], env: []))
        ]

        private func with(
            _ body: (ACPClient, ACPConversation) async throws -> Void
        ) async throws {
            let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "../Fixtures/option_agent.py"
            )
            let python = SDKAgents.folder.appending(path: "bin/python").path
            let conversation = ACPConversation()
            let source = ACPAgentSource.process(LocalCommand(python, [script.standardized.path]))
            try await withACPClient(source, handlers: conversation.handlers) { client in
                try await body(client, conversation)
            }
        }

        private func values(_ chat: ACPChat) -> [JSONValue?] { chat.transcript.options.map { $0.json["currentValue"] } }

        @Test func `a model is chosen by its option, and the options follow what the agent says`() async throws {
            try await with { client, conversation in
                try await conversation.start(on: client, in: "/", servers: Self.servers)
                #expect(values(await conversation.current) == ["small", false])
                try await conversation.setModel("large")
                // One option changed another one.
                #expect(values(await conversation.current) == ["large", true])
                try await conversation.setOption("think", to: .boolean(false))
                #expect(values(await conversation.current) == ["large", false])
                try await conversation.send("what is set?")
                let chat = await conversation.current
                guard case .agent(let said)? = chat.transcript.entries.last?.kind else {
                    Issue.record("\(chat.transcript.entries)")
                    return
                }
                #expect(try JSONValue(parsing: said.text) == ["large", false, ["files"]])
            }
        }

        @Test func `a model or an option that the agent refuses changes nothing`() async throws {
            try await with { client, conversation in
                await #expect(throws: ACPError.self) { try await conversation.setModel("large") }
                try await conversation.start(on: client, in: "/")
                await #expect(throws: ACPError.self) { try await conversation.setModel("huge") }
                await #expect(throws: ACPError.self) { try await conversation.setOption("x", to: .boolean(true)) }
                await #expect(throws: ACPError.self) {
                    try await conversation.setOption("model", to: .option("huge"))
                }
                #expect(values(await conversation.current) == ["small", false])
            }
        }

        @Test func `a session that is opened again gets its servers of tools again`() async throws {
            try await with { client, conversation in
                try await conversation.open("s", on: client, in: "/", servers: Self.servers)
                try await conversation.send("what is set?")
                let chat = await conversation.current
                guard case .agent(let said)? = chat.transcript.entries.last?.kind else {
                    Issue.record("\(chat.transcript.entries)")
                    return
                }
                #expect(try JSONValue(parsing: said.text) == ["small", false, ["files"]])
            }
        }
    }
}
