// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffShare
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct PromptOutboxTests {
        private static let now = 1_779_400_000.0
        private static let png = MediaFormatTests.pngHead + [UInt8](repeating: 7, count: 3000)

        private static func with(
            _ limits: PromptOutbox.Limits = PromptOutbox.Limits(),
            _ body: (PromptOutbox) async throws -> Void
        ) async throws {
            try await KeyTool.withFolder { folder in
                try await body(PromptOutbox(directory: "\(folder)/a/outbox", limits: limits, wallClock: { now }))
            }
        }

        private static func files(_ outbox: PromptOutbox) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: outbox.directory).filter { $0.hasSuffix(".json") }
        }

        private static func code(_ body: () async throws -> Void) async -> CoreError.Code? {
            do { try await body() } catch { return (error as? CoreError)?.code }
            return nil
        }

        @Test func `a prompt is one private file, and another outbox of the folder reads it as it was`() async throws {
            try await Self.with { outbox in
                #expect(try await outbox.refresh().prompts.isEmpty)
                let text = "Fix \u{1B}[31mthe build\r\nand é = e\u{301}\t☃ \"quoted\" \\ \0 end"
                let prompt = try await outbox.add(text, to: "work/riff", delivery: .thisTurn)
                #expect(prompt.state == .queued && prompt.created == Int64(Self.now) && prompt.attempts == 0)
                let name = try #require(try Self.files(outbox).first)
                #expect(name == "000000000000001-\(prompt.id).json")
                #expect(try KeyTool.mode("\(outbox.directory)/\(name)") == 0o600)
                #expect(try KeyTool.mode(outbox.directory) == 0o700)
                let other = PromptOutbox(directory: outbox.directory)
                #expect(try await other.refresh().prompts == [prompt])
                let read = try #require(other.current.prompts.first)
                #expect(read.text.utf8.elementsEqual(text.utf8) && read.delivery == .thisTurn)
            }
        }

        @Test func `drafts, edits, cancellations and the list`() async throws {
            try await Self.with { outbox in
                let draft = try await outbox.add("draft", to: "a", isDraft: true)
                let queued = try await outbox.add("queued", to: "a")
                #expect(draft.state == .draft)
                try await outbox.edit(draft.id, text: "draft, better")
                try await outbox.queue(draft.id)
                try await outbox.cancel(queued.id)
                #expect(outbox.current.prompts.map(\.text) == ["draft, better", "queued"])
                #expect(outbox.current.prompts.map(\.state) == [.queued, .cancelled])
                #expect(await Self.code { try await outbox.edit(queued.id, text: "x") } == .promptStateForbids)
                #expect(await Self.code { try await outbox.queue(queued.id) } == .promptStateForbids)
                try await outbox.forget(queued.id)
                #expect(try Self.files(outbox).count == 1)
                #expect(await Self.code { try await outbox.cancel(queued.id) } == .noSuchPrompt)
            }
        }

        @Test func `what was handed over is not changed, moved, cancelled or forgotten`() async throws {
            try await Self.with { outbox in
                let prompt = try await outbox.add("text", to: "a")
                try await outbox.apply(.begin(mark: "12"), to: prompt.id)
                #expect(await Self.code { try await outbox.edit(prompt.id, text: "x") } == .promptStateForbids)
                #expect(await Self.code { try await outbox.cancel(prompt.id) } == .promptStateForbids)
                #expect(await Self.code { try await outbox.forget(prompt.id) } == .promptStateForbids)
                #expect(await Self.code { try await outbox.move(prompt.id, before: nil) } == .promptStateForbids)
                #expect(await Self.code { try await outbox.sendAgain(prompt.id) } == .promptStateForbids)
                let kept = try #require(try await PromptOutbox(directory: outbox.directory).refresh().prompts.first)
                #expect(kept.state == .handedOver && kept.mark == "12" && kept.attempts == 1 && kept.text == "text")
            }
        }

        @Test func `prompts are moved, and new ones come behind them`() async throws {
            try await Self.with { outbox in
                var ids: [RiffIdentifier] = []
                for text in ["1", "2", "3", "4"] { ids.append(try await outbox.add(text, to: "a").id) }
                try await outbox.move(ids[3], before: ids[0])
                try await outbox.move(ids[1], before: nil)
                try await outbox.move(ids[0], before: ids[0])
                try await outbox.add("5", to: "a")
                #expect(outbox.current.prompts.map(\.text) == ["4", "1", "3", "2", "5"])
                try await outbox.forget(ids[2])
                #expect(await Self.code { try await outbox.move(ids[0], before: ids[2]) } == .noSuchPrompt)
                #expect(outbox.current.prompts.map(\.text) == ["4", "1", "2", "5"])
                // An order that is lost costs the order and no prompt.
                try KeyTool.write("{", to: "\(outbox.directory)/order")
                #expect(try await outbox.refresh().prompts.map(\.text) == ["1", "2", "4", "5"])
            }
        }

        @Test func `the limits hold, and what is over makes room`() async throws {
            var limits = PromptOutbox.Limits()
            limits.prompts = 3
            limits.textBytes = 10
            try await Self.with(limits) { outbox in
                for text in ["", " \n\t", "12345678901"] {
                    #expect(await Self.code { try await outbox.add(text, to: "a") } == .invalidPrompt)
                }
                for agent in ["", String(repeating: "x", count: 121)] {
                    #expect(await Self.code { try await outbox.add("x", to: agent) } == .invalidPrompt)
                }
                let first = try await outbox.add("1", to: "a")
                let second = try await outbox.add("2", to: String(repeating: "x", count: 120))
                try await outbox.add("3", to: "a")
                #expect(await Self.code { try await outbox.add("4", to: "a") } == .outboxFull)
                #expect(outbox.current.prompts.map(\.text) == ["1", "2", "3"])
                // What is uncertain is not over.
                try await outbox.apply(.begin(mark: ""), to: first.id)
                try await outbox.apply(.doubt("d"), to: first.id)
                #expect(await Self.code { try await outbox.add("4", to: "a") } == .outboxFull)
                try await outbox.cancel(second.id)
                try await outbox.add("4", to: "a")
                #expect(outbox.current.prompts.map(\.text) == ["1", "3", "4"])
                #expect(await Self.code { try await outbox.edit(first.id, text: "12345678901") } == .promptStateForbids)
                #expect(try await outbox.lease(of: String(repeating: "x", count: 120)) != nil)
            }
        }

        @Test func `a thousand prompts are kept and read`() async throws {
            try await Self.with { outbox in
                for number in 1...1000 { try await outbox.add("prompt \(number)", to: "a") }
                #expect(await Self.code { try await outbox.add("one more", to: "a") } == .outboxFull)
                let texts = try await PromptOutbox(directory: outbox.directory).refresh().prompts.map(\.text)
                #expect(texts == (1...1000).map { "prompt \($0)" })
            }
        }

        @Test func `attachments are copies, are counted, and go with the receipt`() async throws {
            var limits = PromptOutbox.Limits()
            limits.attachmentBytes = Int64(2 * Self.png.count)
            try await Self.with(limits) { outbox in
                try await KeyTool.withFolder { folder in
                    let picture = "\(folder)/picture"
                    try Data(Self.png).write(to: URL(fileURLWithPath: picture))
                    try KeyTool.write("words", to: "\(folder)/words.png")
                    let prompt = try await outbox.add("", to: "a", attaching: [picture])
                    let kept = try #require(prompt.attachments.first)
                    let path = "\(outbox.directory)/attachments/\(kept)"
                    #expect(try KeyTool.bytes(path) == Self.png)
                    #expect(try KeyTool.mode(path) == 0o600)
                    #expect(
                        await Self.code {
                            try await outbox.add("x", to: "a", attaching: [picture, "\(folder)/words.png"])
                        }
                            == .unknownMedia
                    )
                    #expect(
                        await Self.code { try await outbox.add("x", to: "a", attaching: [picture, picture]) }
                            == .outboxFull
                    )
                    #expect(try await outbox.attachments.items().count == 1, "what was refused left nothing")
                    try await outbox.add("second", to: "a", attaching: [picture])
                    try await outbox.apply(.begin(mark: ""), to: prompt.id)
                    #expect(try await outbox.attachments.items().count == 2)
                    #expect(try await outbox.apply(.receive(turn: "t"), to: prompt.id).attachments == [])
                    #expect(try await outbox.attachments.items().count == 1)
                    try await outbox.cancel(outbox.current.prompts[1].id)
                    #expect(try await outbox.attachments.items().isEmpty)
                }
            }
        }

        @Test func `what dead processes left behind goes after an hour, and what is wanted stays`() async throws {
            try await Self.with { outbox in
                try await KeyTool.withFolder { folder in
                    let picture = "\(folder)/picture"
                    try Data(Self.png).write(to: URL(fileURLWithPath: picture))
                    try await outbox.add("x", to: "a", attaching: [picture])
                    try await outbox.attachments.deposit(Self.png)
                    try KeyTool.write("half", to: "\(outbox.directory)/.riff-1")
                    try await outbox.tidy()
                    #expect(try await outbox.attachments.items().count == 2)
                    let later = PromptOutbox(
                        directory: outbox.directory,
                        wallClock: { max(Date().timeIntervalSince1970, Self.now) + 3602 }
                    )
                    try await later.tidy()
                    #expect(try await later.attachments.items().map(\.name) == outbox.current.prompts[0].attachments)
                    #expect(!FileManager.default.fileExists(atPath: "\(outbox.directory)/.riff-1"))
                }
            }
        }

        @Test(arguments: ["", "{", "{}", #"{"format":2}"#, "[]", "\u{0}"])
        func `a damaged file is told, stays, and hides no other`(damage: String) async throws {
            try await Self.with { outbox in
                let damaged = try await outbox.add("secret words", to: "a")
                let whole = try await outbox.add("whole", to: "a")
                let path = "\(outbox.directory)/000000000000001-\(damaged.id).json"
                try KeyTool.write(damage, to: path)
                let state = try await outbox.refresh()
                #expect(state.prompts == [whole])
                #expect(state.problems.map(\.code) == ["core.promptUnreadable"])
                #expect(await Self.code { try await outbox.cancel(damaged.id) } == .promptUnreadable)
                #expect(try KeyTool.text(path) == damage)
            }
        }

        @Test(arguments: [0o755, 0o770, 0o703])
        func `a folder that others may use is refused`(mode: Int) async throws {
            try await KeyTool.withFolder { folder in
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
                let outbox = PromptOutbox(directory: folder)
                #expect(await Self.code { try await outbox.add("x", to: "a") } == .permissionsTooOpen)
            }
        }

        @Test func `a prompt that is printed, dumped or reflected shows no words`() async throws {
            try await Self.with { outbox in
                let prompt = try await outbox.add("very secret words", to: "a")
                var dumped = ""
                dump(prompt, to: &dumped)
                dump(outbox.current, to: &dumped)
                for text in ["\(prompt)", String(reflecting: prompt), dumped, "\(outbox.current)"] {
                    #expect(!text.contains("secret"), "\(text)")
                }
                #expect("\(prompt)" == "prompt \(prompt.id) (queued)")
            }
        }

        @Test func `one has the lease of an agent, and each agent has its own`() async throws {
            try await Self.with { outbox in
                let other = PromptOutbox(directory: outbox.directory)
                var lease = try await outbox.lease(of: "a")
                #expect(lease != nil)
                #expect(try await outbox.lease(of: "a") == nil)
                #expect(try await other.lease(of: "a") == nil)
                #expect(try await other.lease(of: "b") != nil)
                let leases = {
                    try FileManager.default.contentsOfDirectory(atPath: outbox.directory).filter {
                        $0.hasPrefix(".lease-")
                    }
                }
                // Those that are held stay; what nobody needs goes.
                try await outbox.tidy()
                #expect(try leases() == [".lease-61"])
                #expect(try await other.lease(of: "a") == nil)
                lease = nil
                #expect(try await other.lease(of: "a") != nil)
                try await outbox.tidy()
                #expect(try leases() == [])
            }
        }
    }
}
