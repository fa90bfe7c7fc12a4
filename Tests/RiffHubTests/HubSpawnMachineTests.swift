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

    @Test(arguments: ["hub.voiceBusy", "hub.spawnTimedOut", "hub.hubFailed", "hub.unreachable"])
    func `503, 504, 500 and the network clear the card, say why, and can be tried again`(code: String) throws {
        var stage = try Stage.connected([], open: nil)
        stage.send(.open(voice: "af_sky"))
        stage.effects = []
        stage.send(.spawnFailed(voice: "af_sky", Problem(code: code, message: "x")))
        if code == "hub.voiceBusy" {
            // Another client may be making it: the list tells.
            #expect(stage.card.state == .spawning && stage.machine.failure == nil)
            stage.send(.sessions(request: try #require(stage.effects.sessionRequests.last), []))
        }
        #expect(stage.card.state == .inactive)
        #expect(stage.card.failure?.code == code && stage.machine.failure?.code == code)
        // The hub may have the session all the same.
        #expect(stage.effects.sessionRequests.count == 1)
        stage.send(.open(voice: "af_sky"))
        #expect(stage.effects.spawned == ["af_sky"] && stage.card.failure == nil)
    }

    /// A request of which nobody knows what became, and the list that is asked for behind it.
    private static func doubted(_ code: String) throws -> (Stage, HubSequenceNumber) {
        var stage = try Stage.connected([], open: nil)
        stage.send(.open(voice: "af_sky"))
        stage.send(.spawnFailed(voice: "af_sky", Problem(code: code, message: "x")))
        #expect(stage.card.state == .inactive && stage.card.failure?.code == code)
        stage.effects = []
        stage.send(.open(voice: "af_sky"))
        // It may be on its way: nobody asks for two.
        #expect(stage.effects.spawned.isEmpty && stage.card.state == .spawning && stage.card.failure == nil)
        return (stage, try #require(stage.effects.sessionRequests.first))
    }

    @Test(arguments: ["hub.connectionLost", "hub.timedOut"])
    func `after a failure of the network the next tap waits for a list`(code: String) throws {
        var (none, request) = try Self.doubted(code)
        none.send(.sessions(request: request, []))
        #expect(none.effects.spawned == ["af_sky"] && none.card.state == .spawning)
        var (there, list) = try Self.doubted(code)
        there.send(.sessions(request: list, [try Self.session(Self.starting)]))
        #expect(there.effects.spawned.isEmpty && there.card.state == .starting)
        try Self.isReady(&there)
        #expect(there.machine.openSession == "voice-2-b")
        // A list over a new connection tells as well.
        var (cut, _) = try Self.doubted(code)
        cut.reconnect()
        try cut.list([])
        #expect(cut.effects.spawned == ["af_sky"])
        // Another tap since then counts more.
        var (left, last) = try Self.doubted(code)
        left.send(.showGrid)
        left.send(.sessions(request: last, []))
        #expect(left.effects.spawned.isEmpty && left.card.state == .inactive)
    }

    @Test func `where the list fails as well, that is why there is no session`() throws {
        var (stage, request) = try Self.doubted("hub.connectionLost")
        stage.send(.sessionsFailed(request: request, Problem(code: "hub.hubFailed", message: "y")))
        #expect(stage.effects.spawned.isEmpty && stage.card.state == .inactive)
        #expect(stage.card.failure?.code == "hub.hubFailed")
    }

    @Test func `a failure after the session was seen ready is none`() throws {
        var stage = try Stage.connected([], open: nil)
        stage.send(.open(voice: "af_sky"))
        try stage.hear(json: #"{"type":"session_spawned","session":\#(Self.ready)}"#)
        stage.send(.spawnFailed(voice: "af_sky", Problem(code: "hub.connectionLost", message: "x")))
        #expect(stage.machine.failure == nil && HubSnapshot(stage.machine).open?.id == "voice-2-b")
    }

    @Test func `a tap on a voice that has a session opens that one`() throws {
        var stage = try Stage.connected([Self.ready], open: nil)
        stage.send(.open(voice: "af_sky"))
        #expect(stage.effects.spawned.isEmpty && HubSnapshot(stage.machine).open?.id == "voice-2-b")
    }

    @Test func `a session is not made to start again by a list that is older`() throws {
        let starting = Stage.session("voice-2-b", "af_sky", status: "starting")
        var stage = try Stage.connected([starting], open: nil)
        #expect(stage.card.state == .starting)
        try stage.hear(json: #"{"type":"session_status","session_id":"voice-2-b","status":"ready"}"#)
        #expect(stage.card.state == .idle)
        try stage.list([starting])
        #expect(stage.card.state == .idle)
        stage.send(.open(voice: "af_sky"))
        #expect(HubSnapshot(stage.machine).open?.id == "voice-2-b")
    }

    @Test func `an answer means that the session is there, whatever else it says`() throws {
        var stage = try Stage.connected([], open: nil)
        stage.send(.open(voice: "af_sky"))
        stage.send(
            .spawned(voice: "af_sky", try Self.session(Stage.session("voice-2-b", "af_sky", status: "starting")))
        )
        #expect(HubSnapshot(stage.machine).open?.id == "voice-2-b" && stage.card.state == .idle)
    }

    // MARK: A tap on a voice whose session is starting

    private static let starting = Stage.session("voice-2-b", "af_sky", status: "starting")

    private static func tapped(_ more: [String] = []) throws -> Stage {
        var stage = try Stage.connected([starting] + more, open: nil)
        stage.send(.open(voice: "af_sky"))
        #expect(stage.effects.spawned.isEmpty && HubSnapshot(stage.machine).open == nil)
        return stage
    }

    private static func isReady(_ stage: inout Stage) throws {
        try stage.hear(json: #"{"type":"session_status","session_id":"voice-2-b","status":"ready"}"#)
    }

    @Test func `a session that starts for another client is opened once it is there`() throws {
        var stage = try Self.tapped()
        try Self.isReady(&stage)
        #expect(HubSnapshot(stage.machine).open?.id == "voice-2-b")
        stage.send(.showGrid)
        try Self.isReady(&stage)
        #expect(HubSnapshot(stage.machine).open == nil)
        // A list tells it as well.
        var listed = try Self.tapped()
        try listed.list([Self.starting])
        #expect(HubSnapshot(listed.machine).open == nil)
        try listed.list([Self.ready])
        #expect(HubSnapshot(listed.machine).open?.id == "voice-2-b")
    }

    @Test func `the newest tap counts`() throws {
        let adam = Stage.session("voice-3-c", "am_adam")
        for (event, open) in [
            (HubEvent.showGrid, nil), (.openSession("voice-3-c"), "voice-3-c"), (.open(voice: "am_adam"), "voice-3-c"),
            (.open(voice: "am_echo"), nil),
        ] as [(HubEvent, HubSession.ID?)] {
            var stage = try Self.tapped([adam])
            stage.send(event)
            try Self.isReady(&stage)
            #expect(HubSnapshot(stage.machine).open?.id == open)
        }
    }

    @Test func `one that ends before it was there opens nothing later`() throws {
        var stage = try Self.tapped()
        try stage.list([])
        try stage.list([Self.ready])
        #expect(HubSnapshot(stage.machine).open == nil)
    }

    @Test func `what the hub answered with is there, though a list still says that it starts`() throws {
        var stage = try Stage.connected([], open: nil)
        stage.send(.open(voice: "af_sky"))
        stage.send(.spawned(voice: "af_sky", try Self.session(Self.starting)))
        #expect(stage.machine.openSession == "voice-2-b")
        stage.send(.showGrid)
        try stage.list([Self.starting])
        stage.send(.open(voice: "af_sky"))
        #expect(stage.machine.openSession == "voice-2-b")
    }

    @Test func `a session that opens is asked for its history`() throws {
        var stage = try Stage.connected([Self.ready], open: nil)
        stage.send(.open(voice: "af_sky"))
        #expect(stage.effects.historyRequests.map(\.voice) == ["af_sky"])
        // It is open already.
        stage.send(.open(voice: "af_sky"))
        #expect(stage.effects.historyRequests.count == 1)
    }

    @Test func `a state that a session which is not known has makes none, and one that died ends it`() throws {
        var stage = try Stage.connected([Self.ready], open: nil)
        try stage.hear("session_status", #""state":"idle""#, in: "voice-9-z")
        #expect(HubSnapshot(stage.machine).cards.count == 7)
        for member in [#""status":"dead""#, #""state":"dead""#] {
            try stage.list([Self.ready])
            #expect(stage.card.session == "voice-2-b")
            try stage.hear("session_status", member, in: "voice-2-b")
            #expect(stage.card.session == nil)
        }
    }
}
