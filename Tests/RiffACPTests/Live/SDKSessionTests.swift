// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffACP
import RiffCore
import RiffTesting
import RiffTransport
import Testing

extension InTurn {
    /// X5: sessions that are listed, loaded, resumed, closed and cancelled, with an agent on the protocol's own SDK
    /// (Python).
    @Suite(
        .enabled(if: SDKAgents.areThere, "scripts/fetch-acp-agents was not run"),
        .timeLimit(.minutes(5))
    ) struct SDKSessionTests {
        /// An agent whose sessions outlive it, in a file of their own.
        private func with(_ body: (ACPAgentSource) async throws -> Void) async throws {
            let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "../Fixtures/session_agent.py"
            )
            let file = FileManager.default.temporaryDirectory.appending(
                path: "riff-s\(UInt32.random(in: 0 ... .max)).json"
            )
            defer { try? FileManager.default.removeItem(at: file) }  // Cleanup.
            let python = SDKAgents.folder.appending(path: "bin/python").path
            try await body(.process(LocalCommand(python, [script.standardized.path, file.path])))
        }

        private func words(_ chat: ACPChat) -> [String] {
            chat.transcript.entries.map { entry in
                switch entry.kind {
                case .user(let message): "user: \(message.text)"
                case .agent(let message): "agent: \(message.text)"
                case .thought, .toolCall: "other"
                }
            }
        }

        private func refusal(_ call: () async throws -> Void) async -> ACP.ErrorCode? {
            do {
                try await call()
                return nil
            } catch { return (error as? ACPError)?.answer?.code }
        }

        @Test func `sessions are listed page by page, and by directory`() async throws {
            try await with { source in
                try await withACPClient(source) { client in
                    for directory in ["/", "/tmp", "/", "/", "/"] { _ = try await client.newSession(in: directory) }
                    var sizes: [Int] = []
                    var ids: [String] = []
                    var cursor: String?
                    repeat {
                        let page = try await client.listSessions(from: cursor)
                        sizes.append(page.sessions.count)
                        ids += page.sessions.map(\.sessionID.rawValue)
                        cursor = page.nextCursor
                    } while cursor != nil && sizes.count < 10
                    #expect(sizes == [2, 2, 1])
                    #expect(ids == (0..<5).map { "session-\($0)" })
                    let some = try await client.listSessions(in: "/tmp")
                    #expect(some.sessions.map(\.sessionID) == ["session-1"] && some.nextCursor == nil)
                }
            }
        }

        @Test func `a session is loaded with what was said, by another process, and goes on`() async throws {
            try await with { source in
                let first = ACPConversation()
                try await withACPClient(source, handlers: first.handlers) { client in
                    try await first.start(on: client, in: "/")
                    try await first.send("hello \u{1F600}")
                }
                let session = try #require(await first.session)
                let second = ACPConversation()
                try await withACPClient(source, handlers: second.handlers) { client in
                    let missing = await refusal {
                        let request = ACP.LoadSessionRequest(mcpServers: [], cwd: "/", sessionID: "none")
                        _ = try await client.loadSession(request)
                    }
                    #expect(missing == .resourceNotFound)
                    try await second.open(session, on: client, in: "/")
                    #expect(words(await second.current) == ["user: hello \u{1F600}", "agent: hello \u{1F600}"])
                    #expect(await !second.current.isRunning)
                    try await second.send("again")
                }
                let chat = await second.current
                #expect(words(chat).suffix(2) == ["user: again", "agent: again"])
                #expect(chat.transcript.turn == .idle(.endTurn) && chat.transcript.ignoredUpdates == 0)
            }
        }

        @Test func `a session is resumed without what was said, closed, and not there until it is opened again`()
            async throws
        {
            try await with { source in
                let session = try await withACPClient(source) { client in
                    let session = try await client.newSession(in: "/").sessionID
                    _ = try await client.prompt("before", in: session)
                    return session
                }
                let seen = Recorder<String>()
                var handlers = ACPClient.Handlers()
                handlers.update = { seen.add($0.update.summary) }
                try await withACPClient(source, handlers: handlers) { client in
                    let request = ACP.ResumeSessionRequest(sessionID: session, cwd: "/")
                    _ = try await client.resumeSession(request)
                    #expect(try await client.prompt("now", in: session).stopReason == .endTurn)
                    #expect(seen.all == ["says now"])
                    try await client.closeSession(session)
                    #expect(await refusal { _ = try await client.prompt("closed", in: session) } == .invalidParams)
                    #expect(await refusal { try await client.closeSession(session) } == .resourceNotFound)
                    _ = try await client.resumeSession(request)
                    #expect(try await client.prompt("open", in: session).stopReason == .endTurn)
                    #expect(seen.all == ["says now", "says open"])
                }
            }
        }

        @Test func `a turn is cancelled, by word and by its task, and the session goes on`() async throws {
            try await with { source in
                let conversation = ACPConversation()
                try await withACPClient(source, handlers: conversation.handlers) { client in
                    try await conversation.start(on: client, in: "/")
                    async let turn: Void = conversation.send("stay")
                    for await chat in conversation.updates() where words(chat).last == "agent: stay" { break }
                    await conversation.cancel()
                    try await turn
                    #expect(await conversation.current.transcript.turn == .idle(.cancelled))
                    #expect(await conversation.current.problem == nil)
                    try await conversation.send("on")
                    #expect(words(await conversation.current).last == "agent: on")
                    let given = Task { try await conversation.send("stay") }
                    for await chat in conversation.updates() where words(chat).last == "agent: stay" { break }
                    given.cancel()
                    await #expect(throws: CancellationError.self) { try await given.value }
                    #expect(await conversation.current.transcript.turn == .idle(.cancelled))
                    try await conversation.send("still on")
                    #expect(await conversation.current.transcript.turn == .idle(.endTurn))
                    #expect(words(await conversation.current).last == "agent: still on")
                }
            }
        }
    }
}
