// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffServer
import RiffTesting
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

/// A prompt that is sent twice with one id is handed on once.
@Suite(.timeLimit(.minutes(5)))
struct SvenPromptOnceTests {
    typealias Record = SvenServerTests.Record

    /// A sink whose end the test decides.
    final class Gate: Sendable {
        struct Closed: Error {}
        let record = Record()
        private let answers = Mutex<[EventualValue<Bool>]>([])
        private let started = AsyncStream<Void>.makeStream()

        func take(_ prompt: SvenPrompt) async throws {
            let answer = EventualValue<Bool>()
            record.note(prompt)
            answers.withLock { $0.append(answer) }
            started.continuation.yield()
            guard try await answer.cancellableValue() else { throw Closed() }
        }

        /// Waits until another prompt is there.
        func next() async { for await _ in started.stream { break } }
        func settle(_ number: Int, _ isTaken: Bool) { answers.withLock { $0[number] }.resolve(isTaken) }
    }

    @Test func `an id that was there is not handed on again`() async throws {
        let record = Record()
        let server = try await SvenServerTests.make(record: record, conversation: SvenConversation())
        let first = try await server.respond(to: SvenFixtures.prompt("hello", id: "m-1"))
        let second = try await server.respond(to: SvenFixtures.prompt("hello", id: "m-1"))
        #expect(second.status == .ok)
        #expect(try second.json["message"] == "Prompt already received (deduplicated).")
        #expect(try second.json["request_id"] == first.json["request_id"])
        #expect(record.prompts.count == 1)
        // Other ids, no id, and the same id of another device are other prompts.
        _ = try await server.respond(to: SvenFixtures.prompt("hello", id: "m-2"))
        _ = try await server.respond(to: SvenFixtures.prompt("hello", token: SvenFixtures.otherText, id: "m-1"))
        _ = try await server.respond(to: SvenFixtures.prompt("hello"))
        _ = try await server.respond(to: SvenFixtures.prompt("hello"))
        #expect(record.prompts.count == 5)
    }

    @Test func `the oldest of very many ids are forgotten`() async throws {
        let record = Record()
        var configuration = SvenConfiguration()
        configuration.rememberedPrompts = 2
        let server = try await SvenServerTests.make(configuration, record: record)
        for id in ["a", "b", "c", "b", "c", "a"] { _ = try await server.respond(to: SvenFixtures.prompt("x", id: id)) }
        #expect(record.prompts.count == 4)
    }

    @Test func `one that comes while the first is being handed on waits for it, and is not handed on`() async throws {
        let gate = Gate()
        let server = try await SvenServerTests.make(sink: gate.take)
        async let first = server.respond(to: SvenFixtures.prompt("hello", id: "m-1"))
        await gate.next()
        async let second = server.respond(to: SvenFixtures.prompt("hello", id: "m-1"))
        async let third = server.respond(to: SvenFixtures.prompt("hello", id: "m-1"))
        // Another prompt is not held up meanwhile.
        async let other = server.respond(to: SvenFixtures.prompt("hello", id: "m-2"))
        await gate.next()
        gate.settle(1, true)
        #expect(try await other.json["message"] == "Prompt received.")
        gate.settle(0, true)
        #expect(try await first.json["message"] == "Prompt received.")
        for response in [try await second, try await third] {
            #expect(try response.json["message"] == "Prompt already received (deduplicated).")
        }
        #expect(gate.record.prompts.count == 2)
    }

    @Test func `who waits is told what became of the first, and only what was handed on is remembered`() {
        var recent = RecentPrompts(limit: 2)
        let keys = ["a", "b", "c"].map { RecentPrompts.Key(device: "phone", messageID: $0) }
        func repeated(_ claim: RecentPrompts.Claim) -> EventualValue<RecentPrompts.Outcome>? {
            if case .repeated(let outcome) = claim { outcome } else { nil }
        }
        for outcome in [RecentPrompts.Outcome.failed, .abandoned] {
            #expect(repeated(recent.claim(keys[0])) == nil)
            let waiting = repeated(recent.claim(keys[0]))
            let told = recent.settle(keys[0], outcome)
            #expect(told != nil && told === waiting)
        }
        for key in keys {
            #expect(repeated(recent.claim(key)) == nil)
            _ = recent.settle(key, .handedOn("id"))
        }
        // The oldest of three is forgotten; one that is being handed on never is.
        #expect(repeated(recent.claim(keys[0])) == nil)
        for key in keys.dropFirst() { #expect(repeated(recent.claim(key)) != nil) }
    }

    @Test func `only devices that sent something lately are counted`() {
        var rate = PromptRate(limit: 2, length: .seconds(60))
        for number in 0..<1000 { _ = rate.take("device \(number)", at: .seconds(number)) }
        #expect(rate.count <= 61)
        let waits = [1000, 1000, 1010].map { rate.take("phone", at: .seconds($0)) }
        #expect(waits == [nil, nil, .seconds(50)])
    }

    @Test func `a prompt that failed is handed on when it comes again`() async throws {
        let gate = Gate()
        let server = try await SvenServerTests.make(sink: gate.take)
        async let first = server.respond(to: SvenFixtures.prompt("hello", id: "m-1"))
        await gate.next()
        gate.settle(0, false)
        #expect(try await first.status == .internalServerError)
        async let later = server.respond(to: SvenFixtures.prompt("hello", id: "m-1"))
        await gate.next()
        gate.settle(1, true)
        #expect(try await later.json["message"] == "Prompt received.")
    }

    @Test func `where the first client goes away, the second try is handed on`() async throws {
        let gate = Gate()
        let server = try await SvenServerTests.make(sink: gate.take)
        let first = Task { try await server.respond(to: SvenFixtures.prompt("hello", id: "m-1")) }
        await gate.next()
        async let second = server.respond(to: SvenFixtures.prompt("hello", id: "m-1"))
        first.cancel()
        await #expect(throws: CancellationError.self) { _ = try await first.value }
        await gate.next()
        gate.settle(1, true)
        #expect(try await second.json["message"] == "Prompt received.")
    }
}
