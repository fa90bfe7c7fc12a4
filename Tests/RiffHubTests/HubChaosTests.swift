// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffHTTP
import RiffHub
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing

/// The same over real sockets: a hub on loopback, whose WebSocket goes through a proxy that cuts.
@Suite(.timeLimit(.minutes(10))) struct HubChaosTests {
    @Test func `200 cuts: no answer is lost, and none is said twice`() async throws {
        let cuts = 200
        let live = LiveHub()
        try await LoopbackWebServer.withServer { request in
            await live.answer(request)
        } body: { server in
            let proxy = try await ChaosProxy.start(target: server.port, seed: 3) { number in
                guard number < cuts else { return ChaosRules() }
                var random = SeededGenerator(seed: UInt64(number))
                let bytes = Int.random(in: 250...3_000, using: &random)
                let fault: ChaosRules.Fault = number.isMultiple(of: 2) ? .cut : .reset
                return number.isMultiple(of: 3)
                    ? .fault(fault, afterBytesToTarget: bytes) : .fault(fault, afterBytesToClient: bytes)
            }
            let sockets = ProxiedWebSockets(base: try NIOWebSocketTransport(), port: proxy.port)
            var configuration = HubClient.Configuration()
            configuration.reconnect = ReconnectPolicy(delays: [.milliseconds(2)])
            let sent = try await withHub(
                try HubAddress("http://127.0.0.1:\(server.port)"),
                http: try AsyncHTTPTransport(),
                webSockets: sockets,
                configuration: configuration
            ) { hub in
                var sent = 0
                await hub.shows { $0.card("af_sky")?.session != nil }
                await hub.open(voice: "af_sky")
                for await snapshot in hub.updates() {
                    guard snapshot.card("af_sky")?.waitingAnswers == 0 else { continue }
                    if proxy.counters.connections > cuts, await live.hears.count >= sent, sent > 0 { break }
                    // A snapshot may be older than the answer that was given since.
                    guard hub.current.card("af_sky")?.waitingAnswers == 0, await live.isListening else {
                        continue
                    }
                    sent += 1
                    try await hub.answer(AudioClip(LiveHub.clip(sent), encoding: .wav), in: "voice-1-a")
                }
                return sent
            }
            await proxy.stop()
            let hears = await live.hears.map { LiveHub.number($0) }
            #expect(hears == Array(1...sent))
            #expect(await live.drained == 0)
            #expect(proxy.counters.connections > cuts)
        }
    }
}

/// Goes another way than the address says.
private struct ProxiedWebSockets: WebSocketTransport {
    let base: NIOWebSocketTransport
    let port: Int

    func connect(_ request: WebSocketRequest) async throws -> any WebSocketConnection {
        var request = request
        request.url = try WebSocketURL("ws://127.0.0.1:\(port)/ws")
        return try await base.connect(request)
    }
}

/// A hub of the first generation with one session, over real sockets; its waits are short.
private actor LiveHub {
    private enum Phase { case playback, played, waiting, listening, transcribing }

    private(set) var hears: [[UInt8]] = []
    private(set) var drained = 0
    private var phase = Phase.waiting
    private var socket: (number: Int, connection: any WebSocketConnection)?
    private var lastSocket = 0
    private var history: [JSONValue] = []

    var isListening: Bool { phase == .listening }

    static func clip(_ number: Int) -> [UInt8] {
        Array("RIFF answer \(number)".utf8) + [UInt8](repeating: 0, count: 200)
    }

    static func number(_ clip: [UInt8]) -> Int {
        Int(String(decoding: clip.dropFirst(12).prefix { $0 != 0 }, as: UTF8.self)) ?? 0
    }

    func answer(_ request: LoopbackWebServer.Request) -> LoopbackWebServer.Answer {
        switch request.head.path ?? "" {
        case "/ws": .webSocket { connection in try await self.serve(connection) }
        case "/api/sessions": .json("[\(session)]")
        case "/api/settings": .json(HubStandIn.settings)
        case let path where path.hasPrefix("/api/history/"):
            .json(JSONValue.object(["voice_id": "af_sky", "messages": .array(history.suffix(200))]).description)
        default: .json(#"{"detail":"Not Found"}"#, status: .notFound)
        }
    }

    private var session: String { Stage.session("voice-1-a", "af_sky") }

    private func serve(_ connection: any WebSocketConnection) async throws {
        lastSocket += 1
        let number = lastSocket
        socket = (number, connection)
        if phase == .playback || phase == .played || phase == .listening { phase = .waiting }
        await say(#"{"type":"session_list","sessions":[\#(session)]}"#)
        let listener = Task { try await self.listen(number) }
        defer { listener.cancel() }
        while case .text(let text)? = try await connection.receive() { try await take(text) }
        if socket?.number == number {
            socket = nil
            if phase != .transcribing { phase = .waiting }
        }
    }

    /// Says every few milliseconds that it listens, while it does.
    private func listen(_ number: Int) async throws {
        while socket?.number == number {
            try await ContinuousClock().sleep(for: .milliseconds(5))
            if phase == .waiting || phase == .played { phase = .listening }
            if phase == .listening { await tell("listening") }
        }
    }

    private func take(_ text: String) async throws {
        let json = try JSONValue(parsing: text)
        switch (json["type"]?.text, phase) {
        case ("playback_done", .playback): phase = .played
        case ("audio", .playback), ("audio", .listening):
            let bytes = Array(Data(base64Encoded: json["data"]?.text ?? "") ?? Data())
            hears.append(bytes)
            phase = .transcribing
            await tell("status", #","text":"Transcribing...""#)
            // Words that take a while: the connection may be another one then.
            Task { try await self.understand(hears.count) }
        case ("audio", _): drained += 1
        default: break
        }
    }

    private func understand(_ number: Int) async throws {
        try await ContinuousClock().sleep(for: .milliseconds(5))
        note("user", "answer \(number)")
        await tell("user_text", #","text":"answer \#(number)""#)
        await tell("done")
        note("assistant", "turn \(number)")
        await tell("assistant_text", #","text":"turn \#(number)""#)
        await tell("status", #","text":"Speaking...""#)
        phase = socket == nil ? .waiting : .playback
        await tell("audio", #","data":"//uQAAAA""#)
    }

    private func note(_ role: String, _ text: String) {
        history.append(["role": .string(role), "text": .string(text), "ts": .number(1_000.5 + Double(history.count))])
    }

    private func tell(_ type: String, _ members: String = "") async {
        await say(#"{"session_id":"voice-1-a","type":"\#(type)"\#(members)}"#)
    }

    private func say(_ text: String) async {
        // Who is gone hears nothing; that is seen by the one who receives.
        try? await socket?.connection.send(.text(text))
    }
}
