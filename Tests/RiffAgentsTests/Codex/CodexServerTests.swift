// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import RiffShare
import RiffTesting
import RiffTransport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CodexServerTests {
    @Test func `a proxy that finds no server is an error with a name, with what it said`() async throws {
        let server = CodexServer(.folder("/proj")) {
            let (ours, theirs) = InMemoryByteChannel.makePair()
            ours.writeDiagnostics(Array("Error: no socket\u{1B}[2J\n".utf8))
            ours.end(.exited(1))
            return theirs
        }
        let error = await #expect(throws: AgentError.self) { try await server.run() }
        #expect(error?.code == .noServer)
        #expect(error?.message.contains("no socket") == true && error?.message.contains("\u{1B}") == false)
    }

    @Test(arguments: [
        ("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n", AgentErrorCode.serverFailed),
        ("{\"id\":1}\r\n\r\n", .serverFailed), ("SSH-2.0-x\r\n\r\n", .serverFailed),
    ])
    func `what is no such server is an error with a name`(bytes: String, code: AgentErrorCode) async throws {
        let server = CodexServer(.folder("/proj")) {
            let (ours, theirs) = InMemoryByteChannel.makePair()
            try await ours.write(Array(bytes.utf8))
            return theirs
        }
        let error = await #expect(throws: AgentError.self) { try await server.run() }
        #expect(error?.code == code)
    }

    @Test func `an answer counts once, wherever the connection is cut, and nothing comes before the handshake`()
        async throws
    {
        // Each message that a client sends, cut before and after it took effect; and three losses in a row of each
        // answer.
        var cuts: [ScriptedCodex.Cut] = []
        for message in 0..<9 { cuts += [true, false].map { ScriptedCodex.Cut(message: message, isBefore: $0) } }
        for first in cuts {
            let codex = ScriptedCodex(cuts: [first, first, first])
            let server = CodexServer(.folder("/proj"), reconnect: ReconnectPolicy(delays: [])) { codex.open() }
            let running = Task { try await server.run() }
            let found = try await wait(server) { !$0.questions.isEmpty }
            let question = try #require(found.questions.first)
            let result = try await server.answer(question, with: .allow)
            #expect(result == .taken || result == .given)
            #expect(codex.state.withLock { $0.decisions } == ["accept"], "\(first)")
            #expect(codex.state.withLock { $0.early } == 0)
            running.cancel()
            _ = await running.result
            await codex.end()
        }
    }

    @Test func `a conversation that asks takes no prompt, and one without a connection proves that none was sent`()
        async throws
    {
        let codex = ScriptedCodex(cuts: [])
        let server = CodexServer(.folder("/proj"), reconnect: ReconnectPolicy(delays: [])) { codex.open() }
        let carrier = server.promptCarrier
        #expect(try await carrier.readiness() == .notNow("Codex's server is not connected yet."))
        let error = await #expect(throws: AgentError.self) { try await server.startPrompt("go", id: "1") }
        #expect(try server.proof(in: #require(error)) == .notSent(#require(error).message))
        #expect(server.proof(in: AgentError(.serverLost, "lost")) == nil)
        #expect(server.proof(in: AgentError(.serverFailed, "nonsense")) == nil)

        let running = Task { try await server.run() }
        _ = try await wait(server) { !$0.questions.isEmpty }
        #expect(try await carrier.readiness() == .notNow("Codex asks a question."))
        running.cancel()
        _ = await running.result
        await codex.end()
    }

    private func wait(
        _ server: CodexServer,
        _ isMeant: (CodexStatus) -> Bool
    ) async throws -> CodexStatus {
        for await status in server.updates() where isMeant(status) { return status }
        throw CancellationError()
    }
}
