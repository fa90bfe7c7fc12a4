// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffACP
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// A clock on which no time passes: who sleeps wakes at once.
private struct ImmediateClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    var now: Instant { Instant() }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        await Task.yield()
    }
}

/// A host that answers eight attachments with whatever a seed makes of a keeper's words, and then no more.
private struct RandomHost: ForwardingHostSession {
    let base: any HostSession = LocalHostSession(shell: "/bin/sh")
    let seed: UInt64
    let opened = CuttingHost.Counter()

    func openChannel(_ command: String) async throws -> any ByteChannel {
        let number = opened.next()
        guard number < 8 else { throw TransportError(.closed, "The test answers no more.") }
        var generator = SeededGenerator(seed: seed &* 100 &+ UInt64(number))
        let marker = Self.word("__RIFF_KEEPER__[0-9a-f]+", in: command)
        let client = Self.word("\\br[0-9a-z]{9,}\\b", in: command)
        let (mine, theirs) = InMemoryByteChannel.makePair(bufferedBytes: 1 << 20)
        try await theirs.write(Self.output(marker, &generator))
        theirs.writeDiagnostics(Self.events(client, &generator))
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: theirs.cut()
        case 1: theirs.end(.exited(3))
        case 2: theirs.end(.signaled("KILL"))
        default: theirs.end(.exited(0))
        }
        return mine
    }

    private static func word(_ pattern: String, in command: String) -> String {
        command.range(of: pattern, options: .regularExpression).map { String(command[$0]) } ?? "r0"
    }

    private static func output(_ marker: String, _ generator: inout SeededGenerator) -> [UInt8] {
        let numbers = ["0", "1", "7", "-1", "9223372036854775807", "18446744073709551615", "x", ""]
        let states = [
            "running", "running 3 rA:1-73", "running 18446744073709551615 rA:1-73 rA:2-", "running -1 a:b:c-7",
            "ended 0",
            "ended -5", "ended 4294967296", "ended x", "lost", "", "\u{1B}[2J",
        ]
        let lines = [
            "{}", "{\"jsonrpc\":\"2.0\",\"id\":\"rA:1\",\"result\":{}}", "\u{0}\u{9B}", "{\"a\":[", "", "\r", "MARK",
            marker,
        ]
        var text = ["", "Welcome!\n", "x", "\u{1B}]0;x\u{7}\n"].randomElement(using: &generator) ?? ""
        if Int.random(in: 0..<10, using: &generator) > 0 { text += marker + "\n" }
        // Often what goes on where it began, so that more than a header is read.
        let start = Bool.random(using: &generator) ? "0" : numbers.randomElement(using: &generator) ?? ""
        let last = numbers.randomElement(using: &generator) ?? ""
        text += "1.1 \(start) \(last) \(states.randomElement(using: &generator) ?? "")\n"
        text += ["", "{\"protocolVersion\":1}", "{", "null"].randomElement(using: &generator) ?? ""
        text += "\n"
        for _ in 0..<Int.random(in: 0..<12, using: &generator) {
            text += (lines.randomElement(using: &generator) ?? "") + (Bool.random(using: &generator) ? "\n" : "")
        }
        return Array(text.utf8)
    }

    private static func events(_ client: String, _ generator: inout SeededGenerator) -> [UInt8] {
        let words = [
            "ack", "answered", "turn", client, "rA", "rA:1-73", "rA:9-7", "rA:9-zz", "1", "2", "31", "227241", "3g",
            "18446744073709551616", "-1", "\u{1B}[31m", "",
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0..<40, using: &generator) {
            text += words.randomElement(using: &generator) ?? ""
            text += [" ", "\n", " ", "\r\n"].randomElement(using: &generator) ?? ""
        }
        return Array(text.utf8)
    }
}

