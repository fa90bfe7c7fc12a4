// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

/// What the whole client does as its connection comes, goes and is watched: each rule by itself.
@Suite struct HubConnectionRulesTests {
    private static let id: HubSession.ID = "voice-1-a"
    private static let sky = Stage.session(id, "af_sky")
    private static let settings = #"{"auto_record":false,"voice_responses":true,"deployment_mode":"local"}"#

    private static func state(_ state: String, more: String = "") -> String {
        #"{"session_id":"voice-1-a","voice":"af_sky","state":"\#(state)","status":"ready"\#(more)}"#
    }

    // MARK: Liveness

    @Test(arguments: [#"{"type":"ping"}"#, #"{"type":"thinking","session_id":"voice-1-a"}"#, #"{"type":"x"}"#, "{"])
    func `whatever comes is a sign of life, also what cannot be read`(text: String) throws {
        var stage = try Stage.connected()
        for _ in 1...3 {
            stage.pass(.seconds(59))
            do { try stage.hear(json: text) } catch { stage.send(.malformed(socket: 1)) }
        }
        #expect(stage.machine.connection.status == .connected)
        stage.pass(.seconds(60))
        #expect(stage.machine.connection.status != .connected)
    }

    @Test func `in the background nothing is asked for, and nobody is woken for it`() throws {
        var stage = try Stage.connected()
        stage.send(.connection(.background))
        #expect(stage.machine.deadline == .seconds(60))
        stage.pass(.seconds(20))
        // Another deadline may wake it all the same.
        stage.send(.tick)
        #expect(stage.effects.sessionRequests.isEmpty)
    }

    @Test func `in the foreground the sessions, the settings and the open history are asked for`() throws {
        var stage = try Stage.connected()
        stage.send(.connection(.foreground))
        #expect(stage.effects.sessionRequests.count == 1)
        #expect(stage.effects.settingsRequests.count == 1)
        #expect(stage.effects.historyRequests.map(\.voice) == ["af_sky"])
        // The timer begins anew with it.
        #expect(stage.machine.deadline == stage.now + .seconds(15))
    }

    @Test func `a new connection asks for the settings, and again with the sessions: nobody tells of a change`() {
        var stage = Stage()
        stage.send(.connection(.start))
        stage.send(.connection(.opened(socket: 1)))
        for count in 1...3 {
            #expect(stage.effects.settingsRequests.count == count)
            if let request = stage.effects.settingsRequests.last {
                stage.send(.settings(request: request, HubSettings(json: ["model": "opus"])))
            }
            stage.pass(.seconds(15))
        }
    }

    @Test func `what the hub did is over when the connection is lost`() throws {
        var stage = try Stage.connected()
        try stage.hear("thinking")
        #expect(stage.card.state == .thinking)
        stage.send(.connection(.closed(socket: 1)))
        #expect(stage.card.state == .idle)
    }

    // MARK: Lists

    @Test func `a list that nobody asked for, and one that was taken already, say nothing`() throws {
        var stage = try Stage.connected()
        stage.send(.sessions(request: HubSequenceNumber(rawValue: 9_999), []))
        #expect(stage.card.session == Self.id)
        stage.pass(.seconds(15))
        let request = try #require(stage.effects.sessionRequests.last)
        stage.send(.sessions(request: request, [HubSession(json: try JSONValue(parsing: Self.sky))!]))
        stage.send(.sessions(request: request, []))
        #expect(stage.card.session == Self.id)
    }

    @Test func `a session that is dead in a list is none`() throws {
        let stage = try Stage.connected([Stage.session(Self.id, "af_sky", status: "dead")], open: nil)
        #expect(stage.card.session == nil && stage.card.state == .inactive)
    }

    @Test func `a session that waits for nothing is not invited by its state`() throws {
        for (more, isInvited) in [(#","in_wait":false"#, false), (#","in_wait":true"#, true), ("", true)] {
            let stage = try Stage.connected([Self.state("idle", more: more)], settings: Self.settings)
            #expect(HubSnapshot(stage.machine).open?.isInvited == isInvited, "\(more)")
        }
    }

    @Test func `a history is not asked for under the name of a session whose voice is not known`() throws {
        var stage = try Stage.connected(open: nil)
        try stage.hear("assistant_text", #""text":"Who am I?""#, in: "voice-9-z")
        stage.send(.openSession("voice-9-z"))
        #expect(stage.effects.historyRequests.isEmpty)
    }

    // MARK: Landing

    @Test func `nobody is torn out of what they hear, by a new connection`() throws {
        var stage = try Stage.connected()
        try stage.hearSound(1)
        stage.reconnect()
        try stage.list([Self.sky])
        #expect(HubSnapshot(stage.machine).open?.id == Self.id)
        #expect(!stage.effects.contains(.stopPlaying(clip: stage.playing!)))
    }

    @Test func `nor out of what they say, nor from an answer that waits`() throws {
        var recording = try Stage.connected()
        recording.send(.record)
        recording.reconnect()
        try recording.list([Self.sky])
        #expect(HubSnapshot(recording.machine).open?.id == Self.id && recording.card.label == "Recording...")
        var answered = try Stage.connected()
        answered.send(.answer(session: Self.id, .clip([1])))
        answered.reconnect()
        try answered.list([Self.sky])
        #expect(HubSnapshot(answered.machine).open?.id == Self.id)
    }

    @Test func `who went to the grid after a cut is not called back`() throws {
        var stage = try Stage.connected()
        stage.reconnect()
        try stage.list([Self.sky])
        stage.send(.showGrid)
        try stage.hear("listening")
        #expect(HubSnapshot(stage.machine).open == nil && stage.card.isPending)
    }

    @Test func `a hub that tells by a state that it listens calls back as well`() throws {
        var stage = try Stage.connected([Self.state("idle")], settings: Self.settings)
        stage.reconnect()
        try stage.list([Self.state("idle")])
        #expect(HubSnapshot(stage.machine).open?.id == Self.id)
        stage.reconnect()
        try stage.list([Self.state("processing")])
        #expect(HubSnapshot(stage.machine).open == nil)
    }

    @Test func `a session that ends while it is open leads to the grid`() throws {
        var stage = try Stage.connected()
        try stage.hear("session_terminated")
        #expect(HubSnapshot(stage.machine).open == nil)
        // One of the same name later is another one.
        try stage.list([Self.sky])
        #expect(HubSnapshot(stage.machine).open == nil && !stage.card.isOpen)
    }
}
