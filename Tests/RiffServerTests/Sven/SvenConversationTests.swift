// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffServer
import RiffTesting
import RiffTransport
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

/// The client against the handler, and what they say to each other through it.
@Suite(.timeLimit(.minutes(5)))
struct SvenConversationTests {
    final class WallClock: Sendable {
        private let time = Mutex(1_795_229_428.0)
        var now: Double { time.withLock { $0 } }
        func advance(by seconds: Double) { time.withLock { $0 += seconds } }
    }

    private static let clip = AudioClip(Array("RIFF....WAVE".utf8), encoding: .wav)

    @Test func `a device is paired, speaks, reads, listens and is revoked`() async throws {
        let clock = ManualClock()
        let ledger = DeviceLedger(InMemoryKeyValueStore())
        let pairing = PairingWindow(clock: clock)
        let conversation = SvenConversation(wallClock: { WallClock().now })
        let server = try await SvenServerTests.make(
            devices: ledger,
            pairing: pairing,
            conversation: conversation,
            clock: clock
        ) { prompt in try conversation.reply("You said: \(prompt.text)") }
        let client = try SvenFixtures.client(SvenBridge(server: server))
        try await client.health()
        let stranger = await #expect(throws: VoiceError.self) { _ = try await client.send("hello") }
        #expect(stranger?.code == .unknownDevice)

        try await client.register(code: pairing.open().lowercased(), name: "phone")
        #expect(try await ledger.devices().map(\.name) == ["phone"])
        let receipt = try await client.send(" hello ", messageID: try .init("m-1"))
        #expect(receipt.replies == .messages)
        let again = try await client.send("hello", messageID: try .init("m-1"))
        #expect(again.requestID == receipt.requestID)

        let messages = try await client.messages()
        #expect(messages.map(\.role) == [.user, .assistant])
        #expect(messages.map(\.content) == ["hello", "You said: hello"])
        #expect(messages.first?.id == receipt.requestID)
        #expect(messages.map(\.createdAt) == ["2026-11-21 02:50:28", "2026-11-21 02:50:28"])

        let reply = try #require(messages.last)
        #expect(reply.audioPath == nil)
        let early = await #expect(throws: VoiceError.self) { _ = try await client.audio(of: reply.id) }
        #expect(early?.code == .audioNotReady)
        try conversation.attach(Self.clip, to: reply.id)
        #expect(try await client.audio(of: reply.id) == Self.clip)
        #expect(try await client.messages().last?.audioPath == "/audio/\(reply.id)")
        let old = await #expect(throws: VoiceError.self) { try await client.restart() }
        #expect(old?.code == .notOnThisServer)

        try await client.clear()
        #expect(try await client.messages().isEmpty)
        try await ledger.revoke(try #require(try await ledger.devices().first).id)
        let revoked = await #expect(throws: VoiceError.self) { _ = try await client.messages() }
        #expect(revoked?.code == .unknownDevice)
    }

    @Test func `a code pairs one device, and nothing pairs without one`() async throws {
        let clock = ManualClock()
        let ledger = DeviceLedger(InMemoryKeyValueStore())
        let pairing = PairingWindow(clock: clock)
        let server = try await SvenServerTests.make(devices: ledger, pairing: pairing, clock: clock)
        let closed = try await SvenServerTests.make(devices: ledger)
        func code(_ code: String, _ token: Secret, _ server: SvenServer) async throws -> VoiceError.Code? {
            do {
                try await SvenFixtures.client(SvenBridge(server: server), token: token).register(code: code)
                return nil
            } catch let error as VoiceError {
                return error.code
            }
        }
        #expect(try await code("AAAAA-AAAAA", SvenFixtures.token, server) == .pairingRefused)
        #expect(try await code("AAAAA-AAAAA", SvenFixtures.token, closed) == .pairingRefused)
        let first = pairing.open()
        // A token that cannot be one costs no code.
        #expect(try await code(first, Secret("short"), server) == .promptRejected)
        #expect(try await code(first, SvenFixtures.token, server) == nil)
        #expect(try await code(first, SvenFixtures.other, server) == .pairingRefused)
        let second = pairing.open()
        clock.advance(by: .seconds(300))
        #expect(try await code(second, SvenFixtures.other, server) == .pairingRefused)
        let third = pairing.open()
        for _ in 0..<5 { #expect(try await code("AAAAA-AAAA0", SvenFixtures.other, server) == .pairingRefused) }
        // Wrong codes close pairing for nobody: whoever sends five would keep everybody out.
        #expect(try await code(third, SvenFixtures.other, server) == nil)
        #expect(try await ledger.devices().count == 2)
    }

    @Test func `an attested prompt passes a verifier, and another's words do not`() async throws {
        let server = try await SvenServerTests.make(verifier: SvenServerTests.Verifier())
        let bridge = SvenBridge(server: server)
        _ = try await SvenFixtures.client(bridge, attestation: Vouching()).send(" hello ")
        let client = try SvenFixtures.client(bridge)
        let missing = await #expect(throws: VoiceError.self) { _ = try await client.send("hello") }
        #expect(missing?.code == .attestationMissing)
        let wrong = await #expect(throws: VoiceError.self) { _ = try await client.send("hello", attestation: "x") }
        #expect(wrong?.code == .attestationRefused)
    }

    @Test func `the thirty-first prompt tells the client how long to wait`() async throws {
        let clock = ManualClock()
        let server = try await SvenServerTests.make(clock: clock)
        let client = try SvenFixtures.client(SvenBridge(server: server), clock: clock)
        let restarted = try SvenFixtures.client(SvenBridge(server: server), clock: clock)
        for number in 0..<30 { _ = try await client.send("n\(number)") }
        clock.advance(by: .seconds(20))
        // This one has sent nothing so far; the server tells it.
        #expect(restarted.promptDelay == .zero)
        let error = await #expect(throws: VoiceError.self) { _ = try await restarted.send("hello") }
        #expect(error?.code == .tooManyPrompts)
        #expect(restarted.promptDelay == .seconds(40))
        #expect(client.promptDelay == .seconds(40))
        clock.advance(by: .seconds(40))
        _ = try await restarted.send("hello")
    }

    @Test func `messages of one second, said between two questions, are neither lost nor doubled`() async throws {
        let wall = WallClock()
        let conversation = SvenConversation(wallClock: { wall.now })
        let server = try await SvenServerTests.make(conversation: conversation)
        let client = try SvenFixtures.client(SvenBridge(server: server))
        var replies = SvenReplies(client, clock: ManualClock(advancesItself: true)).makeAsyncIterator()
        var heard: [String?] = []
        for number in 0..<40 {
            try conversation.reply("\(number)")
            heard.append(try await replies.next()?.content)
            if number % 7 == 6 { wall.advance(by: number == 20 ? 61 : 1) }
        }
        #expect(heard == (0..<40).map { "\($0)" })
    }

    @Test func `a clock that is set back hides nothing`() throws {
        let wall = WallClock()
        let conversation = SvenConversation(wallClock: { wall.now })
        try conversation.reply("a")
        wall.advance(by: -3600)
        try conversation.reply("b")
        #expect(conversation.messages().map(\.createdAt) == ["2026-11-21 02:50:28", "2026-11-21 02:50:28"])
        #expect(conversation.messages(since: "2026-11-21 02:50:27").map(\.content) == ["a", "b"])
        #expect(conversation.messages(since: "2026-11-21 02:50:28").isEmpty)
        #expect(conversation.messages(since: "2026-11-21T02:50:27Z").isEmpty)
        #expect(conversation.messages(since: "").count == 2)
    }

    @Test func `only so many messages and so much speech are kept`() throws {
        let conversation = SvenConversation(limit: 3, clipLimitBytes: 25)
        let ids = try (0..<5).map { try conversation.reply("\($0)", clip: Self.clip) }
        #expect(conversation.messages().map(\.content) == ["2", "3", "4"])
        #expect(ids.map { conversation.clip(of: $0) != nil } == [false, false, false, true, true])
        #expect(conversation.messages().map { $0.audioPath != nil } == [false, true, true])
        // The same again, too large, and for a message that is gone.
        try conversation.attach(Self.clip, to: ids[4])
        try conversation.attach(AudioClip([UInt8](repeating: 0, count: 26), encoding: .wav), to: ids[4])
        try conversation.attach(Self.clip, to: ids[0])
        #expect(ids.map { conversation.clip(of: $0) != nil } == [false, false, false, true, true])
        try conversation.attach(Self.clip, to: ids[2])
        #expect(ids.map { conversation.clip(of: $0) != nil } == [false, false, true, false, true])
    }
}
