// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTranscripts
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ClaudeImportTests {
    private static func importing(_ lines: String, _ body: (TranscriptStore, TranscriptImport) async throws -> Void)
        async throws
    {
        try await TranscriptLab.withFolder { (folder) async throws in
            let path = folder + "/0a1b.jsonl"
            try Data(lines.utf8).write(to: URL(filePath: path))
            let store = try await TranscriptLab.open(folder + "/transcripts.db")
            try await body(store, try await store.importTranscripts(at: path))
            try await store.close()
        }
    }

    private static let lines = #"""
        {"type":"summary","summary":"Listing files","leafUuid":"u3"}
        {"type":"file-history-snapshot","messageId":"x","snapshot":{}}
        {"type":"user","uuid":"u1","sessionId":"S","cwd":"/w","timestamp":"2026-11-21T03:54:49.633Z","message":{"role":"user","content":"List the files"}}
        {"type":"user","uuid":"m","isMeta":true,"sessionId":"S","message":{"role":"user","content":"a note"}}
        {"type":"assistant","uuid":"u2","sessionId":"S","timestamp":"2026-11-21T03:54:51Z","message":{"role":"assistant","model":"claude-x","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"I look."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}
        {"type":"assistant","uuid":"s","isSidechain":true,"sessionId":"S","message":{"role":"assistant","content":"a helper"}}
        {"type":"user","uuid":"u3","sessionId":"S","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a.txt"},{"type":"tool_result","tool_use_id":"none","content":"x"}]}}
        {"type":"assistant","uuid":"u4","sessionId":"S","message":{"role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"A limit\u2028was reached"}]}}
        {"type":"assistant","uuid":"u5","sessionId":"S","message":{"role":"assist
        {"type":"assistant","sessionId":"S","message":{"role":"assistant","content":"no id"}}
        """#

    @Test func `what was said and the tools with what they returned`() async throws {
        try await Self.importing(Self.lines) { (store, report) async throws in
            #expect(report.origin?.rawValue == "claude" && report.messages.added == 3 && report.rejectedLines == 2)
            let session = try #require(try await store.session("S"))
            #expect(session.title == "Listing files" && session.directory == "/w")
            let messages = try await store.messages(of: "S").messages
            #expect(messages.map(\.id) == ["u1", "u2", "u4"])
            #expect(messages.map(\.text) == ["List the files", "I look.", "A limit\u{2028}was reached"])
            #expect(messages.map(\.model) == [nil, "claude-x", nil])
            #expect(messages[0].time == 1_795_233_289.633)
            let call = try #require(messages[1].toolCalls.first)
            #expect(call.name == "Bash" && call.input == ["command": "ls"])
            #expect(call.output == "a.txt" && call.status == "completed")
        }
    }

    @Test func `a session of many messages is not held whole, and none is lost`() async throws {
        let lines = (0..<5000).map { number in
            #"{"type":"user","uuid":"u\#(number)","sessionId":"S","message":{"role":"user","content":"n \#(number)"}}"#
        }
        try await Self.importing(lines.joined(separator: "\n")) { (store, report) async throws in
            #expect(report.messages.added == 5000)
            #expect(try await store.session("S")?.messageCount == 5000)
        }
    }

    @Test(arguments: [
        #"{"timestamp":"2026-11-21T03:54:49Z","type":"session_meta","payload":{"id":"x"}}"#,
        #"{"sessionId":"S","note":1}"#,
    ])
    func `what is of another program is refused with words`(line: String) async throws {
        try await TranscriptLab.withFolder { (folder) async throws in
            let path = folder + "/x.jsonl"
            try Data(line.utf8).write(to: URL(filePath: path))
            let store = try await TranscriptLab.open(folder + "/transcripts.db")
            let error = await #expect(throws: DataError.self) { try await store.importTranscripts(at: path) }
            #expect(error?.code == .importFormatUnknown && error?.message.contains("Claude Code") == true)
            try await store.close()
        }
    }
}

/// What an import costs: four times as much for four times as many bytes. They run one after another.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ImportGrowthTests {
    private static let shapes: [@Sendable (Int) -> String] = [
        { size in
            (0..<size).map {
                #"{"type":"user","uuid":"u\#($0)","sessionId":"S","message":{"role":"user","content":"x"}}"#
            }
            .joined(separator: "\n")
        },
        // A question that is said again, letter by letter.
        { size in
            let text = String(repeating: "a", count: size) + String(repeating: "b", count: size)
            let chunk = { (piece: String) in
                #"{"sessionId":"S","update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"\#(piece)"}}}"#
            }
            return
                #"{"jsonrpc":"2.0","method":"session/prompt","params":{"sessionId":"S","prompt":[{"type":"text","text":"\#(text)"}]}}"#
                + "\n" + (0..<size).map { _ in chunk("b") }.joined(separator: "\n")
        },
        // One call that every line changes, and one line that changes very much.
        { size in
            let members = (0..<size).map { #""m\#($0)":1"# }.joined(separator: ",")
            let call = #"{"sessionId":"S","update":{"sessionUpdate":"tool_call_update","toolCallId":"c",\#(members)}}"#
            return call + "\n" + call
        },
        { size in
            (0..<size).map {
                #"{"jsonrpc":"2.0","id":\#($0),"method":"session/load","params":{"sessionId":"s\#($0)"}}"#
            }
            .joined(separator: "\n")
                + "\n"
                + (0..<size).map { #"{"jsonrpc":"2.0","id":"e\#($0)","error":{"code":1,"message":"x"}}"# }
                .joined(separator: "\n")
        },
    ]

    @Test(arguments: 0..<shapes.count)
    func `an import is linear`(shape: Int) async throws {
        let factor = try await Growth.factor(from: 2000, enough: 10) { (size) async throws in
            try await TranscriptLab.withFolder { (folder) async throws in
                let path = folder + "/x.jsonl"
                try Data(Self.shapes[shape](size).utf8).write(to: URL(filePath: path))
                let store = try await TranscriptLab.open(folder + "/transcripts.db")
                try await store.importTranscripts(at: path)
                try await store.close()
            }
        }
        #expect(factor < 10)
    }
}
