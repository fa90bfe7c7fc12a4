// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffDeflate
import RiffTranscripts
import RiffTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct TranscriptImportTests {
    private static func with(
        _ name: String,
        _ lines: String,
        _ body: (_ store: TranscriptStore, _ path: String) async throws -> Void
    ) async throws {
        try await TranscriptLab.withFolder { (folder) async throws in
            let path = folder + "/" + name
            let parent = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            try Data(lines.utf8).write(to: URL(filePath: path))
            let store = try await TranscriptLab.open(folder + "/transcripts.db")
            try await body(store, path)
            try await store.close()
        }
    }

    private static let claw = #"""
        {"id":"1","role":"user","content":"Hello","timestamp":1769817600000}
        {"id":"2","role":"assistant","content":"Hi","timestamp":1769817601500,"model":"m","new":[1]}

        {"id":"2","role":"assistant","content":"Another of the same millisecond","timestamp":1769817601500}
        {"id":"2","role":"assistant","content":"Hi","timestamp":1769817601500,"model":"m","new":[1]}
        {"id":"3","role":"system","content":7,"timestamp":1}
        not json
        {"id":"4","role":"user","content":"cut o
        """#

    @Test func `RemoteClaw's folder, with what is wrong with it`() async throws {
        let name = "session-1769817600000-0a1b2c3d/transcript.jsonl"
        try await Self.with(name, Self.claw) { (store, path) async throws in
            let folder = String(path.dropLast("/transcript.jsonl".count))
            let metadata =
                #"{"name":"Greeting","model":"m","createdAt":1769817600000,"updatedAt":1769817602000,"messageCount":9,"x":1}"#
            try Data(metadata.utf8).write(to: URL(filePath: folder + "/metadata.json"))
            var rejected: [Int] = []
            let report = try await store.importTranscripts(at: folder) { rejected.append($0.line) }
            #expect(report.origin == .remoteClaw && report.messages.added == 3 && report.messages.unchanged == 1)
            #expect(rejected == [6, 7, 8] && report.rejectedLines == 3)
            #expect(report.rejections[1].bytes == Array("not json".utf8))
            #expect(report.rejections[0].error.message.contains("Line 6 of ") == true)
            #expect(report.rejections[0].error.code == .importLineInvalid)
            let session = try #require(try await store.session("session-1769817600000-0a1b2c3d"))
            #expect(session.title == "Greeting" && session.source == .remoteClaw && session.createdAt == 1_769_817_600)
            #expect(session.extra == ["x": 1] && session.messageCount == 3 && session.preview == "Hello")
            let messages = try await store.messages(of: session.id).messages
            #expect(messages.map(\.id) == ["1", "2", "2#2"])
            #expect(
                messages[1].extra == ["new": [1]] && messages[1].model == "m" && messages[1].time == 1_769_817_601.5
            )
            let again = try await store.importTranscripts(at: folder)
            #expect(again.messages.unchanged == 4 && again.messages.added + again.messages.updated == 0)
        }
    }

    @Test func `strictly, the first bad line ends the import and is named`() async throws {
        try await Self.with("x.jsonl", Self.claw) { (store, path) async throws in
            do {
                try await store.importTranscripts(at: path, isStrict: true)
                Issue.record("no error")
            } catch let error as DataError {
                #expect(error.code == .importLineInvalid && error.message.contains("Line 6 of \(path)"))
            }
        }
    }

    @Test func `a Riff server's conversation, which goes on growing`() async throws {
        let lines = (0..<3).map { number in
            let message = ConversationMessage(
                id: RiffIdentifier.default,
                role: number.isMultiple(of: 2) ? .user : .assistant,
                text: "text \(number)",
                attachments: ["a.png"],
                time: Double(number) + 0.5
            )
            return message.json.description.replacing("\"default\"", with: "\"m\(number)\"")
        }
        try await Self.with("default.jsonl", lines[0] + "\n" + lines[1] + "\n") { (store, path) async throws in
            #expect(try await store.importTranscripts(at: path).origin == .riffConversation)
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
            let report = try await store.importTranscripts(at: path)
            #expect(report.messages.added == 1 && report.messages.unchanged == 2)
            let session = try #require(try await store.session("default"))
            #expect(session.source == .riff && session.createdAt == 0.5 && session.messageCount == 3)
            let messages = try await store.messages(of: "default").messages
            #expect(messages.map(\.text) == ["text 0", "text 1", "text 2"])
            #expect(messages[0].attachments == [ChatEntry.Attachment(name: "a.png")])
        }
    }

    private static let acp = #"""
        {"t":0,"dir":"c2a","msg":{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[]}}}
        {"t":0,"dir":"stderr","msg":"a line of a log"}
        {"t":1,"dir":"a2c","msg":{"jsonrpc":"2.0","id":1,"result":{"sessionId":"S"}}}
        {"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"S","prompt":[{"type":"text","text":"List it"},{"type":"resource_link","name":"a.md","uri":"file:///a.md","size":4}]}}
        {"sessionId":"S","update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"List it"}}}
        {"sessionId":"S","update":{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm"}}}
        {"sessionId":"S","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"I "}}}
        {"sessionId":"S","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"look"}}}
        {"sessionId":"S","update":{"sessionUpdate":"tool_call","toolCallId":"c","title":"ls","kind":"execute","status":"pending","rawInput":{"command":"ls"},"new":1}}
        {"sessionId":"S","update":{"sessionUpdate":"session_info_update","title":"Listing"}}
        {"sessionId":"S","update":{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed","kind":null,"rawOutput":{"exit":0}}}
        {"sessionId":"S","update":{"sessionUpdate":"something_new","x":1}}
        {"sessionId":"S","update":{"x":1}}
        {"sessionId":"S","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Done"}}}
        """#

    @Test func `messages of the Agent Client Protocol become a session`() async throws {
        try await Self.with("log.jsonl", Self.acp) { (store, path) async throws in
            let report = try await store.importTranscripts(at: path)
            #expect(report.origin == .acp && report.sessions == ["S"] && report.rejections.map(\.line) == [13])
            let session = try #require(try await store.session("S"))
            #expect(session.title == "Listing" && session.directory == "/w" && session.source == .acp)
            let messages = try await store.messages(of: "S").messages
            #expect(messages.map(\.role.rawValue) == ["user", "thought", "assistant", "tool", "assistant"])
            #expect(messages.map(\.text) == ["List it", "hm", "I look", "", "Done"])
            #expect(messages[0].attachments.first?.location == "file:///a.md")
            let call = try #require(messages[3].toolCalls.first)
            #expect(call.name == "ls" && call.kind == nil && call.status == "completed")
            #expect(call.input == ["command": "ls"] && call.output == ["exit": 0] && call.extra == ["new": 1])
            let again = try await store.importTranscripts(at: path)
            #expect(again.messages.unchanged == 5 && again.messages.added + again.messages.updated == 0)
        }
    }

    private static let recordings =
        URL(filePath: #filePath).deletingLastPathComponent().path + "/../RiffACPTests/Fixtures/transcripts"

    @Test func `recorded conversations with real agents are read, every line of them`() async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.recordings).filter {
            $0.hasSuffix(".jsonl")
        }
        #expect(!names.isEmpty)
        try await TranscriptLab.withStore { (store) async throws in
            for name in names {
                let path = "\(Self.recordings)/\(name)"
                let report = try await store.importTranscripts(at: path, as: .acp)
                #expect(report.rejectedLines == 0, "\(name): \(report.rejections.first?.error.message ?? "")")
                let expected = try Self.recorded(path)
                #expect(Set(expected.keys).isSubset(of: report.sessions), "\(name)")
                for id in report.sessions {
                    let messages = try await store.messages(of: id, .oldest, limit: 1000).messages
                    let expected = expected[id] ?? Recorded()
                    #expect(Set(messages.flatMap(\.toolCalls).map(\.id)) == expected.calls, "\(name), \(id)")
                    #expect(
                        messages.filter { $0.role == .user }.map(\.text) == expected.prompts,
                        "\(name), \(id)"
                    )
                    let said = messages.filter { $0.role == .assistant }.map(\.text).joined()
                    #expect(said.utf8.elementsEqual(expected.said.utf8), "\(name), \(id)")
                }
                try await store.delete(Array(report.sessions))
            }
        }
    }

    /// What a recording has of a session, read without the library's own rules: where a load has all of it sent again,
    /// that counts, and what was before does not.
    private struct Recorded {
        var prompts: [String] = []
        var said = ""
        var calls: Set<String> = []
    }

    private static func recorded(_ path: String) throws -> [String: Recorded] {
        var sessions: [String: Recorded] = [:]
        var (loading, replayed): (Set<String>, Set<String>) = ([], [])
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            guard let message = json["msg"] as? [String: Any] ?? (json["msg"] == nil ? json : nil),
                let parameters = message["params"] as? [String: Any], let id = parameters["sessionId"] as? String
            else { continue }
            let blocks = { (value: Any?) in (value as? [[String: Any]] ?? []).compactMap { $0["text"] as? String } }
            switch message["method"] as? String {
            // The recorded agent sends all of it again when a session is resumed, too.
            case "session/load", "session/resume": loading.insert(id)
            case "session/prompt":
                loading.remove(id)
                sessions[id, default: Recorded()].prompts.append(blocks(parameters["prompt"]).joined())
            case "session/update":
                guard let update = parameters["update"] as? [String: Any], let kind = update["sessionUpdate"] as? String
                else { continue }
                let text = (update["content"] as? [String: Any])?["text"] as? String ?? ""
                let isPart =
                    kind.hasSuffix("_message_chunk") || kind.hasPrefix("tool_call") || kind == "agent_thought_chunk"
                if isPart, loading.remove(id) != nil {
                    sessions[id] = Recorded()
                    replayed.insert(id)
                }
                switch kind {
                case "agent_message_chunk": sessions[id, default: Recorded()].said += text
                case "tool_call", "tool_call_update":
                    (update["toolCallId"] as? String).map { _ = sessions[id, default: Recorded()].calls.insert($0) }
                case "user_message_chunk" where replayed.contains(id):
                    sessions[id, default: Recorded()].prompts.append(text)
                default: break
                }
            default: break
            }
        }
        return sessions
    }

    @Test(arguments: [1, 2, 3, 7, 64])
    func `lines may be cut anywhere while they are read`(size: Int) async throws {
        // The file is read in pieces of 256 KiB: lines of many lengths put their ends everywhere about a cut.
        let lines = (0..<300).map { number in
            #"{"id":"\#(number)","role":"user","content":"\#(String(repeating: "\u{E9}", count: 400 * size + number * 13))","timestamp":\#(number)}"#
        }
        try await Self.with("x.jsonl", lines.joined(separator: "\r\n")) { (store, path) async throws in
            let report = try await store.importTranscripts(at: path)
            #expect(report.messages.added == 300 && report.rejectedLines == 0)
            #expect(try await store.message("299", of: "x")?.text.count == 400 * size + 299 * 13)
        }
    }

    @Test func `what is no transcript is refused`() async throws {
        try await Self.with("x.jsonl", "{\"a\":1}\n[]\n") { (store, path) async throws in
            #expect(await TranscriptLab.code { try await store.importTranscripts(at: path) } == .importFormatUnknown)
            #expect(await TranscriptLab.code { try await store.importTranscripts(at: path + "none") } == .importFailed)
            let origin = TranscriptImport.Origin(rawValue: "other")
            #expect(
                await TranscriptLab.code { try await store.importTranscripts(at: path, as: origin) }
                    == .importFormatUnknown
            )
            #expect(try await store.sessions(isArchived: nil).elements.isEmpty)
        }
        try await Self.with("x.jsonl", "") { (store, path) async throws in
            #expect(try await store.importTranscripts(at: path).origin == nil)
        }
    }

    @Test func `a compressed transcript is read, whatever its name, and its folder, too`() async throws {
        for name in ["chat.jsonl.gz", "chat.jsonl", "folder/transcript.jsonl.gz"] {
            try await Self.with(name, "") { (store, path) async throws in
                try Data(try Deflate.compress(Array(Self.claw.utf8), as: .gzip)).write(to: URL(filePath: path))
                let folder = String(path.dropLast("/transcript.jsonl.gz".count))
                let report = try await store.importTranscripts(at: name.contains("/") ? folder : path)
                #expect(report.messages.added == 3 && report.rejections.map(\.line) == [6, 7, 8])
                #expect(report.sessions == [name.contains("/") ? "folder" : "chat"])
            }
        }
    }

    @Test(arguments: [
        ("2026-11-21.a.jsonl", "2026-11-21.a"), ("v1.2.jsonl.gz", "v1.2"), ("x.tar", "x.tar"), ("y.json", "y"),
        (".jsonl", ".jsonl"), ("z.jsonl.json", "z.jsonl"),
    ])
    func `files with dots in their names are sessions of their own`(name: String, session: String) async throws {
        try await Self.with(name, "") { (store, path) async throws in
            let lines = Array(#"{"id":"1","role":"user","content":"Hello","timestamp":1}"#.utf8)
            try Data(name.hasSuffix(".gz") ? Deflate.compress(lines, as: .gzip) : lines).write(to: URL(filePath: path))
            #expect(try await store.importTranscripts(at: path).sessions == [session])
        }
    }

    @Test func `a compressed transcript that is cut or damaged is an error, and what came before is imported`()
        async throws
    {
        let lines = (0..<2000).map { #"{"id":"\#($0)","role":"user","content":"number \#($0)","timestamp":1}"# }
        let packed = try Deflate.compress(Array((lines.joined(separator: "\n") + "\n").utf8), as: .gzip)
        var damaged = packed
        damaged[packed.count - 6] ^= 1
        let cases = [(Array(packed.dropLast(packed.count / 2)), 500...1500), (Array(packed.dropLast(3)), 2000...2000)]
        for (bytes, counts) in cases + [(damaged, 1000...2000)] {
            try await Self.with("chat.jsonl.gz", "") { (store, path) async throws in
                try Data(bytes).write(to: URL(filePath: path))
                do {
                    try await store.importTranscripts(at: path)
                    Issue.record("It was imported without an error.")
                } catch let error as DataError {
                    #expect(error.code == .importFailed && error.cause is DataError)
                    #expect(error.message.hasPrefix("\(path) cannot be decompressed: "))
                }
                #expect(try await counts.contains(Int(store.session("chat")?.messageCount ?? 0)))
            }
        }
    }
}
