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

/// Hubs that die, or close the socket, while they make words of an answer.
@Suite(.timeLimit(.minutes(5))) struct HubDeathTests {
    @Test(arguments: [HubGeneration.first, .words, .inbox])
    func `every answer that died with its hub is understood in the end, and none twice`(
        generation: HubGeneration
    ) throws {
        var hub = SimulatedHub(turns: 12)
        hub.generation = generation
        hub.deaths = [0, 3, 4, 11]
        try hub.run(for: .seconds(2_000))
        let isOver = hub.isOver
        #expect(isOver && hub.cutsMade == 4)
        #expect(hub.recorded.count == 12 && hub.understood == hub.recorded)
        #expect(hub.hubHears.count == 16)
        #expect(HubSnapshot(hub.stage.machine).lostAnswers.isEmpty && hub.stage.machine.failure == nil)
    }

    // MARK: Over real sockets

    /// The ways in which a hub loses an answer.
    enum Death: CaseIterable { case closesWithoutFrame, restarts }

    @Test(arguments: [HubGeneration.first, .words, .inbox], Death.allCases)
    func `over sockets: sent once more and understood, and one that is lost twice is told and kept`(
        generation: HubGeneration,
        death: Death
    ) async throws {
        // A hub with states that closes a socket and goes on has its own time, which takes too long here.
        if generation == .inbox, death == .closesWithoutFrame { return }
        let hub = MortalHub(generation, death)
        try await LoopbackWebServer.withServer { request in
            await hub.answer(request)
        } body: { server in
            var configuration = HubClient.Configuration()
            configuration.reconnect = ReconnectPolicy(delays: [.milliseconds(2)])
            try await withHub(
                try HubAddress("http://127.0.0.1:\(server.port)"),
                http: try AsyncHTTPTransport(),
                webSockets: try NIOWebSocketTransport(),
                configuration: configuration
            ) { client in
                await client.shows { $0.card("af_sky")?.session != nil }
                await client.open(voice: "af_sky")
                // The first one is lost once, the second twice, the third not at all.
                for number in 1...3 {
                    await hub.lose(number == 3 ? 0 : number)
                    try await client.answer(AudioClip(MortalHub.clip(number), encoding: .wav), in: MortalHub.id)
                    await client.shows { snapshot in
                        let card = snapshot.card("af_sky")
                        return card?.waitingAnswers == 0 && card?.transcribingAnswers == 0
                            && (snapshot.open?.chat.last?.text == "answer \(number)" || !snapshot.lostAnswers.isEmpty)
                    }
                    let snapshot = client.current
                    #expect(snapshot.lostAnswers.count == (number == 1 ? 0 : 1), "\(number)")
                }
                #expect(client.current.lostAnswers.first?.failure.code == "hub.answerLost")
                await client.shows { $0.open?.chat.last?.text == "answer 3" }
                // The person sends it again.
                let lost = try #require(client.current.lostAnswers.first)
                await client.sendAgain(lost.id)
                await client.shows { $0.open?.chat.last?.text == "answer 2" }
            }
            #expect(await hub.hears == [1, 1, 2, 2, 3, 2])
            #expect(await hub.texts == ["answer 1", "answer 3", "answer 2"])
        }
    }
}

/// A hub over real sockets that loses answers while it makes words of them.
private actor MortalHub {
    static let id: HubSession.ID = "voice-1-a"

    private let generation: HubGeneration
    private let death: HubDeathTests.Death
    private(set) var hears: [Int] = []
    private(set) var texts: [String] = []
    private var losses = 0
    private var made = 1
    private var isListening = true
    private var lastSocket = 0
    private var connection: (any WebSocketConnection)?

    init(_ generation: HubGeneration, _ death: HubDeathTests.Death) {
        self.generation = generation
        self.death = death
    }

    /// Loses so many answers from now on.
    func lose(_ count: Int) { losses = count }

    static func clip(_ number: Int) -> [UInt8] {
        Array("RIFF answer \(number)".utf8) + [UInt8](repeating: 0, count: 200)
    }

    func answer(_ request: LoopbackWebServer.Request) -> LoopbackWebServer.Answer {
        switch request.head.path ?? "" {
        case "/ws": return .webSocket { try await self.serve($0) }
        case "/api/sessions": return .json("[\(session)]")
        case "/api/settings": return .json(HubStandIn.settings)
        case let path where path.hasPrefix("/api/history/"):
            let messages = texts.enumerated().map { place, text -> JSONValue in
                ["role": "user", "text": .string(text), "ts": .number(1_000.5 + Double(place))]
            }
            let hi: JSONValue = ["role": "assistant", "text": "Hi", "ts": 1]
            return .json(JSONValue.object(["messages": .array([hi] + messages)]).description)
        default: return .json("{}")
        }
    }

    private var session: String {
        switch generation {
        case .first: Stage.session(Self.id, "af_sky")
        case .words: Stage.session(Self.id, "af_sky", more: #","unread_count":0,"created_at":\#(made)"#)
        default:
            Stage.session(Self.id, "af_sky", more: #","unread_count":0,"state":"idle","created_at":\#(made)"#)
        }
    }

    private func serve(_ connection: any WebSocketConnection) async throws {
        lastSocket += 1
        let number = lastSocket
        self.connection = connection
        isListening = true
        await say(#"{"type":"session_list","sessions":[\#(session)]}"#)
        let listener = Task { try await self.listen(number) }
        defer { listener.cancel() }
        while case .text(let text)? = try await connection.receive() { try await take(text) }
    }

    /// Says every few milliseconds that it listens, while it does.
    private func listen(_ number: Int) async throws {
        while lastSocket == number {
            try await ContinuousClock().sleep(for: .milliseconds(5))
            if isListening { await tell("listening") }
        }
    }

    private func take(_ text: String) async throws {
        let json = try JSONValue(parsing: text)
        guard json["type"] == "audio", isListening else { return }
        isListening = false
        let bytes = Array(Data(base64Encoded: json["data"]?.text ?? "") ?? Data())
        let number = Int(String(decoding: bytes.dropFirst(12).prefix { $0 != 0 }, as: UTF8.self)) ?? 0
        hears.append(number)
        await tell("status", #","text":"Transcribing...""#)
        try await ContinuousClock().sleep(for: .milliseconds(20))
        if losses > 0 {
            losses -= 1
            lastSocket += 1
            if death == .restarts { made += 1 }
            // A closure that throws closes the socket without a close frame.
            throw HubError(.hubFailed, "The hub has died.")
        }
        texts.append("answer \(number)")
        await tell("user_text", #","text":"answer \#(number)""#)
        await tell("done", #","processing":false"#)
        isListening = true
    }

    private func tell(_ type: String, _ members: String = "") async {
        await say(#"{"session_id":"\#(Self.id)","type":"\#(type)"\#(members)}"#)
    }

    private func say(_ text: String) async {
        // Whoever is gone hears nothing; that is seen by the one who receives.
        try? await connection?.send(.text(text))
    }
}
