// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffServer
import RiffTesting
import TestSupport
import Testing
import VoiceTestSupport

struct PushPayloadTests {
    private static func make(
        _ body: String,
        title: String = "Riff",
        conversation: String = "default",
        bodyLimit: Int = NotificationText.standardLimit
    ) throws -> PushPayload {
        PushPayload(title: title, body: body, conversation: try RiffIdentifier(conversation), bodyLimit: bodyLimit)
    }

    @Test func `an alert is what Apple's service reads`() throws {
        let payload = try Self.make("All \"green\".")
        let expected: JSONValue = [
            "aps": ["alert": ["title": "Riff", "body": "All \"green\"."], "sound": "default"],
            "conversation_id": "default",
        ]
        #expect(payload.json == expected)
        let object = try JSONSerialization.jsonObject(with: Data(payload.json.bytes())) as? [String: Any]
        #expect(Set(try #require(object).keys) == ["aps", "conversation_id"])
    }

    @Test func `an answer of any length has 250 characters`() throws {
        let payload = try Self.make(String(repeating: "word ", count: 10_000))
        #expect(payload.body.count == 250)
        #expect(payload.body.hasSuffix("word\u{2026}"))
        #expect(try Self.make("short").body == "short")
    }

    @Test func `250 large characters are cut further, to whole ones`() throws {
        let family = Emoji.family
        let payload = try Self.make(String(repeating: family, count: 250))
        let size = payload.json.bytes().count
        #expect(size <= 4096)
        #expect(size > 4096 - family.utf8.count)
        #expect(payload.body == String(repeating: family, count: payload.body.count - 1) + "\u{2026}")
        #expect(payload.body.count > 100)
    }

    @Test func `the most bytes are used, and not one more`() throws {
        let long = String(repeating: "c", count: 64)
        let frame = try Self.make("", conversation: long).json.bytes().count
        let exact = try Self.make(
            String(repeating: "x", count: 4096 - frame),
            conversation: long,
            bodyLimit: .max
        )
        #expect(exact.json.bytes().count == 4096)
        #expect(!exact.body.hasSuffix("\u{2026}"))
        let longer = try Self.make(
            String(repeating: "x", count: 4097 - frame),
            conversation: long,
            bodyLimit: .max
        )
        #expect(longer.json.bytes().count == 4096)
        #expect(longer.body.hasSuffix("x\u{2026}"))
    }

    @Test func `what JSON writes longer counts as long as it is written`() throws {
        for text in ["\u{1}", "\"", "\\", "\n", "\u{7F}", "\u{2028}"] {
            let payload = try Self.make(String(repeating: text, count: 5000), bodyLimit: 5000)
            #expect(payload.json.bytes().count <= 4096)
            let read = try JSONValue(parsing: payload.json.bytes())
            #expect(read["aps"]?["alert"]?["body"]?.text == payload.body)
        }
    }

    @Test func `a letter under a mountain of accents is left out rather than taken apart`() throws {
        let mountain = "a" + String(repeating: "\u{301}", count: 5000)
        #expect(mountain.count == 1)
        #expect(try Self.make(mountain).body == "\u{2026}")
        #expect(try Self.make("Look: \(mountain) there").body == "Look:\u{2026}")
        let payload = try Self.make("answer", title: mountain)
        #expect(payload.title == "\u{2026}")
        #expect(payload.body == "answer")
    }

    @Test func `a long title leaves room for the answer`() throws {
        let payload = try Self.make(
            String(repeating: Emoji.family, count: 300),
            title: String(repeating: Emoji.family, count: 300),
            conversation: String(repeating: "c", count: 64)
        )
        #expect(payload.title.count <= PushPayload.titleLimit)
        #expect(payload.body.count > 80)
        #expect(payload.json.bytes().count <= PushPayload.limitBytes)
    }

    @Test func `no text makes it larger`() throws {
        var generator = SeededGenerator(seed: 4096)
        for _ in 0..<300 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...1500, using: &generator) {
                // Half surrogates are no scalars.
                guard let scalar = Unicode.Scalar(UInt32.random(in: 0...0x1_FFFF, using: &generator)) else { continue }
                text.append(scalar)
            }
            let payload = try Self.make(String(text), title: String(text.reversed().map(Character.init)))
            #expect(payload.json.bytes().count <= 4096)
            #expect(payload.body.count <= 250)
        }
    }
}
