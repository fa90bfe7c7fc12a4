// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTesting
import Foundation
import RiffACP
import RiffTransport
import Testing

import riff_acp

struct ChatPrinterTests {
    @Test func `a diff shows what changed, not what stayed`() {
        let diff = ACP.Diff(path: "/a", newText: "one\nTWO\nthree", oldText: "one\ntwo\nthree")
        #expect(ChatPrinter.lines(of: diff) == ["/a", "- two", "+ TWO"])
        let made = ACP.Diff(path: "/b", newText: "x\ny")
        #expect(ChatPrinter.lines(of: made) == ["/b", "+ x", "+ y"])
    }

    @Test func `what a terminal would obey is left out`() {
        #expect(ChatPrinter(isInteractive: false).plain("a\u{1B}[31mb\u{202E}\n\tc\u{7}") == "a[31mb\n\tc")
    }
}

@Suite(.timeLimit(.minutes(5))) struct ChatNewsTests {
    @Test func `nothing that an agent names is obeyed by a terminal or begins a line of its own`() async throws {
        let evil = "a\u{1B}]52;c;aGk=\u{7}\u{9B}2J\u{200F}\r\n> b"
        let conversation = ACPConversation(following: "s")
        let apply = try #require(conversation.handlers.update)
        let updates: [ACP.SessionUpdate] = [
            .toolCall(ACP.ToolCall(toolCallID: "1", title: evil, status: ACP.ToolCallStatus(rawValue: evil))),
            .plan(
                ACP.Plan(entries: [
                    ACP.PlanEntry(content: evil, priority: .high, status: ACP.PlanEntryStatus(rawValue: evil))
                ])
            ),
            .agentMessageChunk(ACP.ContentChunk(content: .text(ACP.TextContent(text: evil)))),
        ]
        for update in updates { await apply(ACP.SessionNotification(sessionID: "s", update: update)) }
        var news = ChatNews.stream(of: conversation).makeAsyncIterator()
        let first = try #require(await news.next())
        for isInteractive in [true, false] {
            var printer = ChatPrinter(isInteractive: isInteractive)
            let printed = printer.print(first).joined()
            let scalars = printed.unicodeScalars
            #expect(scalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
            #expect(!scalars.contains("\u{200F}"))
            // The tool, the plan with its step, and the two lines of what the agent says.
            #expect(printed.split(separator: "\n").count == 5)
        }
    }

    @Test func `what comes while nothing is read is one piece of news, and nothing is told twice`() async throws {
        let conversation = ACPConversation(following: "s")
        let apply = try #require(conversation.handlers.update)
        func say(_ update: ACP.SessionUpdate) async {
            await apply(ACP.SessionNotification(sessionID: "s", update: update))
        }
        func words(_ text: String) -> ACP.ContentChunk {
            ACP.ContentChunk(content: .text(ACP.TextContent(text: text)))
        }
        var news = ChatNews.stream(of: conversation).makeAsyncIterator()
        var printer = ChatPrinter(isInteractive: false)
        await say(.agentThoughtChunk(words("hm")))
        for number in 0..<1_000 { await say(.agentMessageChunk(words("\(number) "))) }
        let first = try #require(await news.next())
        let counted = (0..<1_000).map { "\($0) " }.joined()
        #expect(first.pieces == [.line(id: 0, "(thinking)", []), .text(id: 1, counted)])
        #expect(first.count == 2 && !first.isRunning && first.question == nil)
        #expect(printer.print(first).joined() == "(thinking)\n\(counted)")
        await say(.agentMessageChunk(words("more")))
        await say(.plan(ACP.Plan(entries: [ACP.PlanEntry(content: "do", priority: .high, status: .completed)])))
        let second = try #require(await news.next())
        #expect(second.pieces == [.text(id: 1, "more"), .line(id: nil, "Plan", ["  [x] do"])])
        #expect(printer.print(second).joined() == "more\nPlan\n  [x] do\n")
        await say(.usageUpdate(ACP.UsageUpdate(used: 1, size: 2)))
        #expect(await news.next()?.pieces == [])
    }
}

/// The program itself, with the echo agent of the protocol's SDK.
@Suite(.enabled(if: EchoAgent.isThere, "scripts/fetch-acp-agents was not run")) struct RiffACPProgramTests {
    @Test(.timeLimit(.minutes(5))) func `it says what the agent says, and records it`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "riff-acp-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // Cleanup.
        let record = folder.appending(path: "record.jsonl").path
        let arguments = ["--record", record, EchoAgent.python, EchoAgent.script]
        let process = try await LocalProcess.start(LocalCommand(try BuiltProgram.path("riff-acp"), arguments))
        try await process.write(Array("hello there\nand again\n".utf8))
        try await process.finishWriting()
        let output = String(decoding: try await process.output.collect(upTo: 1 << 20), as: UTF8.self)
        #expect(try await process.exitStatus() == .exited(0))
        await process.close()
        #expect(output.split(separator: "\n").suffix(2) == ["hello there", "and again"])
        let lines = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n")
        #expect(lines.filter { $0.contains("\"dir\":\"c2a\"") && $0.contains("session/prompt") }.count == 2)
        #expect(lines.contains { $0.contains("\"dir\":\"a2c\"") && $0.contains("and again") })
    }
}

/// The program itself, in a script, with an agent of a few lines.
@Suite struct RiffACPScriptTests {
    /// Answers the handshake, and then does what is asked of it at the first prompt.
    private func agent(_ atPrompt: String) -> [String] {
        let script = """
            while read -r line; do
              id=$(printf '%s' "$line" | sed 's/.*"id":\\("[^"]*"\\|[0-9]*\\).*/\\1/')
              case $line in
                *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}\\n' "$id";;
                *'"session/new"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s"}}\\n' "$id";;
                *'"session/prompt"'*) \(atPrompt);;
              esac
            done
            """
        return ["sh", "-c", script]
    }

    private static let fails =
        "printf '{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32000,\"message\":\"no \\\\u001b[2Jkey\"}}\\n' \"$id\""

    @Test(.timeLimit(.minutes(5)), arguments: ["exit 3", fails])
    func `a last turn that fails gives status 1 and words on standard error`(atPrompt: String) async throws {
        let process = try await LocalProcess.start(LocalCommand(try BuiltProgram.path("riff-acp"), agent(atPrompt)))
        try await process.write(Array("hello\n".utf8))
        try await process.finishWriting()
        async let told = process.diagnostics.collect(upTo: 1 << 20)
        let output = String(decoding: try await process.output.collect(upTo: 1 << 20), as: UTF8.self)
        let words = String(decoding: try await told, as: UTF8.self)
        #expect(try await process.exitStatus() == .exited(1))
        await process.close()
        #expect(output.split(separator: "\n").count == 1 && output.hasPrefix("Connected to "))
        #expect(words.hasPrefix("riff-acp: ") && !words.contains("\u{1B}"))
    }
}
