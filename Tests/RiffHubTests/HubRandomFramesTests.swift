// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHub
import RiffTesting
import Testing

/// Hubs that say anything: the machine neither traps nor grows, and what is shown is what it knows.
@Suite struct HubRandomFramesTests {
    private static let types = [
        "ping", "session_list", "session_spawned", "session_status", "session_terminated", "session_ended",
        "assistant_text", "user_text", "status", "activity_text", "audio", "listening", "thinking", "done", "user_ack",
        "project_switched", "inbox_update", "nobody_knows",
    ]
    private static let texts = [
        "", "Hi", "Transcribing...", "Speaking...", "Listening...", "e\u{301}", "\u{E9}", "\u{1B}[2J", "ready",
        "starting", "idle", "processing", "dead", "//uQAQ==", "UklGRg==", "=",
    ]
    private static let ids = ["voice-1-a", "voice-sky", "voice-echo", "e\u{301}", "\u{E9}", "a/b", " "]
    private static let voices = ["af_sky", "am_echo", "zz", "", "e\u{301}"]
    private static let members = [
        "text", "status", "state", "status_text", "msg_id", "fire_and_forget", "interjection", "processing", "data",
        "unread_count", "created_at", "in_wait", "words", "session_id", "voice", "label", "speed", "session",
        "sessions", "replay",
    ]

    private static func pick<Item>(_ items: [Item], _ random: inout SeededGenerator) -> Item {
        items[Int.random(in: items.indices, using: &random)]
    }

    private static func value(_ random: inout SeededGenerator, depth: Int = 0) -> JSONValue {
        switch Int.random(in: 0..<(depth > 2 ? 6 : 8), using: &random) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2: .integer(pick([0, 1, -1, Int64.max, .min], &random))
        case 3: .number(pick([0.5, -1e308, 1e18, Double.leastNonzeroMagnitude], &random))
        case 4, 5: .string(pick(texts + ids + voices, &random))
        case 6: .array((0..<3).map { _ in value(&random, depth: depth + 1) })
        default: .object(object(&random, depth: depth + 1))
        }
    }

    private static func object(_ random: inout SeededGenerator, depth: Int) -> JSONObject {
        var object: JSONObject = [
            "session_id": .string(pick(ids, &random)),
            "voice": .string(pick(voices, &random)),
        ]
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            object[pick(members, &random)] = value(&random, depth: depth)
        }
        return object
    }

    private static func frame(_ random: inout SeededGenerator) -> String {
        var json = object(&random, depth: 0)
        json["type"] = .string(pick(types, &random))
        if Bool.random(using: &random) {
            json["text"] = .string(pick(texts, &random))
            json["sessions"] = .array((0..<3).map { _ in .object(object(&random, depth: 1)) })
            json["session"] = .object(object(&random, depth: 1))
            json["data"] = .string("//uQAQ==")
        }
        return JSONValue.object(json).description
    }

    private static func page(_ random: inout SeededGenerator) -> HubService.HistoryPage {
        let messages = (0..<Int.random(in: 0...6, using: &random)).map { place in
            HubChatMessage(
                pick([HubChatMessage.Role.user, .assistant, .activity], &random),
                pick(texts, &random),
                time: Bool.random(using: &random) ? Double(place) : nil,
                id: Bool.random(using: &random) ? HubChatMessage.ID(rawValue: "m\(place)") : nil
            )
        }
        return HubService.HistoryPage(messages, hasMore: Bool.random(using: &random))
    }

    /// What a person does, or the network.
    private static func event(_ random: inout SeededGenerator, _ stage: Stage) -> HubEvent {
        let session = HubSession.ID(rawValue: pick(ids, &random))
        let voice = HubVoice.ID(rawValue: pick(voices, &random))
        let request = stage.effects.historyRequests.randomElement(using: &random)
        switch Int.random(in: 0..<16, using: &random) {
        case 0: return .open(voice: voice)
        case 1: return .openSession(session)
        case 2: return .showGrid
        case 3: return .refresh
        case 4: return .answer(session: session, .clip([1]))
        case 5: return .answer(session: session, .text("yes"))
        case 6: return .interrupt
        case 7: return .mute(Bool.random(using: &random))
        case 8: return .spawnFailed(voice: voice, Problem(code: "hub.voiceBusy", message: "x"))
        case 9: return .cleared(voice: voice)
        case 10: return .showOlder
        case 11: return .ended(session: session)
        case 12:
            guard let list = stage.effects.sessionRequests.randomElement(using: &random) else { return .tick }
            return .sessions(
                request: list,
                (0..<3).compactMap { _ in
                    HubSession(json: .object(object(&random, depth: 1)))
                }
            )
        case 13, 14:
            guard let request else { return .tick }
            return .history(voice: request.voice, request: request.request, page(&random))
        default:
            guard let request else { return .tick }
            return .historyFailed(voice: request.voice, request: request.request)
        }
    }

    @Test(arguments: 0..<24) func `whatever a hub says, nothing traps and nothing grows`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var stage = try Stage.connected()
        for step in 1...600 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...5:
                let text = Self.frame(&random)
                // The stage compares what a client shows with the machine.
                if let frame = try? HubFrame(text: text) {
                    stage.send(.frame(socket: stage.socket, frame))
                } else {
                    stage.send(.malformed(socket: stage.socket))
                }
            case 6: stage.now += .milliseconds(Int.random(in: 0...40_000, using: &random))
            case 7 where step.isMultiple(of: 8): stage.reconnect()
            default: stage.send(Self.event(&random, stage))
            }
            stage.effects = stage.effects.suffix(64)
            guard stage.machine.isRefused == false else { break }
            #expect(stage.shown.cards.count <= 7 + Self.texts.count + Self.ids.count + Self.voices.count)
            #expect(stage.shown.lostAnswers.count <= 16 && stage.shown.unknownMessages.count <= 8)
            #expect((stage.shown.open?.chat.count ?? 0) <= 1_000)
        }
    }
}