extension InTurn {
    /// Random answers, from seeds: a failure names its own.
    @Suite(.timeLimit(.minutes(3))) struct RandomKeeperTests {
        @Test(arguments: 0..<8 as Range<UInt64>)
        func `whatever a host answers, a kept channel ends with frames or harmless words`(round: UInt64) async throws {
            for seed in (round * 25)..<(round * 25 + 25) {
                let keeper = ACPKeeper(on: RandomHost(seed: seed), clock: ImmediateClock())
                let channel: ACPKeptChannel
                do { channel = try await keeper.attach(to: "random") } catch {
                    check(error, seed)
                    continue
                }
                do {
                    let lines = [
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session/prompt\",\"params\":{}}",
                        "{\"id\":1,\"result\":{}}", "no JSON",
                    ]
                    for line in lines { try await channel.send(Array((line + "\n").utf8)) }
                    var place: UInt64 = 0
                    while try await channel.receive() != nil {
                        let next = channel.position ?? place
                        #expect(next >= place, "seed \(seed)")
                        place = next
                    }
                } catch { check(error, seed) }
                await channel.close()
            }
        }

        private func check(_ error: any Error, _ seed: UInt64) {
            let message = Problem(error).message
            #expect(error is any RiffError, "seed \(seed): \(message)")
            #expect(message.utf8.count <= 4_000, "seed \(seed)")
            #expect(message.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "seed \(seed)")
        }
    }
}

/// Histories as no agent should tell them, from seeds.
struct RandomHistoryTests {
    private static func update(_ generator: inout SeededGenerator) -> JSONValue {
        let kinds = ["agent_message_chunk", "agent_message_chunk", "agent_thought_chunk", "user_message_chunk"]
        let texts = ["a", "", "b\u{301}", "go", "\u{1F600}", "\r\n", " on"]
        let id = ["1", "2", "\u{E9}", "e\u{301}"].randomElement(using: &generator) ?? ""
        guard Int.random(in: 0..<4, using: &generator) > 0 else {
            let kind = Bool.random(using: &generator) ? "tool_call" : "tool_call_update"
            let status = ["pending", "completed", "strange"].randomElement(using: &generator) ?? ""
            return [
                "sessionUpdate": .string(kind), "toolCallId": .string(id), "title": "t", "status": .string(status),
            ]
        }
        var content: JSONObject = ["type": "text", "text": .string(texts.randomElement(using: &generator) ?? "")]
        if Int.random(in: 0..<4, using: &generator) == 0 { content["annotations"] = ["priority": 1] }
        if Int.random(in: 0..<8, using: &generator) == 0 {
            content = ["type": "image", "data": "", "mimeType": "image/png"]
        }
        var update: JSONObject = [
            "sessionUpdate": .string(kinds.randomElement(using: &generator) ?? ""), "content": .object(content),
        ]
        if Int.random(in: 0..<3, using: &generator) == 0 { update["messageId"] = .string(id) }
        return .object(update)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `readers that append what they are told have what the transcript says`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var transcript = ACPTranscript()
        var readers = Array(repeating: (marks: ACPTranscriptMarks(), texts: [Int: String]()), count: 3)
        func read(_ number: Int) {
            for growth in transcript.growth(since: &readers[number].marks) {
                let before = growth.startsOver ? "" : readers[number].texts[growth.id] ?? "missing"
                readers[number].texts[growth.id] = before + growth.text
            }
        }
        for step in 0..<300 {
            switch Int.random(in: 0..<20, using: &generator) {
            case 0: transcript.promptSent([.text(ACP.TextContent(text: "go on"))])
            case 1: transcript.turnEnded(.endTurn)
            case 2: transcript.cancelled()
            case 3: transcript.otherTurnBegan()
            case 4: transcript.turnLeft()
            default: transcript.apply(try ACP.SessionUpdate(json: Self.update(&generator)))
            }
            read(0)
            if step % 7 == 0 { read(1) }
        }
        for number in 0..<3 { read(number) }
        #expect(transcript.entries.map(\.id) == Array(0..<transcript.entries.count))
        let calls = transcript.toolCalls.map(\.id)
        #expect(Set(calls).count == calls.count)
        for entry in transcript.entries {
            guard let message = entry.kind.message else { continue }
            for (number, reader) in readers.enumerated() {
                let text = reader.texts[entry.id] ?? "missing"
                #expect(text.utf8.elementsEqual(message.text.utf8), "reader \(number), entry \(entry.id), seed \(seed)")
            }
        }
    }
}
