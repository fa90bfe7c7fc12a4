// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTranscripts
import RiffTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct TranscriptExportTests {
    private static func fill(_ store: TranscriptStore) async throws {
        let call = ChatEntry.ToolCall(
            id: "c",
            name: "run`it`",
            kind: "execute",
            status: "completed",
            input: ["command": "ls"],
            output: "a```b",
            extra: ["locations": [["path": "/a"]]]
        )
        var answer = TranscriptLab.message("2", "It is **green**.", role: .assistant, at: TranscriptLab.noon + 1.25)
        answer.toolCalls = [call]
        answer.extra = ["big": .numeral("123456789012345678901234567890"), "time2": 1.5]
        var question = TranscriptLab.message("1", "Is it\ngreen?")
        question.attachments = [ChatEntry.Attachment(name: "a.png", sizeBytes: 5)]
        try await store.save(
            TranscriptSession(
                id: "s",
                source: .acp,
                title: "The\nbuild",
                model: "m",
                directory: "/w",
                createdAt: 5,
                extra: ["k": nil]
            ),
            [question, answer]
        )
        let many = (0..<250).map { TranscriptLab.message("n\($0)", "number \($0)", at: Double($0)) }
        try await store.save(TranscriptSession(id: "t", createdAt: 1), many)
        try await store.setArchived(true, "t")
        try await store.save(TranscriptSession(id: "empty", createdAt: 1, updatedAt: 1))
    }

    private static func text(_ export: TranscriptExport) async throws -> String {
        var bytes: [UInt8] = []
        for try await piece in export { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `two exports to one file at once are each whole, and leave nothing beside it`() async throws {
        try await TranscriptLab.withFolder { (folder) async throws in
            let store = try await TranscriptLab.open(folder + "/transcripts.db")
            for name in ["a", "b"] {
                let many = (0..<3000).map { TranscriptLab.message("\(name)\($0)", "number \($0)", at: Double($0)) }
                try await store.save(TranscriptSession(id: name, createdAt: 1), many)
            }
            try FileManager.default.createDirectory(atPath: folder + "/out", withIntermediateDirectories: true)
            let path = folder + "/out/x.jsonl"
            // Somebody else's file of the name that was used once.
            try Data("theirs".utf8).write(to: URL(filePath: path + ".part"))
            let wholes = [
                try await Self.text(store.export(["a"], as: .jsonLines)),
                try await Self.text(store.export(["b"], as: .jsonLines)),
            ]
            for _ in 0..<5 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for name in ["a", "b", "a", "b"] {
                        group.addTask { _ = try await store.export([name], as: .jsonLines).write(to: path) }
                    }
                    try await group.waitForAll()
                }
                #expect(wholes.contains(try String(contentsOfFile: path, encoding: .utf8)))
            }
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder + "/out").sorted() == [
                    "x.jsonl", "x.jsonl.part",
                ]
            )
            #expect(try String(contentsOfFile: path + ".part", encoding: .utf8) == "theirs")
            try await store.close()
        }
    }

    @Test func `text as RemoteClaw writes it`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            try await Self.fill(store)
            let text = try await Self.text(store.export(["s"], as: .text))
            let expected = """
                Transcript: The build
                Exported: 2026-11-23T12:00:00Z
                Messages: 2
                \(String(repeating: "\u{2500}", count: 50))

                [2026-11-23T12:00:00Z] You:
                Is it
                green?
                (attached: a.png)

                [2026-11-23T12:00:01Z] AI:
                It is **green**.


                """
            #expect(text == expected)
        }
    }

    @Test func `markdown whose code cannot be broken out of`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            try await Self.fill(store)
            let text = try await Self.text(store.export(["s"], as: .markdown))
            #expect(text.hasPrefix("# The build\n\n- Session: `s`\n- Model: `m`\n- Directory: `/w`\n"))
            #expect(
                text.contains(
                    "## AI \u{B7} 2026-11-23T12:00:01Z\n\nIt is **green**.\n\n**Tool** `` run`it` `` (completed)"
                )
            )
            #expect(text.contains("````\na```b\n````"))
        }
    }

    @Test func `an export comes back as the same store, however often it is imported`() async throws {
        try await TranscriptLab.withFolder { (folder) async throws in
            let store = try await TranscriptLab.open(folder + "/a.db")
            try await Self.fill(store)
            let file = folder + "/all.jsonl"
            let count = try await store.export(as: .jsonLines).write(to: file)
            let bytes = try Data(contentsOf: URL(filePath: file))
            #expect(bytes.count == Int(count))
            #expect(!FileManager.default.fileExists(atPath: file + ".part"))

            let other = try await TranscriptLab.open(folder + "/b.db")
            let first = try await other.importTranscripts(at: file)
            #expect(first.origin == .export && first.sessions == ["s", "t", "empty"])
            #expect(first.messages.added == 252 && first.rejectedLines == 0 && first.skippedLines == 0)
            #expect(try await Self.text(other.export(as: .jsonLines)) == String(decoding: bytes, as: UTF8.self))
            #expect(try await other.session("t")?.isArchived == true)
            #expect(try await other.session("s") == store.session("s"))

            try await other.rename("s", to: "Mine")
            try await other.setArchived(false, "t")
            let revision = try await other.revision()
            let again = try await other.importTranscripts(at: file)
            #expect(again.messages.unchanged == 252 && again.messages.added + again.messages.updated == 0)
            #expect(try await other.revision() == revision)
            #expect(try await other.session("s")?.title == "Mine")
            #expect(try await other.session("t")?.isArchived == false)
        }
    }

    @Test(arguments: TranscriptFormat.allCases)
    func `a compressed export is what gzip says it is`(format: TranscriptFormat) async throws {
        try await TranscriptLab.withFolder { (folder) async throws in
            let store = try await TranscriptLab.open(folder + "/a.db")
            try await Self.fill(store)
            let path = folder + "/all.\(format.fileExtension).gz"
            let count = try await store.export(as: format).write(to: path)
            let packed = Array(try Data(contentsOf: URL(filePath: path)))
            let text = try await Self.text(store.export(as: format))
            #expect(packed.count == Int(count) && packed.count < text.utf8.count / 2)
            let gzip = try await LocalHostSession(shell: "/bin/sh").run(
                "gzip -dc",
                input: packed,
                outputLimit: 1 << 20,
                timeout: .seconds(60)
            )
            #expect(gzip.exit == .exited(0) && gzip.text == text)
        }
    }

    @Test func `a compressed export comes back as the same store`() async throws {
        try await TranscriptLab.withFolder { (folder) async throws in
            let store = try await TranscriptLab.open(folder + "/a.db")
            try await Self.fill(store)
            let path = folder + "/all.jsonl.gz"
            try await store.export(as: .jsonLines).write(to: path)
            let other = try await TranscriptLab.open(folder + "/b.db")
            let report = try await other.importTranscripts(at: path)
            #expect(report.origin == .export && report.messages.added == 252 && report.rejectedLines == 0)
            #expect(try await Self.text(other.export(as: .jsonLines)) == Self.text(store.export(as: .jsonLines)))
        }
    }

    @Test func `all are exported, also one that is used meanwhile, and without one that is removed`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            for number in 0..<150 {
                try await store.save(
                    TranscriptSession(id: "s\(number)", createdAt: Double(number)),
                    [TranscriptLab.message("m", "words of s\(number)", at: Double(number))]
                )
            }
            var pieces = store.export(as: .jsonLines).makeAsyncIterator()
            var text = String(decoding: try await pieces.next() ?? [], as: UTF8.self)
            // The newest one is being written: one of the oldest becomes the newest, another goes.
            try await store.append([TranscriptLab.message("n", "later", at: TranscriptLab.noon)], to: "s3")
            try await store.delete(["s7", "s120"])
            while let piece = try await pieces.next() { text += String(decoding: piece, as: UTF8.self) }
            let found = (0..<150).filter { text.contains("\"words of s\($0)\"") }
            #expect(found == (0..<150).filter { $0 != 7 && $0 != 120 })
        }
    }

    @Test func `an export is a failure that leaves nothing where a session is missing`() async throws {
        try await TranscriptLab.withFolder { (folder) async throws in
            let store = try await TranscriptLab.open(folder + "/a.db")
            try await Self.fill(store)
            let path = folder + "/x.md"
            let code = await TranscriptLab.code {
                try await store.export(["s", "none"], as: .markdown).write(to: path)
            }
            #expect(code == .sessionNotFound)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { $0.hasPrefix("a.db") })
            let bad = await TranscriptLab.code {
                try await store.export(as: .text).write(to: folder + "/no/such/x.txt")
            }
            #expect(bad == .exportFailed)
        }
    }
}
