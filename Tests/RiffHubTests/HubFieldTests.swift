// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffHTTP
import RiffHub
import RiffTesting
import RiffVoice
import TestSupport
import Testing

/// What real hubs were seen to do to a client, by scripted ones over real sockets.
@Suite(.timeLimit(.minutes(3))) struct HubFieldTests {
    private static let id: HubSession.ID = "voice-sky"
    private static let clip: [UInt8] = Array("RIFF words".utf8) + [UInt8](repeating: 0, count: 200)

    private static func session(_ more: String = "", status: String = "ready") -> String {
        Stage.session(id, "af_sky", status: status, more: more)
    }

    @Test(arguments: ["", #","unread_count":0"#])
    func `recognition that fails is told, and the answer is kept`(more: String) async throws {
        let hub = ScriptedHub([Self.session(more)])
        await hub.keep("assistant", "Hi")
        await hub.takes { hub, command in
            guard command["type"] == "audio" else { return }
            try await hub.tell("status", ["text": "Transcribing..."], in: Self.id)
            await hub.keep("assistant", "You said: Error")
            if !more.isEmpty { try await hub.tell("thinking", in: Self.id) }
            try await hub.tell("assistant_text", ["text": "You said: Error"], in: Self.id)
            try await hub.tell("status", ["text": "Speaking..."], in: Self.id)
        }
        try await ScriptedHub.withClient(hub) { client in
            await client.open(session: Self.id)
            await client.shows { $0.open?.chat.last?.text == "Hi" }
            try await hub.tell("listening", in: Self.id)
            try await client.answer(AudioClip(Self.clip, encoding: .wav), in: Self.id)
            await client.shows { !$0.lostAnswers.isEmpty }
            let snapshot = client.current
            #expect(snapshot.lostAnswers.map(\.content) == [.clip(Self.clip)])
            #expect(snapshot.lostAnswers.first?.failure.code == "hub.notTranscribed")
            #expect(snapshot.card("af_sky")?.transcribingAnswers == 0)
        }
    }

    @Test func `what the history lacks stays between its neighbors`() async throws {
        let hub = ScriptedHub([Self.session(#","unread_count":0"#)])
        await hub.keep("assistant", "Hi")
        try await ScriptedHub.withClient(hub) { client in
            await client.open(session: Self.id)
            await client.shows { $0.open?.chat.last?.text == "Hi" }
            // Two writers of one file: the words of the first one are not in it.
            try await hub.tell("user_text", ["text": "lost"], in: Self.id)
            await hub.keep("assistant", "two")
            try await hub.tell("assistant_text", ["text": "two"], in: Self.id)
            await client.shows { $0.open?.chat.last?.text == "two" }
            for number in 3...5 {
                await hub.keep("user", "\(number)")
                await client.refresh()
                await client.shows { $0.open?.chat.contains { $0.text == "\(number)" } == true }
                let expected = ["Hi", "lost", "two"] + (3...number).map { "\($0)" }
                #expect(client.current.open?.chat.map(\.text) == expected)
            }
        }
    }

    @Test func `a history that is told empty for a moment empties nothing, however often it is asked for`() async throws
    {
        let hub = ScriptedHub([Self.session(#","unread_count":0"#)])
        await hub.keep("assistant", "Hi")
        try await ScriptedHub.withClient(hub) { client in
            await client.open(session: Self.id)
            await client.shows { $0.open?.chat.last?.text == "Hi" }
            await hub.blur(3)
            let reads = await hub.historyReads
            for _ in 1...3 { await client.refresh() }
            await hub.keep("user", "more")
            var isEmptied = false
            await client.shows { snapshot in
                if snapshot.open?.chat.isEmpty == true { isEmptied = true }
                return snapshot.open?.chat.last?.text == "more"
            }
            #expect(!isEmptied && client.current.open?.chat.map(\.text) == ["Hi", "more"])
            #expect(await hub.historyReads == reads + 4)
        }
    }

    @Test func `a voice that is being made has one card`() async throws {
        let made = Stage.session("voice-2-b", "af_sky")
        let hub = ScriptedHub([])
        await hub.spawns { hub in
            await hub.has([made])
            // The hub says so before it answers.
            try await hub.tell("session_status", ["status": "ready"], in: "voice-2-b")
            try await hub.tell("thinking", in: "voice-2-b")
            return (.ok, made)
        }
        try await ScriptedHub.withClient(hub) { client in
            await client.open(voice: "af_sky")
            var most = 0
            await client.shows { snapshot in
                most = max(most, snapshot.cards.count)
                return snapshot.open?.id == "voice-2-b"
            }
            #expect(most == 7 && client.current.failure == nil)
        }
    }

    @Test func `a voice that another client makes is opened once it is there`() async throws {
        let hub = ScriptedHub([])
        await hub.spawns { hub in
            await hub.has([Self.session(status: "starting")])
            return (.serviceUnavailable, #"{"error":"Voice af_sky already has an active session"}"#)
        }
        try await ScriptedHub.withClient(hub) { client in
            await client.open(voice: "af_sky")
            await client.shows { $0.card("af_sky")?.state == .starting }
            #expect(client.current.failure == nil && client.current.card("af_sky")?.failure == nil)
            try await hub.tell("session_status", ["status": "ready"], in: Self.id)
            await client.shows { $0.open?.id == Self.id }
            #expect(client.current.cards.count == 7 && client.current.failureCount == 0)
        }
    }

    @Test func `43321fe: behind a restart the voice opens again where its agent speaks first`() async throws {
        let hub = ScriptedHub([Self.session(#","unread_count":0,"created_at":1"#)])
        await hub.keep("assistant", "Hi")
        try await ScriptedHub.withClient(hub) { client in
            await client.open(session: Self.id)
            await client.shows { $0.open?.chat.last?.text == "Hi" }
            await hub.has([Self.session(#","unread_count":0,"created_at":2"#)])
            await hub.die()
            await client.shows { $0.connection == .connected && $0.areSessionsKnown && $0.open == nil }
            await hub.keep("assistant", "I am back")
            try await hub.tell("thinking", in: Self.id)
            try await hub.tell("assistant_text", ["text": "I am back"], in: Self.id)
            await client.shows { $0.open?.id == Self.id && $0.open?.chat.last?.text == "I am back" }
            #expect(client.current.card("af_sky")?.hasUnread == false)
        }
    }
}
