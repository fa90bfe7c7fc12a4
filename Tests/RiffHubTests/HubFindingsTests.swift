// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

/// What hubs were seen to do, and the faults of their earlier clients: findings 4 to 9 and the upstream bug record of
/// the wire facts, each by itself.
@Suite struct HubFindingsTests {
    private static let id: HubSession.ID = "voice-1-a"

    // MARK: Findings

    @Test func `finding 5: a muted person answers once for each time that the hub listens, and cannot spin`() throws {
        var stage = try Stage.connected()
        stage.send(.mute(true))
        try stage.hear("listening")
        #expect(stage.said == [.audio(session: Self.id, [])])
        // The hub answers an empty sound by listening, at once, for ever.
        for _ in 1...50 {
            stage.now += .milliseconds(2)
            try stage.hear("listening")
        }
        #expect(stage.said.count == 1)
        stage.pass(.seconds(5))
        #expect(stage.said.count == 2)
        stage.pass(.seconds(60))
        #expect(stage.said.count == 2)
    }

    @Test func `finding 6: nothing is sent between the end of playing and listening`() throws {
        var stage = try Stage.connected()
        try stage.hear("assistant_text", #""text":"Hi""#)
        try stage.hearSound(1)
        stage.send(.answer(session: Self.id, .clip([7])))
        #expect(stage.said.isEmpty)
        stage.send(.played(clip: stage.playing!, nil))
        #expect(stage.said == [.playbackDone(session: Self.id)])
        stage.pass(.seconds(4))
        #expect(stage.said.count == 1)
        try stage.hear("listening")
        #expect(stage.said == [.playbackDone(session: Self.id), .audio(session: Self.id, [7])])
    }

    @Test func `finding 8: two taps ask for one session`() throws {
        var stage = try Stage.connected([], open: nil)
        stage.send(.open(voice: "af_sky"))
        stage.send(.open(voice: "af_sky"))
        #expect(stage.effects.spawned == ["af_sky"])
        #expect(stage.card.state == .spawning && stage.card.label == "Spawning...")
    }

    @Test func `finding 9: a session that died without a word is missed in the next list, and goes`() throws {
        var stage = try Stage.connected([Stage.session(Self.id, "af_sky"), Stage.session("voice-2-b", "am_adam")])
        stage.pass(.seconds(15))
        let request = try #require(stage.effects.sessionRequests.last)
        let list = [HubSession(json: try JSONValue(parsing: Stage.session("voice-2-b", "am_adam")))!]
        stage.send(.sessions(request: request, list))
        let snapshot = HubSnapshot(stage.machine)
        #expect(snapshot.card("af_sky")?.state == .inactive)
        #expect(snapshot.open == nil)
        #expect(snapshot.card("am_adam")?.session == "voice-2-b")
        stage.effects = []
        stage.send(.connection(.foreground))
        #expect(stage.effects.sessionRequests.count == 1)
    }

    @Test func `a session that came after a list was asked for is not missed in it`() throws {
        var stage = try Stage.connected()
        stage.pass(.seconds(15))
        let request = try #require(stage.effects.sessionRequests.last)
        try stage.hear(json: #"{"type":"session_spawned","session":\#(Stage.session("voice-adam", "am_adam"))}"#)
        let list = [HubSession(json: try JSONValue(parsing: Stage.session(Self.id, "af_sky")))!]
        stage.send(.sessions(request: request, list))
        #expect(HubSnapshot(stage.machine).card("am_adam")?.session == "voice-adam")
    }

    // MARK: The upstream bug record

    @Test func `789c1c9: what was recorded when the socket dropped is sent when the hub listens again, once`() throws {
        var stage = try Stage.connected()
        try stage.hear("listening")
        stage.send(.record)
        stage.reconnect()
        try stage.list([Stage.session(Self.id, "af_sky")])
        let microphone = try #require(stage.microphones.first)
        stage.send(.finishRecording)
        stage.send(.recorded(microphone: microphone, [1, 2], nil))
        try stage.tellHistory([])
        #expect(stage.said.isEmpty)
        try stage.hear("listening")
        try stage.hear("listening")
        #expect(stage.said == [.audio(session: Self.id, [1, 2])])
    }

    @Test func `2bbafe3: an answer that was under way when the socket dropped is sent again only if it did not arrive`()
        throws
    {
        for hasArrived in [false, true] {
            var stage = try Stage.connected()
            let asked = stage.handle(.refresh).historyRequests
            let before = [HubChatMessage(.assistant, "Hi", time: 1)]
            stage.send(
                .history(voice: "af_sky", request: try #require(asked.first).request, HubService.HistoryPage(before))
            )
            try stage.hear("listening")
            stage.send(.answer(session: Self.id, .clip([1])))
            #expect(stage.said.count == 1)
            stage.effects = []
            stage.reconnect()
            let request = try #require(stage.effects.historyRequests.last)
            try stage.list([Stage.session(Self.id, "af_sky")])
            try stage.hear("listening")
            #expect(stage.said.isEmpty)
            let after = before + (hasArrived ? [HubChatMessage(.user, "what", time: 2)] : [])
            stage.send(.history(voice: "af_sky", request: request.request, HubService.HistoryPage(after)))
            try stage.hear("listening")
            #expect(stage.said == (hasArrived ? [] : [.audio(session: Self.id, [1])]))
        }
    }

    @Test func `7ee2a1d: 60 clips for a session that is not open are all played when it is, and told once`() throws {
        var stage = try Stage.connected(open: nil)
        for number in 1...60 {
            try stage.hear("assistant_text", #""text":"\#(number)""#)
            try stage.hearSound(UInt8(number))
        }
        #expect(stage.plays == 0 && stage.card.waitingClips == 60 && stage.card.hasUnread)
        stage.send(.open(voice: "af_sky"))
        for _ in 1...60 { stage.send(.played(clip: stage.playing!, nil)) }
        #expect(stage.plays == 60)
        #expect(stage.said == [.playbackDone(session: Self.id)])
        #expect(!stage.card.hasUnread)
    }

    @Test func `b8ba087, 7ca58ac: what an old socket says changes nothing`() throws {
        var stage = try Stage.connected()
        stage.reconnect()
        try stage.list([Stage.session(Self.id, "af_sky")])
        stage.effects = []
        stage.send(.frame(socket: 1, try HubFrame(text: #"{"type":"session_list","sessions":[]}"#)))
        stage.send(.connection(.closed(socket: 1)))
        #expect(stage.effects.isEmpty)
        #expect(stage.card.session == Self.id)
        #expect(stage.machine.connection.status == .connected)
    }

    @Test func `a409938: everything is made anew from the list`() throws {
        var stage = try Stage.connected([Stage.session(Self.id, "af_sky")], open: nil)
        stage.reconnect()
        try stage.list([
            Stage.session("voice-2-b", "am_adam", text: "Transcribing..."),
            Stage.session("voice-3-c", "am_echo", text: "Speaking..."),
            Stage.session("voice-4-d", "am_onyx", status: "starting"),
        ])
        let snapshot = HubSnapshot(stage.machine)
        #expect(snapshot.card("af_sky")?.state == .inactive)
        #expect(snapshot.card("am_adam")?.state == .transcribing)
        #expect(snapshot.card("am_echo")?.state == .speaking)
        #expect(snapshot.card("am_onyx")?.state == .starting)
    }

    @Test func `353c057: done before the sound was played ends nothing that is heard`() throws {
        var stage = try Stage.connected()
        try stage.hear("assistant_text", #""text":"Hi""#)
        try stage.hearSound(1)
        try stage.hearSound(2)
        try stage.hear("done")
        #expect(stage.card.state == .speaking && stage.card.label == "Playing...")
        stage.send(.played(clip: stage.playing!, nil))
        #expect(stage.plays == 2)
        stage.send(.played(clip: stage.playing!, nil))
        #expect(stage.card.state == .idle)
        // The hub does not wait any more; to say so would end the playing of what it says next.
        #expect(stage.said.isEmpty)
    }

    @Test func `7ca58ac: muting while recording keeps what was said`() throws {
        var stage = try Stage.connected()
        try stage.hear("listening")
        stage.send(.record)
        let microphone = try #require(stage.microphones.first)
        stage.send(.mute(true))
        #expect(stage.effects.contains(.finishMicrophone(number: microphone)))
        #expect(stage.said.isEmpty)
        stage.send(.recorded(microphone: microphone, [9], nil))
        #expect(stage.said == [.audio(session: Self.id, [9])])
    }

    @Test func `7ca58ac: an answer for a session that is left does not fire later`() throws {
        var stage = try Stage.connected()
        stage.send(.mute(true))
        try stage.hear("listening")
        stage.now += .milliseconds(1)
        try stage.hear("listening")
        stage.send(.showGrid)
        stage.pass(.seconds(4))
        // Also not where the person is back before it was due: it was called off, and the hub says by itself that it
        // listens.
        stage.send(.open(voice: "af_sky"))
        stage.pass(.seconds(30))
        #expect(stage.said.count == 1)
        try stage.hear("listening")
        #expect(stage.said.count == 2)
    }

    @Test func `9d9c0b2: a message that comes live and in a history is there once`() throws {
        var stage = try Stage.connected()
        try stage.hear("assistant_text", #""text":"Hi","msg_id":"m1""#)
        try stage.hear("assistant_text", #""text":"Hi","msg_id":"m1""#)
        let request = try #require(stage.send(.refresh).historyRequests.first).request
        let page = HubService.HistoryPage([HubChatMessage(.assistant, "Hi", time: 1, id: "m1")])
        stage.send(.history(voice: "af_sky", request: request, page))
        try stage.hear("assistant_text", #""text":"Hi","msg_id":"m1""#)
        #expect(HubSnapshot(stage.machine).open?.chat.map(\.text) == ["Hi"])
    }

    @Test func `d7a38dd: after an answer of which nothing comes the microphone is free within 30 seconds`() throws {
        var stage = try Stage.connected()
        try stage.hear("listening")
        stage.send(.answer(session: Self.id, .clip([1])))
        #expect(stage.card.state == .transcribing)
        try stage.hear("status", #""text":"Transcribing...""#)
        stage.pass(.seconds(29))
        #expect(stage.card.state == .transcribing)
        stage.pass(.seconds(1))
        #expect(stage.card.state == .idle)
        #expect(stage.machine.failure?.code == "hub.notTranscribed")
        stage.send(.record)
        #expect(stage.microphones.count == 1)
    }
}
