// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import RiffShare
import Testing

/// A record in memory.
actor MemoryRecord: PromptRecord {
    var name = "one.jsonl"
    var bytes: [UInt8]?
    private let pieceBytes: Int

    init(_ lines: [String]?, pieceBytes: Int = .max) {
        bytes = lines.map { Array($0.map { $0 + "\n" }.joined().utf8) }
        self.pieceBytes = pieceBytes
    }

    func add(_ line: String) { bytes = (bytes ?? []) + Array("\(line)\n".utf8) }
    func begin(_ name: String) {
        self.name = name
        bytes = []
    }
    func remove() { bytes = nil }
    func cut(to count: Int) { bytes = bytes.map { Array($0.prefix(count)) } }

    func size() -> (name: String, bytes: Int64)? { bytes.map { (name, Int64($0.count)) } }

    func read(_ name: String, from offset: Int64, atMost count: Int) -> [UInt8] {
        Array((bytes ?? []).dropFirst(Int(offset)).prefix(min(count, pieceBytes)))
    }
}

struct PromptLookoutTests {
    // As Claude Code 2.1.331 and Codex 0.163.0 write them.
    static func claude(_ text: String) -> String {
        let content = String(decoding: JSONValue.string(text).bytes(), as: UTF8.self)
        return #"{"isSidechain":false,"promptId":"p1","type":"user","message":{"role":"user","content":\#(content)},"#
            + #""origin":{"kind":"human"},"sessionId":"s"}"#
    }
    static func codex(_ text: String, id: String) -> String {
        let content = String(decoding: JSONValue.string(text).bytes(), as: UTF8.self)
        return #"{"type":"event_msg","payload":{"type":"item_completed","turn_id":"t1","item":{"type":"UserMessage","#
            + #""client_id":"\#(id)","content":[{"type":"text","text":\#(content),"text_elements":[]}]}}}"#
    }

    private static let prompt = OutgoingPrompt(id: .random(), text: "fix\tthe build\nnow")

    @Test(arguments: [
        claude("fix    the build\nnow"),
        claude("\n\n<pasted_content id=\"aa89\">\nfix    the build\nnow\n</pasted_content id=\"aa89\">\n"),
        #"{"type":"queue-operation","operation":"enqueue","content":"fix    the build\nnow"}"#,
        #"{"isSidechain":false,"type":"attachment","attachment":{"type":"queued_command","origin":{"kind":"human"},"prompt":"fix    the build\nnow"}}"#,
    ])
    func `each form in which Claude Code writes a prompt down is a receipt`(line: String) async throws {
        let record = MemoryRecord([#"{"type":"mode"}"#, line, #"{"type":"assistant"}"#], pieceBytes: 7)
        let lookout = PromptLookout(agent: .claude, record: record)
        let look = try await lookout.look(for: Self.prompt, since: "0 one.jsonl")
        guard case .received = look else {
            Issue.record("\(look)")
            return
        }
    }

    @Test(arguments: [
        claude("fix the build"), claude("fix    the build\nnow").replacing("false", with: "true"),
        claude("fix    the build\nnow").replacing("human", with: "task-notification"),
        #"{"type":"user","message":{"content":[{"type":"tool_result","text":"x"},{"type":"text","text":"fix\tthe build\nnow"}]}}"#,
        #"{"type":"queue-operation","operation":"remove","content":"fix\tthe build\nnow"}"#,
        #"{"type":"assistant","message":{"content":"fix\tthe build\nnow"}}"#, "{", "", "[]", "null", "\u{0}",
        codex("fix\tthe build\nnow", id: "x"),
    ])
    func `what is no prompt of a person is no receipt`(line: String) async throws {
        let lookout = PromptLookout(agent: .claude, record: MemoryRecord([line]))
        #expect(try await lookout.look(for: Self.prompt, since: "0 one.jsonl") == .absent)
    }

    @Test func `Codex's receipt is by its id or by its words`() async throws {
        let lookout = { PromptLookout(agent: .codex, record: MemoryRecord([$0])) }
        let byID = lookout(Self.codex("other", id: Self.prompt.id.text))
        #expect(try await byID.look(for: Self.prompt, since: "0 one.jsonl") == .received(turn: "t1"))
        let byWords = lookout(Self.codex(Self.prompt.text, id: "other"))
        #expect(try await byWords.look(for: Self.prompt, since: "0 one.jsonl") == .received(turn: "t1"))
        let neither = lookout(Self.codex("other", id: "other"))
        #expect(try await neither.look(for: Self.prompt, since: "0 one.jsonl") == .absent)
    }

    @Test func `what was written before the mark is no receipt`() async throws {
        let record = MemoryRecord([Self.claude(Self.prompt.text)])
        let lookout = PromptLookout(agent: .claude, record: record)
        let mark = try await lookout.mark()
        #expect(try await lookout.look(for: Self.prompt, since: mark) == .absent)
        await record.add(Self.claude(Self.prompt.text))
        #expect(try await lookout.look(for: Self.prompt, since: mark) == .received(turn: "p1"))
    }

    @Test func `a record that is not there yet, another one, one that is gone and one that was cut`() async throws {
        let record = MemoryRecord(nil)
        let lookout = PromptLookout(agent: .claude, record: record)
        let first = try await lookout.mark()
        #expect(try await lookout.look(for: Self.prompt, since: first) == .absent)
        await record.add(Self.claude(Self.prompt.text))
        #expect(try await lookout.look(for: Self.prompt, since: first) == .received(turn: "p1"))
        let second = try await lookout.mark()
        await record.cut(to: 10)
        guard case .unknown = try await lookout.look(for: Self.prompt, since: second) else {
            Issue.record("a record that was cut proves nothing")
            return
        }
        await record.begin("two.jsonl")
        await record.add(Self.claude(Self.prompt.text))
        guard case .unknown = try await lookout.look(for: Self.prompt, since: second) else {
            Issue.record("another record proves nothing")
            return
        }
        await record.remove()
        guard case .unknown = try await lookout.look(for: Self.prompt, since: second) else {
            Issue.record("a record that is gone proves nothing")
            return
        }
        for mark in ["", "x", "-1 one.jsonl", "99999999999999999999 one.jsonl"] {
            guard case .unknown = try await lookout.look(for: Self.prompt, since: mark) else {
                Issue.record("\(mark) is no mark")
                return
            }
        }
    }

    @Test func `of an agent whose records are not known nothing is proved`() async throws {
        let lookout = PromptLookout(agent: .generic, record: MemoryRecord([Self.claude(Self.prompt.text)]))
        guard case .unknown = try await lookout.look(for: Self.prompt, since: "0 one.jsonl") else {
            Issue.record("it was proved")
            return
        }
    }
}
