// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffACP
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// The agents that scripts/fetch-acp-agents puts into the cache folder.
enum SDKAgents {
    static let folder: URL = {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"] ?? "/"
        #if canImport(Darwin)
        let standard = "\(home)/Library/Caches"
        #else
        let standard = "\(home)/.cache"
        #endif
        let cache = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? standard
        return URL(filePath: cache).appending(path: "riff/acp-agents-0.12.1")
    }()

    static var areThere: Bool { FileManager.default.fileExists(atPath: folder.appending(path: "complete").path) }

    static func words(_ name: String) -> [String] {
        [folder.appending(path: "bin/python").path, folder.appending(path: "examples/\(name).py").path]
    }

    static func source(_ name: String) -> ACPAgentSource {
        .process(LocalCommand(words(name)[0], Array(words(name).dropFirst())))
    }
}

extension InTurn {
    /// The protocol's own SDK (Python) on the other side.
    @Suite(
        .enabled(if: SDKAgents.areThere, "scripts/fetch-acp-agents was not run"),
        .timeLimit(.minutes(5))
    ) struct SDKAgentTests {
        @Test func `the echo agent says what it is told`() async throws {
            let conversation = ACPConversation()
            try await withACPClient(SDKAgents.source("echo_agent"), handlers: conversation.handlers) { client in
                try await conversation.start(on: client, in: "/")
                try await conversation.send("hello \u{1F600}\nagain")
            }
            let chat = await conversation.current
            #expect(chat.transcript.turn == .idle(.endTurn))
            #expect(chat.groups[0].entries.compactMap { $0.kind.message?.text }.joined() == "hello \u{1F600}\nagain")
            #expect(chat.transcript.ignoredUpdates == 0)
        }

        /// X3: without a keeper, in a plain exec channel.
        @Test(.enabled(if: ThrowawaySSHServer.isInstalled, "needs sshd"))
        func `the echo agent is reached over SSH`() async throws {
            try await KeeperLab.with { lab in
                let conversation = ACPConversation()
                let agent = ACPAgentSource.command(SDKAgents.words("echo_agent"), on: lab.host.files)
                // Every byte that JSON lets through, and more of it than a window of SSH's holds.
                let text = String((0x20..<0x250).compactMap(Unicode.Scalar.init).map(Character.init))
                let long = String(repeating: text, count: 1_000)
                try await withACPClient(agent, handlers: conversation.handlers) { client in
                    try await conversation.start(on: client, in: "/")
                    try await conversation.send(text)
                    try await conversation.send(long)
                }
                let chat = await conversation.current
                #expect(chat.transcript.turn == .idle(.endTurn))
                let said = chat.groups.map { $0.entries.compactMap { $0.kind.message?.text }.joined() }
                #expect(said.first == text && said.last == long)
            }
        }

        @Test func `the example agent answers every method that it has, extensions too`() async throws {
            let seen = Recorder<String>()
            var handlers = ACPClient.Handlers()
            handlers.update = { seen.add($0.update.summary) }
            let client = try await withACPClient(SDKAgents.source("agent"), handlers: handlers) { client in
                #expect(client.agent.agentInfo?.name == "example-agent")
                let session = try await client.newSession(in: "/").sessionID
                let link = ACP.ResourceLink(name: "a", uri: "file:///a")
                let content: [ACP.ContentBlock] = [.text(ACP.TextContent(text: "one")), .resourceLink(link)]
                for _ in 0..<3 {
                    let turn = try await client.prompt(content, in: session)
                    #expect(turn.stopReason == .endTurn)
                }
                try await client.setMode("ask", of: session)
                let answer = try await client.extensionRequest("_riff/test", ["a": 1])
                #expect(answer == ["example": "response"])
                // It has no sessions to load, and says so.
                let load = await code {
                    _ = try await client.loadSession(
                        ACP.LoadSessionRequest(mcpServers: [], cwd: "/", sessionID: session)
                    )
                }
                #expect(load == .notOffered)
                // Nobody there knows this one.
                let refusal = await code { _ = try await client.request(Unknown()) }
                #expect(refusal == .answeredWithError)
                return client
            }
            #expect(
                seen.all == Array(repeating: ["says Client sent:", "says one", "says other"], count: 3).flatMap(\.self)
            )
            #expect(client.diagnostics.contains { $0.contains("Received prompt request") })
        }

        @Test func `it ends by itself when its input is closed`() async throws {
            let channel = try await SDKAgents.source("echo_agent").open()
            try await channel.finishSending()
            #expect(try await channel.exitStatus() == .exited(0))
            await channel.close()
        }

        private struct Unknown: ACPRequest, JSONRecord {
            typealias Response = JSONValue
            static let method = "no/such"
            init() {}
            init(reading members: inout JSONMembers) {}
            func write(into object: inout JSONObject) {}
        }
    }
}
