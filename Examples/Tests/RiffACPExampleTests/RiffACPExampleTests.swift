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
