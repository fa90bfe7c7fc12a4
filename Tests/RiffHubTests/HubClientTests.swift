// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffHub
import RiffTesting
import RiffTransport
import RiffVoice
import Synchronization
import TestSupport
import Testing

/// The client over sockets in memory: that it does what its machine wants.
@Suite(.timeLimit(.minutes(5))) struct HubClientTests {
    private static func address() throws -> HubAddress { try HubAddress("http://127.0.0.1:3460") }

    private static func wav(_ bytes: Int) throws -> String {
        Data(try WAVWriter.file([UInt8](repeating: 3, count: bytes), format: AudioFormat(sampleRate: 24_000)))
            .base64EncodedString()
    }

    @Test func `a turn: what the agent says is played, and the answer goes when the hub listens`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let sink = MemoryAudioSink()
        let devices = HubDevices(makeSink: { _ in sink })
        try await withHub(try Self.address(), http: HubStandIn(), webSockets: sockets, devices: devices) { hub in
            let peer = try await sockets.nextPeer()
            #expect(sockets.requests.first?.url.description == "ws://127.0.0.1:3460/ws")
            try await peer.list()
            await hub.shows { $0.card("af_sky")?.session != nil }
            await hub.open(voice: "af_sky")
            try await peer.say("assistant_text", #""text":"Hi""#)
            try await peer.say("audio", #""data":"\#(Self.wav(4_800))""#)
            #expect(try await peer.command() == ["session_id": "voice-1-a", "type": "playback_done"])
            #expect(await sink.clip?.bytes == [UInt8](repeating: 3, count: 4_800))
            try await hub.answer(AudioClip([1, 0], encoding: .pcm(.speech)), in: "voice-1-a")
            try await peer.say("listening")
            let answer = try #require(try await peer.command())
            let file = try WAVWriter.file([1, 0], format: .speech)
            #expect(
                answer == [
                    "session_id": "voice-1-a", "type": "audio", "data": .string(Data(file).base64EncodedString()),
                ]
            )
            try await peer.say("user_text", #""text":"yes""#)
            await hub.shows { $0.open?.chat.map(\.text) == ["Hi", "yes"] && $0.card("af_sky")?.waitingAnswers == 0 }
        }
    }

    @Test func `a recording becomes a WAV file, and is kept while there is no connection`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let clock = ManualClock()
        let source = MemoryAudioSource()
        let devices = HubDevices(makeSource: { source })
        try await withHub(
            try Self.address(),
            http: HubStandIn(),
            webSockets: sockets,
            devices: devices,
            clock: clock
        ) { hub in
            let first = try await sockets.nextPeer()
            try await first.list()
            await hub.shows { $0.card("af_sky")?.session != nil }
            await hub.open(voice: "af_sky")
            try await first.say("listening")
            await hub.shows { $0.open?.isInvited == true }
            await hub.record()
            try await source.push([5, 0, 6, 0])
            first.cut()
            await hub.shows { $0.connection == .disconnected }
            try await source.push([7, 0])
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
            let second = try await sockets.nextPeer()
            try await second.list()
            await hub.finishRecording()
            await hub.shows { $0.card("af_sky")?.waitingAnswers == 1 }
            try await second.say("listening")
            let data = try #require(try await second.command()?["data"]?.text)
            #expect(try WAVReader.read(Array(Data(base64Encoded: data) ?? Data())).samples == [5, 0, 6, 0, 7, 0])
        }
    }

    @Test func `300 ms of speech stop the loudspeaker, and become the answer`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let source = MemoryAudioSource()
        let sink = StuckSink()
        let devices = HubDevices(
            makeSource: { source },
            makeSink: { _ in sink },
            detector: ScriptedVoiceDetector([Float](repeating: 0.9, count: 60))
        )
        let settings = #"{"auto_record":false,"auto_end":false,"auto_interrupt":true}"#
        let http = HubStandIn { _, path, _ in path == "/api/settings" ? (200, settings) : nil }
        try await withHub(try Self.address(), http: http, webSockets: sockets, devices: devices) { hub in
            let peer = try await sockets.nextPeer()
            try await peer.list()
            await hub.shows { $0.card("af_sky")?.session != nil && $0.settings.interruptsByItself }
            await hub.open(voice: "af_sky")
            try await peer.say("audio", #""data":"\#(Self.wav(4_800))""#)
            await hub.shows { $0.microphone == .watching }
            try await source.push([UInt8](repeating: 1, count: 290 * 32))
            #expect(hub.current.microphone == .watching)
            try await source.push([UInt8](repeating: 1, count: 40 * 32))
            #expect(try await peer.command()?["type"] == "playback_done")
            await sink.wasCancelled()
            await hub.shows { $0.microphone == .recording }
            await hub.finishRecording()
            await hub.shows { $0.card("af_sky")?.waitingAnswers == 1 }
            try await peer.say("listening")
            let data = try #require(try await peer.command()?["data"]?.text)
            let samples = try WAVReader.read(Array(Data(base64Encoded: data) ?? Data())).samples
            #expect(samples.count == 330 * 32)
        }
    }

    @Test func `a spawn of 65 seconds passes, and two taps ask once`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let clock = ManualClock()
        let http = HubStandIn { method, path, body in
            if method == "GET", path == "/api/sessions" { return (200, "[]") }
            guard method == "POST", path == "/api/sessions" else { return nil }
            #expect(body == ["voice": "af_sky"])
            try await clock.sleep(for: .seconds(65))
            return (200, Stage.session("voice-1-a", "af_sky"))
        }
        try await withHub(try Self.address(), http: http, webSockets: sockets, clock: clock) { hub in
            let peer = try await sockets.nextPeer()
            try await peer.list([])
            await hub.shows { $0.connection == .connected }
            await hub.open(voice: "af_sky")
            await hub.open(voice: "af_sky")
            // The spawn, and the client's own next deadline.
            for _ in 1...13 {
                await clock.sleepers(2)
                clock.advance(by: .seconds(5))
                try await peer.send(.text(#"{"type":"ping"}"#))
            }
            await hub.shows { $0.open?.id == "voice-1-a" }
            #expect(http.requests.count { $0 == "POST /api/sessions" } == 1)
            #expect(hub.current.failure == nil)
        }
    }

    @Test(arguments: [
        (503, "hub.voiceBusy"), (504, "hub.spawnTimedOut"), (500, "hub.hubFailed"), (0, "hub.connectionLost"),
    ])
    func `a spawn that fails clears its card`(status: Int, code: String) async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let http = HubStandIn { method, path, _ in
            if path == "/api/sessions", method == "GET" { return (200, "[]") }
            guard method == "POST" else { return nil }
            if status == 0 { throw TransportError(.connectionLost, "reset") }
            return (status, #"{"error":"x"}"#)
        }
        try await withHub(try Self.address(), http: http, webSockets: sockets) { hub in
            try await sockets.nextPeer().list([])
            await hub.open(voice: "af_sky")
            await hub.shows { $0.card("af_sky")?.failure?.code == code }
            #expect(hub.current.card("af_sky")?.state == .inactive)
        }
    }

    @Test func `silence of 60 seconds ends a connection, and a new one is made`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let clock = ManualClock()
        try await withHub(try Self.address(), http: HubStandIn(), webSockets: sockets, clock: clock) { hub in
            let first = try await sockets.nextPeer()
            await hub.shows { $0.connection == .connected }
            for _ in 1...4 {
                await clock.sleepers(1)
                clock.advance(by: .seconds(15))
            }
            #expect(try await first.ending().side == .peer)
            await hub.shows { $0.connection == .disconnected }
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
            _ = try await sockets.nextPeer()
            await hub.shows { $0.connection == .connected }
        }
    }

    @Test func `the newest kind of hub is refused, and not tried again`() async throws {
        let refusal = WebSocketRefusal(head: HTTPResponse(status: .notFound), body: [])
        let sockets = ScriptedWebSocketTransport(
            [.failure(TransportError(.webSocketRefused, "404", cause: refusal))],
            whenEmpty: .accept()
        )
        let http = HubStandIn { _, path, _ in path == "/api/voice/settings" ? (200, "{}") : (404, "{}") }
        try await withHub(try Self.address(), http: http, webSockets: sockets) { hub in
            await hub.shows { $0.isRefused }
            #expect(hub.current.failure?.code == "hub.generationUnsupported")
            #expect(sockets.requests.count == 1)
        }
    }

    @Test func `typing needs a hub that knows it`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        try await withHub(try Self.address(), http: HubStandIn(), webSockets: sockets) { hub in
            let peer = try await sockets.nextPeer()
            try await peer.list()
            await hub.shows { $0.card("af_sky")?.session != nil && $0.generation == .first }
            let error = await #expect(throws: HubError.self) { try await hub.answer("x", in: "voice-1-a") }
            #expect(error?.code == .unsupported)
            try await peer.say("thinking")
            await hub.shows { $0.generation == .words }
            try await hub.answer("x", in: "voice-1-a")
            try await peer.say("listening")
            #expect(try await peer.command() == ["session_id": "voice-1-a", "type": "text", "text": "x"])
            let gone = await #expect(throws: HubError.self) { try await hub.answer("x", in: "nobody") }
            #expect(gone?.code == .sessionUnknown)
        }
    }

    @Test func `what needs no invitation is said at once, by hubs that know it, or not at all`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        try await withHub(try Self.address(), http: HubStandIn(), webSockets: sockets) { hub in
            let peer = try await sockets.nextPeer()
            try await peer.list()
            await hub.shows { $0.card("af_sky")?.session != nil && $0.generation == .first }
            let old = await #expect(throws: HubError.self) { try await hub.interject("x", in: "voice-1-a") }
            #expect(old?.code == .unsupported)
            try await peer.say("session_status", #""state":"processing""#)
            await hub.shows { $0.generation == .inbox }
            try await hub.interject("and quickly", in: "voice-1-a")
            try await hub.setMode(.text, of: "voice-1-a")
            try await hub.acknowledge(message: "m1", in: "voice-1-a")
            let said = [try await peer.command(), try await peer.command(), try await peer.command()]
            #expect(
                said == [
                    ["session_id": "voice-1-a", "type": "interjection", "text": "and quickly"],
                    ["session_id": "voice-1-a", "type": "set_mode", "mode": "text"],
                    ["session_id": "voice-1-a", "type": "user_ack", "msg_id": "m1"],
                ]
            )
            let nobody = await #expect(throws: HubError.self) { try await hub.setMode(.voice, of: "nobody") }
            #expect(nobody?.code == .sessionUnknown)
            await hub.background()
            peer.cut()
            await hub.shows { $0.connection == .disconnected }
            let away = await #expect(throws: HubError.self) { try await hub.interject("x", in: "voice-1-a") }
            #expect(away?.code == .unreachable)
        }
    }

    @Test func `what plays is told who speaks`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let speakers = Mutex<[HubDevices.Speaker]>([])
        let devices = HubDevices(makeSink: { speaker in
            speakers.withLock { $0.append(speaker) }
            return MemoryAudioSink()
        })
        try await withHub(try Self.address(), http: HubStandIn(), webSockets: sockets, devices: devices) { hub in
            let peer = try await sockets.nextPeer()
            try await peer.list()
            await hub.shows { $0.card("af_sky")?.session != nil }
            await hub.open(voice: "af_sky")
            try await peer.say("audio", #""data":"\#(Self.wav(4_800))""#)
            #expect(try await peer.command()?["type"] == "playback_done")
            #expect(speakers.withLock { $0 } == [HubDevices.Speaker(session: "voice-1-a", voice: .named("af_sky"))])
        }
    }

    @Test func `settings are changed for all, and shown as the hub has them`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let http = HubStandIn { method, path, body in
            guard method == "PUT", path == "/api/settings" else { return nil }
            #expect(body == ["auto_record": true])
            return (200, #"{"model":"haiku","auto_record":true}"#)
        }
        try await withHub(try Self.address(), http: http, webSockets: sockets) { hub in
            await hub.shows { $0.settings.json["model"] != nil }
            try await hub.change(HubSettings.Change(recordsByItself: true))
            #expect(hub.current.settings.recordsByItself && hub.current.settings.model == "haiku")
        }
    }

    @Test func `the end releases everything: the socket is closed, and the snapshots end`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let source = MemoryAudioSource()
        let snapshots = try await withHub(
            try Self.address(),
            http: HubStandIn(),
            webSockets: sockets,
            devices: HubDevices(makeSource: { source })
        ) { hub in
            try await sockets.nextPeer().list()
            await hub.shows { $0.card("af_sky")?.session != nil }
            await hub.open(voice: "af_sky")
            await hub.record()
            await hub.shows { $0.microphone == .recording }
            return hub.updates()
        }
        for await _ in snapshots {}
        await #expect(throws: TransportError.self) { try await source.push([0, 0]) }
    }
}

/// A loudspeaker that never gets on with it.
private actor StuckSink: AudioSink {
    private var waiting: CheckedContinuation<Void, Never>?
    private var isCancelled = false
    private var watchers: [CheckedContinuation<Void, Never>] = []

    func start(_: AudioFormat) async throws {}

    func write(_: [UInt8]) async throws {
        if !isCancelled { await withCheckedContinuation { waiting = $0 } }
        throw CancellationError()
    }

    func finish() async throws {}

    func cancel() async {
        isCancelled = true
        waiting?.resume()
        waiting = nil
        for watcher in watchers { watcher.resume() }
        watchers = []
    }

    func wasCancelled() async {
        if !isCancelled { await withCheckedContinuation { watchers.append($0) } }
    }
}
