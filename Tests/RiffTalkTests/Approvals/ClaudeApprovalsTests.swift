// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTalk
import RiffTesting
import RiffVoice
import Synchronization
import TestSupport
import Testing

/// The recorded question of the real Claude Code, answered by voice.
@Suite(.timeLimit(.minutes(5)))
struct ClaudeApprovalsTests {
    private final class Keys: Sendable {
        let written = Mutex<[String]>([])

        func write(_ bytes: [UInt8]) { written.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }
    }

    private static func lab() -> ConversationTests.Lab {
        var policy = ConversationPolicy(endpoint: ConversationTests.Lab.prompt)
        policy.approvals.settling = .zero
        return ConversationTests.Lab(policy: policy)
    }

    @Test(arguments: [("Yes, go ahead.", "1"), ("no, wait", "\u{1B}")])
    func `it is read out, and answered by the key of the option that says no more than yes, or by Escape`(
        _ words: String,
        _ key: String
    ) async throws {
        let (lab, keys) = (Self.lab(), Keys())
        let approvals = ClaudeApprovals(settling: .milliseconds(1)) { keys.write($0) }
        await approvals.answer(by: lab.conversation)
        await lab.conversation.start()
        _ = try await lab.listening(1)
        let rows = try ClaudePermissionPromptTests.rows()
        // Drawn from the top.
        for count in rows.indices { await approvals.look(Array(rows[..<count])) }
        await approvals.look(rows)
        let second = try await lab.listening(2)
        #expect(lab.voice.texts.joined(separator: " ") == "Bash command. touch made.txt && ls Do you want to proceed?")
        lab.say(words, in: second)
        try await waitUntil { !keys.written.withLock(\.isEmpty) }
        await lab.conversation.stop()
        #expect(keys.written.withLock { $0 } == [key])
        #expect(await lab.typed.texts.isEmpty)
    }

    @Test func `what has left the screen is not answered, and what follows is asked anew`() async throws {
        let (lab, keys) = (Self.lab(), Keys())
        let approvals = ClaudeApprovals(settling: .milliseconds(1)) { keys.write($0) }
        await approvals.answer(by: lab.conversation)
        await lab.conversation.start()
        _ = try await lab.listening(1)
        let rows = try ClaudePermissionPromptTests.rows()
        await approvals.look(rows)
        _ = try await lab.listening(2)
        await approvals.look(["> "])
        let other = rows.map { $0.replacing("touch made.txt && ls", with: "rm -rf made.txt    ") }
        await approvals.look(other)
        try await waitUntil { lab.voice.texts.joined().contains("rm -rf") }
        #expect(keys.written.withLock { $0 } == [])
        // The yes to the first question would have been one to the second.
        await approvals.look(["> "])
        await lab.conversation.stop()
        #expect(keys.written.withLock { $0 } == [])
    }

    @Test func `nothing is typed into a question`() async throws {
        let (typed, keys, clock) = (TypedTexts(), Keys(), ManualClock())
        let approvals = ClaudeApprovals(clock: clock) { keys.write($0) }
        let sink = approvals.guarding(typed)
        await approvals.look(try ClaudePermissionPromptTests.rows())
        let error = await #expect(throws: VoiceError.self) { try await sink.type("fix the test ", submit: true) }
        #expect(error?.code == .permissionAsked)
        await approvals.look(["> "])
        #expect(await typed.texts.isEmpty)

        // One that comes up between the words and Return.
        let late = Task { try await sink.type("fix the test ", submit: true) }
        try await waitUntil { await !typed.texts.isEmpty }
        await approvals.look(try ClaudePermissionPromptTests.rows())
        try await waitUntil { clock.waits.contains(.milliseconds(300)) }
        clock.advance(by: .milliseconds(300))
        await #expect(throws: VoiceError.self) { try await late.value }
        #expect(keys.written.withLock { $0 } == [])

        await approvals.look(["> "])
        let sent = Task { try await sink.type("now ", submit: true) }
        try await waitUntil { await typed.texts.count >= 2 }
        try await waitUntil { clock.waits.count(where: { $0 == .milliseconds(300) }) >= 2 }
        clock.advance(by: .milliseconds(300))
        try await sent.value
        #expect(await typed.texts == ["fix the test ", "now "])
        #expect(keys.written.withLock { $0 } == ["\r"])
    }
}
