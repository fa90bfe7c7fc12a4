// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffDeflate
import RiffTranscripts
import TestSupport
import Testing

/// What an import leaves of what the store has, and what it leaves behind where it fails.
@Suite(.timeLimit(.minutes(2)))
struct TranscriptReimportTests {
    private static func with(
        _ body: (_ store: TranscriptStore, _ file: @escaping (String) throws -> String) async throws -> Void
    ) async throws {
        try await TranscriptLab.withFolder { (folder) async throws in
            let store = try await TranscriptLab.open(folder + "/transcripts.db")
            var number = 0
            try await body(store) { lines in
                number += 1
                let path = "\(folder)/\(number).jsonl"
                try Data(lines.utf8).write(to: URL(filePath: path))
                return path
            }
            try await store.close()
        }
    }

    private static func prompt(_ text: String, _ id: Int) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"session/prompt","params":{"sessionId":"S","prompt":[{"type":"text","text":"\#(text)"}]}}"#
            + "\n"
    }

    private static func chunk(_ text: String, of role: String = "agent") -> String {
        #"{"sessionId":"S","update":{"sessionUpdate":"\#(role)_message_chunk","content":{"type":"text","text":"\#(text)"}}}"#
            + "\n"
    }

    private static let new =
        #"{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w"}}"# + "\n"
        + #"{"jsonrpc":"2.0","id":1,"result":{"sessionId":"S"}}"# + "\n"

    @Test func `two recordings of one session are both kept, and each is known again`() async throws {
        try await Self.with { (store, file) async throws in
            let first = Self.new + Self.prompt("Go on", 2) + Self.chunk("One")
            // A resume sends nothing of what was before.
            let second = Self.prompt("Go on", 3) + Self.chunk("Two")
            for lines in [first, second] {
                let report = try await store.importTranscripts(at: file(lines))
                #expect(report.messages.added == 2 && report.messages.updated == 0)
            }
            for lines in [first, second] {
                #expect(try await store.importTranscripts(at: file(lines)).messages.unchanged == 2)
            }
            let grown = try await store.importTranscripts(at: file(second + Self.chunk(" more") + Self.prompt("x", 4)))
            #expect(grown.messages.updated == 1 && grown.messages.added == 1 && grown.messages.unchanged == 1)
            // A load sends all of it again.
            let load = #"{"jsonrpc":"2.0","id":9,"method":"session/load","params":{"sessionId":"S","cwd":"/w"}}"# + "\n"
            let again = load + Self.chunk("Go on", of: "user") + Self.chunk("One") + Self.prompt("And then?", 10)
            let replayed = try await store.importTranscripts(at: file(again))
            #expect(replayed.messages.unchanged == 2 && replayed.messages.added == 1)
            let texts = try await store.messages(of: "S").messages.map(\.text)
            #expect(texts.sorted() == ["And then?", "Go on", "Go on", "One", "Two more", "x"])
        }
    }

    private static func load(_ answer: String) -> [String] {
        [
            #"{"jsonrpc":"2.0","id":12,"method":"session/load","params":{"sessionId":"S","cwd":"/w"}}"# + "\n",
            #"{"jsonrpc":"2.0","id":12,\#(answer)}"# + "\n",
        ]
    }
    private static let failure = #""error":{"code":-32602,"message":"no such session"}"#

    @Test(arguments: [#""result":{}"#, #""result":null"#, failure])
    func `a load that sends nothing again, or fails, takes nothing away`(answer: String) async throws {
        try await Self.with { (store, file) async throws in
            let load = Self.load(answer)
            // What is no part of the conversation may come with any load.
            let commands =
                #"{"sessionId":"S","update":{"sessionUpdate":"available_commands_update","availableCommands":[]}}"#
                + "\n"
            let first = Self.new + Self.prompt("One", 2) + Self.chunk("Two")
            for lines in [first + load[0], first + load.joined(), first + load[0] + commands + load[1]] {
                let report = try await store.importTranscripts(at: file(lines))
                #expect(report.messages.added + report.messages.unchanged == 2)
                #expect(try await store.messages(of: "S").messages.map(\.text) == ["One", "Two"])
            }
            let went = first + load.joined() + Self.prompt("Three", 13) + Self.chunk("Four")
            try await store.importTranscripts(at: file(went))
            #expect(try await store.messages(of: "S").messages.map(\.text) == ["One", "Two", "Three", "Four"])
        }
    }

    @Test(arguments: [true, false])
    func `a load that sends everything again has it once, whenever its answer comes`(isAnsweredFirst: Bool) async throws
    {
        try await Self.with { (store, file) async throws in
            let load = Self.load(#""result":{}"#)
            let again = Self.chunk("One", of: "user") + Self.chunk("Two")
            let lines =
                Self.new + Self.prompt("One", 2) + Self.chunk("Two") + load[0]
                + (isAnsweredFirst ? load[1] + again : again + load[1]) + Self.prompt("Three", 13)
            #expect(try await store.importTranscripts(at: file(lines)).messages.added == 3)
            #expect(try await store.messages(of: "S").messages.map(\.text) == ["One", "Two", "Three"])
        }
    }

    @Test func `an old export replaces nothing that went on since`() async throws {
        try await Self.with { (store, file) async throws in
            let session = TranscriptSession(id: "s")
            var call = ChatEntry.ToolCall(id: "c", name: "ls", status: "in_progress")
            func messages(_ text: String) -> [ChatEntry] {
                [
                    TranscriptLab.message("m", text),
                    ChatEntry(id: "t", role: .tool, text: "", time: TranscriptLab.noon, toolCalls: [call]),
                ]
            }
            func export() async throws -> String {
                var bytes: [UInt8] = []
                for try await piece in store.export(as: .jsonLines) { bytes += piece }
                return String(decoding: bytes, as: UTF8.self)
            }
            try await store.save(session, messages("Hel"))
            let old = try await export()
            call.status = "completed"
            call.output = "a.txt"
            try await store.save(session, messages("Hello world"))
            let new = try await export()
            let report = try await store.importTranscripts(at: file(old))
            #expect(report.messages.unchanged == 2 && report.messages.updated == 0)
            #expect(try await store.messages(of: "s").messages == messages("Hello world"))
            // The other way round it grows.
            try await store.delete(["s"])
            try await store.importTranscripts(at: file(old))
            #expect(try await store.importTranscripts(at: file(new)).messages.updated == 2)
            #expect(try await store.messages(of: "s").messages == messages("Hello world"))
        }
    }

    @Test func `strictly, what stands before the bad line is in the store`() async throws {
        try await Self.with { (store, file) async throws in
            let lines = (0..<300).map { #"{"id":"\#($0)","role":"user","content":"x","timestamp":\#($0)}"# + "\n" }
            let path = try file(lines.joined() + "not json\n" + lines[0])
            #expect(
                await TranscriptLab.code { try await store.importTranscripts(at: path, isStrict: true) }
                    == .importLineInvalid
            )
            #expect(try await store.session("1")?.messageCount == 300)
        }
    }

    @Test func `of a recording that is cut, what came before is in the store`() async throws {
        try await Self.with { (store, file) async throws in
            let lines = Self.new + (0..<2000).map { Self.prompt("number \($0)", $0) }.joined()
            let packed = try Deflate.compress(Array(lines.utf8), as: .gzip)
            let path = try file("")
            try Data(packed.dropLast(packed.count / 2)).write(to: URL(filePath: path))
            #expect(await TranscriptLab.code { try await store.importTranscripts(at: path) } == .importFailed)
            let count = Int(try await store.session("S")?.messageCount ?? 0)
            #expect((500...1500).contains(count))
            try Data(packed).write(to: URL(filePath: path))
            let report = try await store.importTranscripts(at: path)
            #expect(report.messages.unchanged == count && report.messages.added == 2000 - count)
        }
    }
}
