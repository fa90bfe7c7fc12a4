// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffACP
import RiffCore
import TestSupport
import Testing

/// What a chat view has to show after conversations that were recorded with real agents: played to a client, message by
/// message, and compared with what a person found right.
@Suite(.timeLimit(.minutes(5))) struct RecordedChatTests {
    @Test(arguments: ["hermes-basic", "hermes-tools", "vibe-basic"])
    func `a recorded conversation is shown as it was`(name: String) async throws {
        let recording = try Recording(name)
        let conversation = ACPConversation()
        var handlers = conversation.handlers
        handlers.permission = { $0.allowOnce.map($0.choosing) ?? $0.denial }
        try await ScriptedAgent.with(handlers) { agent in
            try await recording.play(on: agent)
        } client: { client in
            try await conversation.start(on: client, in: "/home/user/project")
            for prompt in recording.prompts { try await conversation.send(prompt) }
            // All of it has been shown when the update behind it has.
            for await chat in conversation.updates() where chat.transcript.ignoredUpdates > 0 { break }
        }
        let chat = await conversation.current
        #expect(chat.transcript.ignoredUpdates == 1)
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/chats/\(name).txt")
        let right = try String(contentsOf: file, encoding: .utf8)
        let shown = Self.text(of: chat)
        #expect(shown == right, "\(shown)")
    }

    /// The first session of a recording, as far as only prompts are sent in it.
    private struct Recording {
        let lines: [TranscriptLines.Line]
        var prompts: [[ACP.ContentBlock]] = []

        init(_ name: String) throws {
            var isOver = false
            var sessions = 0
            lines = try TranscriptLines.read(name).filter { line in
                switch (line.direction, line.message["method"]?.text) {
                case ("c2a", "session/new"): sessions += 1
                case ("c2a", "session/prompt"), ("c2a", nil), ("a2c", _): break
                case ("c2a", _): isOver = sessions > 0
                default: return false
                }
                return sessions == 1 && !isOver
            }
            for line in lines where line.message["method"]?.text == "session/prompt" {
                prompts.append(try ACP.PromptRequest(json: line.message["params"] ?? .null).prompt)
            }
        }

        func play(on agent: ScriptedAgent) async throws {
            var asked: [JSONValue: JSONValue] = [:]
            for line in lines {
                let message = line.message
                switch (line.direction, message["method"]?.text) {
                case ("c2a", let method?): asked[message["id"] ?? .null] = try await agent.expect(method)
                case ("c2a", nil): #expect(try await agent.next()?["result"] == message["result"], "\(line.number)")
                case (_, nil):
                    var answer = message.object ?? [:]
                    answer["id"] = asked[message["id"] ?? .null]?["id"]
                    try await agent.send(.object(answer))
                default: try await agent.send(message)
                }
            }
            let session = lines.lazy.compactMap { $0.message["result"]?["sessionId"] }.first ?? .null
            try await agent.send([
                "jsonrpc": "2.0", "method": "session/update",
                "params": ["sessionId": session, "update": ["sessionUpdate": "_riff_end"]],
            ])
        }
    }

    // MARK: As text

    private static func text(of chat: ACPChat) -> String {
        var lines: [String] = []
        for group in chat.groups {
            lines.append("> \(group.prompt.map { cut($0.text) } ?? "(nothing said)")")
            for entry in group.entries { lines.append("  " + text(of: entry.kind)) }
            let counts = group.toolCounts.map { "\($0.key.rawValue) \($0.value)" }.sorted()
            if !counts.isEmpty { lines.append("  = \(counts.joined(separator: ", "))") }
        }
        let transcript = chat.transcript
        lines += transcript.plan.map { "plan: \($0.status.rawValue) \($0.content)" }
        lines.append("commands: \(transcript.commands.map(\.name).joined(separator: " "))")
        lines.append("mode: \(transcript.modes?.currentModeID.rawValue ?? "-")")
        lines.append("title: \(transcript.title ?? "-")")
        lines.append("window: \(transcript.usage.map { "\($0.used) of \($0.size)" } ?? "-")")
        lines.append("tokens: \(chat.tokens.map { "\($0.inputTokens) in, \($0.outputTokens) out" } ?? "-")")
        lines.append("turn: \(transcript.turn), banner: \(chat.problem?.message ?? "-")")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func text(of entry: ACPTranscript.Entry.Kind) -> String {
        switch entry {
        case .user(let message): "user: \(cut(message.text))"
        case .agent(let message): "agent: \(cut(message.text))"
        case .thought(let message): "thought: \(cut(message.text))"
        case .toolCall(let call):
            "\(call.kind.rawValue), \(call.status.rawValue): \(cut(call.title)) "
                + "[\(call.diffs.count) diffs, \(call.locations.count) places]"
        }
    }

    private static func cut(_ text: String) -> String {
        let line = text.replacing("\n", with: "⏎")
        return line.count <= 100 ? line : "\(line.prefix(60))…\(line.suffix(30))"
    }
}
