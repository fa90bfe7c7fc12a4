// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHub
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing

/// What the client asks of a hub, and what it refuses.
@Suite(.timeLimit(.minutes(5))) struct HubClientCallsTests {
    private static let id: HubSession.ID = "voice-1-a"

    private static func address() throws -> HubAddress { try HubAddress("http://127.0.0.1:3460") }

    private static func opened(_ hub: HubClient, _ peer: InMemoryWebSocket) async throws {
        try await peer.list()
        await hub.shows { $0.card("af_sky")?.session != nil }
        await hub.open(voice: "af_sky")
        await hub.shows { $0.open?.id == id }
    }

    // MARK: Sessions

    @Test func `another voice and another speed are shown at once, with what was said with that voice`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let state = SessionState()
        let http = HubStandIn { method, path, body in
            switch (method, path) {
            case ("PUT", "/api/sessions/voice-1-a/voice"):
                await state.set(voice: body?["voice"]?.text)
                return (200, #"{"voice":"am_adam"}"#)
            case ("PUT", "/api/sessions/voice-1-a/speed"):
                #expect(body == ["speed": 1.5])
                await state.set(speed: body?["speed"]?.double)
                return (200, #"{"speed":1.5}"#)
            case ("GET", "/api/sessions"): return (200, await state.list)
            case ("GET", "/api/history/am_adam"):
                return (200, #"{"messages":[{"role":"assistant","text":"I am Adam","ts":1.5}]}"#)
            default: return nil
            }
        }
        try await withHub(try Self.address(), http: http, webSockets: sockets) { hub in
            try await Self.opened(hub, try await sockets.nextPeer())
            try await hub.setSpeed(1.5, of: Self.id)
            await hub.shows { $0.open?.speed == 1.5 }
            try await hub.setVoice("am_adam", of: Self.id)
            await hub.shows { $0.open?.voice.id == "am_adam" && $0.open?.chat.map(\.text) == ["I am Adam"] }
            let error = await #expect(throws: HubError.self) { try await hub.setSpeed(-1, of: Self.id) }
            #expect(error?.code == .commandInvalid)
        }
    }

    @Test func `a history that is cleared is empty here and there`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let http = HubStandIn { method, path, _ in
            guard path == "/api/history/af_sky" else { return nil }
            return (200, method == "DELETE" ? "{}" : #"{"messages":[{"role":"user","text":"old","ts":1.5}]}"#)
        }
        try await withHub(try Self.address(), http: http, webSockets: sockets) { hub in
            try await Self.opened(hub, try await sockets.nextPeer())
            await hub.shows { $0.open?.chat.map(\.text) == ["old"] }
            try await hub.clearHistory(of: "af_sky")
            #expect(hub.current.open?.chat == [])
            #expect(http.requests.contains("DELETE /api/history/af_sky"))
        }
    }

    @Test func `behind a cut the open session's history is asked for again, without an answer too`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let clock = ManualClock()
        let state = SessionState()
        let http = HubStandIn { _, path, _ in path == "/api/history/af_sky" ? (200, await state.history) : nil }
        try await withHub(try Self.address(), http: http, webSockets: sockets, clock: clock) { hub in
            let first = try await sockets.nextPeer()
            try await Self.opened(hub, first)
            await state.say("said meanwhile")
            first.cut()
            await hub.shows { $0.connection == .disconnected }
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
            let second = try await sockets.nextPeer()
            await hub.shows { $0.open?.chat.map(\.text) == ["said meanwhile"] }
            try await second.list()
        }
    }

    // MARK: Answers

    @Test func `another client answers while this one records by itself: its microphone is closed`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let source = MemoryAudioSource()
        let script = [Float](repeating: 0, count: 100) + [Float](repeating: 0.9, count: 100)
        let devices = HubDevices(makeSource: { source }, detector: ScriptedVoiceDetector(script))
        let http = HubStandIn { _, path, _ in path == "/api/settings" ? (200, #"{"auto_record":true}"#) : nil }
        try await withHub(try Self.address(), http: http, webSockets: sockets, devices: devices) { hub in
            let peer = try await sockets.nextPeer()
            await hub.shows { $0.settings.recordsByItself }
            try await Self.opened(hub, peer)
            try await peer.say("listening")
            await hub.shows { $0.microphone == .recording }
            try await source.push([UInt8](repeating: 1, count: 10 * 320))
            try await peer.say("status", #""text":"Transcribing...""#)
            await hub.shows { $0.microphone == .closed }
            #expect(hub.current.card("af_sky")?.waitingAnswers == 0)
        }
    }

    @Test func `who has begun to speak by then is heard`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let source = MemoryAudioSource()
        let devices = HubDevices(
            makeSource: { source },
            detector: ScriptedVoiceDetector([Float](repeating: 0.9, count: 500))
        )
        let http = HubStandIn { _, path, _ in path == "/api/settings" ? (200, #"{"auto_record":true}"#) : nil }
        try await withHub(try Self.address(), http: http, webSockets: sockets, devices: devices) { hub in
            let peer = try await sockets.nextPeer()
            await hub.shows { $0.settings.recordsByItself }
            try await Self.opened(hub, peer)
            try await peer.say("listening")
            await hub.shows { $0.microphone == .recording }
            for _ in 1...20 { try await source.push([UInt8](repeating: 1, count: 10 * 320)) }
            var levels = hub.levels.makeAsyncIterator()
            for _ in 1...8 { _ = await levels.next() }
            try await peer.say("status", #""text":"Transcribing...""#)
            await hub.shows { $0.card("af_sky")?.state == .transcribing || $0.microphone == .recording }
            await hub.finishRecording()
            await hub.shows { $0.card("af_sky")?.waitingAnswers == 1 }
        }
    }

    @Test func `an answer that is long on its way is sent once`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let clock = ManualClock()
        try await withHub(try Self.address(), http: HubStandIn(), webSockets: sockets, clock: clock) { hub in
            let peer = try await sockets.nextPeer()
            peer.setSilent(true)
            try await Self.opened(hub, peer)
            try await hub.answer(AudioClip([1, 0], encoding: .pcm(.speech)), in: Self.id)
            try await peer.say("listening")
            #expect(try await peer.command()?["type"] == "audio")
            for _ in 1...10 {
                try await peer.send(.text(#"{"type":"ping"}"#))
                try await peer.say("listening")
                await clock.sleepers(1)
                clock.advance(by: .seconds(10))
            }
            #expect(hub.current.card("af_sky")?.waitingAnswers == 1)
            peer.setSilent(false)
            try await peer.say("user_text", #""text":"yes""#)
            await hub.shows { $0.card("af_sky")?.waitingAnswers == 0 }
            try await hub.answer(AudioClip([2, 0], encoding: .pcm(.speech)), in: Self.id)
            try await peer.say("listening")
            let file = try WAVWriter.file([2, 0], format: .speech)
            #expect(try await peer.command()?["data"] == .string(Data(file).base64EncodedString()))
        }
    }

    @Test func `whatever frame comes is a sign of life, also without a message`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let clock = ManualClock()
        try await withHub(try Self.address(), http: HubStandIn(), webSockets: sockets, clock: clock) { hub in
            let peer = try await sockets.nextPeer()
            await hub.shows { $0.connection == .connected }
            for _ in 1...12 {
                try await peer.ping()
                await clock.sleepers(1)
                clock.advance(by: .seconds(15))
            }
            #expect(peer.ended == nil && hub.current.connection == .connected)
            for _ in 1...9 {
                guard peer.ended == nil else { break }
                await clock.sleepers(1)
                clock.advance(by: .seconds(15))
                for _ in 0..<200 { await Task.yield() }
            }
            #expect(try await peer.ending().side == .peer)
        }
    }

    @Test func `an empty clip is refused, and so is one too many`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        try await withHub(try Self.address(), http: HubStandIn(), webSockets: sockets) { hub in
            try await Self.opened(hub, try await sockets.nextPeer())
            for encoding in [AudioClip.Encoding.wav, .pcm(.speech), .mp3] {
                let error = await #expect(throws: HubError.self) {
                    try await hub.answer(AudioClip([], encoding: encoding), in: Self.id)
                }
                #expect(error?.code == .clipEmpty)
            }
            let large = AudioClip([UInt8](repeating: 1, count: HubCommand.clipBytes), encoding: .wav)
            var taken = 0
            let full = await #expect(throws: HubError.self) {
                while taken < 100 {
                    try await hub.answer(large, in: Self.id)
                    taken += 1
                }
            }
            #expect(full?.code == .answersFull && taken == HubAnswers.limitBytes / HubCommand.clipBytes)
            #expect(hub.current.card("af_sky")?.waitingAnswers == taken)
        }
    }

    // MARK: Failures

    @Test(arguments: [("/api/sessions", 401, "hub.unauthorized"), ("/api/settings", 500, "hub.hubFailed")])
    func `a list or settings that fail are shown while the connection stands`(
        path: String,
        status: Int,
        code: String
    ) async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let http = HubStandIn { method, asked, _ in method == "GET" && asked == path ? (status, "{}") : nil }
        try await withHub(try Self.address(), http: http, webSockets: sockets) { hub in
            try await sockets.nextPeer().list()
            await hub.shows { $0.connection == .connected }
            await hub.refresh()
            await hub.shows { $0.failure?.code == code }
        }
    }
}

/// What a hub that is asked knows of its session.
private actor SessionState {
    private var voice = "af_sky"
    private var speed = 1.0
    private var messages: [JSONValue] = []

    func set(voice: String? = nil, speed: Double? = nil) {
        self.voice = voice ?? self.voice
        self.speed = speed ?? self.speed
    }

    func say(_ text: String) {
        messages.append(["role": "assistant", "text": .string(text), "ts": .number(1_000.5 + Double(messages.count))])
    }

    var list: String {
        let session: JSONValue = [
            "session_id": "voice-1-a", "voice": .string(voice), "speed": .number(speed), "status": "ready",
        ]
        return JSONValue.array([session]).description
    }

    var history: String { JSONValue.object(["messages": .array(messages)]).description }
}
