// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// A host that answers anything: whatever is read of it ends with a value or an error of this library.
@Suite(.timeLimit(.minutes(2)))
struct RandomAnswersTests {
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    private static let pieces: [String] = [
        "---\n", "name: x\n", "description: A: b\n", "jobs", "{", "}", "[", "]", "\"", ":", ",", "null", "1e999", "-",
        "\r\n",
        "\u{0}", "\u{301}", "/", "&a ", "*a", "<<: ", "? ", "id", "9223372036854775808",
        "2026-11-21 03:19:07,420 INFO ", "§",
        "riff-home ", "$1:", "0 9 * * *", "\u{1B}]52;c;", "projects", "schedule", "\n",
    ]

    private static func bytes(_ numbers: inout Numbers) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...40, using: &numbers) {
            if Int.random(in: 0..<8, using: &numbers) == 0 {
                bytes.append(UInt8.random(in: 0...255, using: &numbers))
            } else {
                bytes += Array((pieces.randomElement(using: &numbers) ?? "").utf8)
            }
        }
        return bytes
    }

    private static func ends(_ work: () async throws -> Void) async {
        do { try await work() } catch {
            #expect(error is DataError || error is TransportError || error is CoreError, "\(error)")
            // No control character of the host's comes through.
            let message = (error as? any RiffError)?.message ?? ""
            #expect(!message.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0 }, "\(message)")
        }
    }

    @Test(arguments: 0..<20)
    func `readers of a home end, whatever the host answers`(seed: UInt64) async {
        var numbers = Numbers(state: seed &* 7919 &+ 1)
        for _ in 0..<10 {
            let names = [
                "config.yaml", "cron/jobs.json", "skills/a/SKILL.md", "memories/MEMORY.md", "active_profile",
                "scarf/projects.json",
            ]
            let files = Dictionary(uniqueKeysWithValues: names.map { ("/h/" + $0, Self.bytes(&numbers)) })
            let answer = Self.bytes(&numbers)
            let host = ScriptedHostSession(files: files) { _, _ in CommandResult(output: answer, exit: .exited(0)) }
            let home = HermesHome("/h", on: host)
            await Self.ends { _ = try await home.config() }
            await Self.ends { _ = try await home.cron.read() }
            await Self.ends { _ = try await home.skills.list() }
            await Self.ends { _ = try await home.projects.read() }
            await Self.ends { _ = try await HermesHome.locate(on: host) }
            var assembler = LogAssembler()
            let entries = assembler.push(answer) + assembler.finish()
            #expect(entries.count <= answer.count + 1)
        }
    }

    @Test(arguments: 0..<20)
    func `parsers of tmux's lists end, whatever the host answers`(seed: UInt64) async {
        var numbers = Numbers(state: seed &* 104_729 &+ 3)
        for _ in 0..<200 {
            let answer = Self.bytes(&numbers)
            await Self.ends { _ = try SessionListing.parse(answer) }
            _ = WorktreeRemoval(output: answer)
            _ = TmuxFailure(diagnostics: String(decoding: answer, as: UTF8.self))
            _ = MissingProgram(status: 127, diagnostics: String(decoding: answer, as: UTF8.self))
            _ = RecentStartDirectories(text: String(decoding: answer, as: UTF8.self)).text
        }
    }
}
