// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

@Suite struct HubSpawnMachineTests {
    private static let ready = Stage.session("voice-2-b", "af_sky")
    private static func session(_ text: String = ready) throws -> HubSession {
        try #require(HubSession(json: try JSONValue(parsing: text)))
    }

    @Test func `a spawn of 65 seconds passes: nothing here gives it up`() throws {
        var stage = try Stage.connected([], open: nil)
        stage.send(.open(voice: "af_sky"))
        for _ in 1...13 {
            stage.pass(.seconds(5))
            try stage.hear(json: #"{"type":"ping"}"#)
            #expect(stage.card.state == .spawning)
        }
        stage.send(.spawned(voice: "af_sky", try Self.session()))
        #expect(HubSnapshot(stage.machine).open?.id == "voice-2-b")
        #expect(stage.machine.failure == nil)
    }

    @Test func `ready before the answer: the session is looked up, opens, and the answer changes nothing`() throws {
        var stage = try Stage.connected([], open: nil)
        stage.send(.open(voice: "af_sky"))
        try stage.hear(json: #"{"type":"session_status","session_id":"voice-2-b","status":"ready"}"#)
        let request = try #require(stage.effects.sessionRequests.last)
        // The list still says that it starts.
        stage.send(
            .sessions(request: request, [try Self.session(Stage.session("voice-2-b", "af_sky", status: "starting"))])
        )
        #expect(HubSnapshot(stage.machine).open?.id == "voice-2-b")
        #expect(stage.card.state == .idle)
        let effects = stage.send(.spawned(voice: "af_sky", try Self.session()))
        #expect(effects.isEmpty)
        #expect(HubSnapshot(stage.machine).open?.id == "voice-2-b")
    }

    @Test func `the answer before ready: it opens, once`() throws {
        var stage = try Stage.connected([], open: nil)
        stage.send(.open(voice: "af_sky"))
        stage.send(.spawned(voice: "af_sky", try Self.session()))
        stage.send(.showGrid)
        try stage.hear(json: #"{"type":"session_status","session_id":"voice-2-b","status":"ready"}"#)
        #expect(HubSnapshot(stage.machine).open == nil)
        #expect(stage.card.session == "voice-2-b")
    }

    @Test func `newer hubs send the session whole`() throws {
        var stage = try Stage.connected([], open: nil)
        stage.send(.open(voice: "af_sky"))
        try stage.hear(
            json:
                #"{"type":"session_spawned","session":{"session_id":"voice-sky","voice":"af_sky","state":"idle"}}"#
        )
        #expect(HubSnapshot(stage.machine).open?.id == "voice-sky")
    }

    @Test(arguments: ["hub.voiceBusy", "hub.spawnTimedOut", "hub.hubFailed", "hub.connectionLost"])
    func `503, 504, 500 and the network clear the card, say why, and can be tried again`(code: String) throws {
        var stage = try Stage.connected([], open: nil)
        stage.send(.open(voice: "af_sky"))
        stage.effects = []
        stage.send(.spawnFailed(voice: "af_sky", HubFailure(code: code, message: "x")))
        #expect(stage.card.state == .inactive)
        #expect(stage.card.failure?.code == code && stage.machine.failure?.code == code)
        // The hub may have the session all the same.
        #expect(stage.effects.sessionRequests.count == 1)
        stage.send(.open(voice: "af_sky"))
        #expect(stage.effects.spawned == ["af_sky"] && stage.card.failure == nil)
    }

    @Test func `a failure after the session was seen ready is none`() throws {
        var stage = try Stage.connected([], open: nil)
        stage.send(.open(voice: "af_sky"))
        try stage.hear(json: #"{"type":"session_spawned","session":\#(Self.ready)}"#)
        stage.send(.spawnFailed(voice: "af_sky", HubFailure(code: "hub.connectionLost", message: "x")))
        #expect(stage.machine.failure == nil && HubSnapshot(stage.machine).open?.id == "voice-2-b")
    }

    @Test func `a tap on a voice that has a session opens that one`() throws {
        var stage = try Stage.connected([Self.ready], open: nil)
        stage.send(.open(voice: "af_sky"))
        #expect(stage.effects.spawned.isEmpty && HubSnapshot(stage.machine).open?.id == "voice-2-b")
    }
}
