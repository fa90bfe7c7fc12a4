// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

/// What a complete client does, by the rows of the wire facts.
@Suite struct HubMachineTests {
    private static let id: HubSession.ID = "voice-1-a"
    private static let recording = #"{"auto_record":true,"auto_end":true,"auto_interrupt":false}"#

    @Test func `connect: a broadcast before the list, and types that are not known, are no harm`() throws {
        var stage = Stage()
        stage.send(.connection(.start))
        stage.send(.connection(.opened(socket: 1)))
        try stage.hear("listening")
        try stage.hear(json: #"{"type":"weather","x":1}"#)
        stage.send(.malformed(socket: 1))
        try stage.list([Stage.session(Self.id, "af_sky")])
        #expect(stage.card.session == Self.id && stage.card.isPending)
        #expect(stage.machine.unknownFrames == 1 && stage.machine.malformedFrames == 1)
        #expect(HubSnapshot(stage.machine).cards.count == 7)
    }

    @Test func `liveness: 60 seconds without a word, then back with a list`() throws {
        var stage = try Stage.connected()
        stage.pass(.seconds(59))
        #expect(stage.machine.connection.status == .connected)
        stage.pass(.seconds(2))
        #expect(stage.effects.contains(.drop(socket: 1)) && stage.effects.contains(.connect(socket: 2)))
        stage.socket = 2
        stage.send(.connection(.opened(socket: 2)))
        #expect(stage.machine.connection.status == .connected)
    }

    @Test func `turn: a text without a sound, as where speech failed, and the next text within 10 ms`() throws {
        var stage = try Stage.connected()
        try stage.hear("listening")
        stage.send(.answer(session: Self.id, .clip([1])))
        var states: [HubCard.State] = []
        for (type, members) in [
            ("status", #""text":"Transcribing...""#), ("user_text", #""text":"please""#), ("done", ""),
            ("assistant_text", #""text":"[ttsfail]""#), ("status", #""text":"Speaking...""#),
            ("assistant_text", #""text":"You said: Error""#), ("status", #""text":"Speaking...""#),
        ] {
            stage.now += .milliseconds(10)
            try stage.hear(type, members)
            states.append(stage.card.state)
        }
        #expect(states == [.transcribing, .thinking, .idle, .speaking, .speaking, .speaking, .speaking])
        stage.pass(.seconds(30))
        #expect(stage.card.state == .idle)
        try stage.hearSound(1)
        stage.send(.played(clip: stage.playing!, nil))
        try stage.hear("listening")
        #expect(stage.card.state == .listening)
    }

    @Test func `turn: recognition that failed is told, and silence that was heard is not`() throws {
        var stage = try Stage.connected()
        try stage.hear("status", #""text":"Transcribing...""#)
        try stage.hear("assistant_text", #""text":"You said: Error""#)
        #expect(stage.machine.failure?.code == "hub.notTranscribed")
        var silent = try Stage.connected()
        try silent.hear("status", #""text":"Transcribing...""#)
        try silent.hear("done")
        try silent.hear("assistant_text", #""text":"You said: (no speech detected)""#)
        #expect(silent.machine.failure == nil)
    }

    @Test func `sound: a session that ends while it speaks is heard to its end, and ended once`() throws {
        var stage = try Stage.connected()
        try stage.hear("assistant_text", #""text":"Goodbye""#)
        try stage.hearSound(1)
        try stage.hear("done")
        try stage.hear("session_ended")
        #expect(!stage.effects.contains(.terminate(session: Self.id)))
        stage.send(.played(clip: stage.playing!, nil))
        #expect(stage.effects.count { $0 == .terminate(session: Self.id) } == 1)
        stage.pass(.seconds(10))
        #expect(stage.effects.count { $0 == .terminate(session: Self.id) } == 1)
    }

    @Test func `sound: a session that another client ended is heard to its end`() throws {
        var stage = try Stage.connected()
        try stage.hear("assistant_text", #""text":"Goodbye""#)
        try stage.hearSound(1)
        try stage.hear("session_terminated")
        #expect(stage.card.state == .speaking)
        stage.send(.played(clip: stage.playing!, nil))
        #expect(stage.card.state == .inactive && stage.said.isEmpty)
    }

    @Test func `sound: a session that is not known is asked for, and its words wait`() throws {
        var stage = try Stage.connected(open: nil)
        try stage.hear("assistant_text", #""text":"Who am I?""#, in: "voice-9-z")
        try stage.hearSound(1, in: "voice-9-z")
        let request = try #require(stage.effects.sessionRequests.first)
        let list = try [Stage.session(Self.id, "af_sky"), Stage.session("voice-9-z", "bm_fable")].map {
            HubSession(json: try JSONValue(parsing: $0))!
        }
        stage.send(.sessions(request: request, list))
        let card = try #require(HubSnapshot(stage.machine).card("bm_fable"))
        #expect(card.waitingClips == 1 && card.unread == 1)
        stage.send(.open(voice: "bm_fable"))
        #expect(stage.plays == 1)
        #expect(HubSnapshot(stage.machine).open?.chat.map(\.text) == ["Who am I?"])
    }

    @Test func `sound: what waits when the connection is lost is still played`() throws {
        var stage = try Stage.connected(open: nil)
        try stage.hear("assistant_text", #""text":"Hi""#)
        try stage.hearSound(1)
        stage.reconnect()
        try stage.list([Stage.session(Self.id, "af_sky", text: "Waiting for client...")])
        stage.send(.open(voice: "af_sky"))
        stage.send(.played(clip: try #require(stage.playing), nil))
        // While nobody was there the hub took it as played.
        #expect(stage.said.isEmpty)
    }

    @Test func `sound: a clip that cannot be played is shown, and the hub does not wait for it`() throws {
        var stage = try Stage.connected()
        try stage.hearSound(1)
        stage.send(.played(clip: stage.playing!, Problem(code: "voice.x", message: "no decoder")))
        #expect(stage.machine.failure?.code == "voice.x")
        #expect(stage.said == [.playbackDone(session: Self.id)])
    }

    @Test func `answer: the hub's repeats do not begin the recording anew`() throws {
        var stage = try Stage.connected(settings: Self.recording)
        for _ in 1...4 {
            try stage.hear("listening")
            stage.pass(.seconds(5))
        }
        #expect(stage.microphones.count == 1)
        #expect(stage.card.label == "Recording...")
    }

    @Test func `answer: what the hub said before it had the answer does not ask for another`() throws {
        var stage = try Stage.connected(settings: Self.recording)
        try stage.hear("listening")
        stage.send(.finishRecording)
        stage.send(.recorded(microphone: stage.microphones[0], [1], nil))
        try stage.hear("listening")
        #expect(stage.said == [.audio(session: Self.id, [1])])
        #expect(stage.microphones.count == 1)
        // Another client was first: ours is the hub's to keep, and is not said twice.
        try stage.hear("status", #""text":"Transcribing...""#)
        try stage.hear("user_text", #""text":"theirs""#)
        try stage.hear("done")
        #expect(stage.said.count == 1 && stage.card.waitingAnswers == 0)
    }

    @Test func `answer: speaking into the agent's words ends them, and the clip waits for the hub`() throws {
        var stage = try Stage.connected(settings: #"{"auto_record":false,"auto_interrupt":true}"#)
        try stage.hearSound(1)
        try stage.hearSound(2)
        let microphone = try #require(stage.microphones.first)
        #expect(stage.effects.contains(.openMicrophone(number: microphone, isWatching: true)))
        let effects = stage.send(.interrupted(microphone: microphone))
        #expect(
            effects == [
                .stopPlaying(clip: stage.playing!),
                .send(socket: 1, .playbackDone(session: Self.id), answer: nil),
            ]
        )
        #expect(stage.card.label == "Recording...")
        stage.send(.recorded(microphone: microphone, [5], nil))
        #expect(stage.said.count == 1)
        try stage.hear("listening")
        #expect(stage.said.last == .audio(session: Self.id, [5]))
    }

    @Test func `answer: nobody listens in where the setting is off, nor once all was played`() throws {
        var stage = try Stage.connected()
        try stage.hearSound(1)
        #expect(stage.microphones.isEmpty)
        var on = try Stage.connected(settings: #"{"auto_interrupt":true}"#)
        try on.hearSound(1)
        on.send(.played(clip: on.playing!, nil))
        #expect(on.effects.contains(.closeMicrophone(number: on.microphones[0])))
    }

    @Test func `unread: what comes elsewhere is counted, and read when it is opened`() throws {
        var stage = try Stage.connected(open: nil)
        try stage.hear("assistant_text", #""text":"1""#)
        try stage.hear("user_text", #""text":"2""#)
        try stage.hear("assistant_text", #""text":"3""#)
        #expect(stage.card.unread == 2)
        stage.send(.open(voice: "af_sky"))
        #expect(stage.card.unread == 0)
        // Hubs that do not count are told nothing.
        #expect(!stage.effects.contains(.markRead(session: Self.id, isOpen: true)))
        var counting = try Stage.connected(
            [Stage.session(Self.id, "af_sky", more: #","unread_count":4"#)],
            open: nil
        )
        #expect(counting.card.unread == 4)
        counting.send(.open(voice: "af_sky"))
        #expect(counting.card.unread == 0 && counting.effects.contains(.markRead(session: Self.id, isOpen: true)))
    }

    @Test func `devices: a session that this client never opened may listen; three times is once`() throws {
        var stage = try Stage.connected([Stage.session(Self.id, "af_sky", text: "Waiting for client...")], open: nil)
        for _ in 1...3 { try stage.hear("listening") }
        #expect(stage.card.isPending && stage.card.hasUnread && stage.card.label == "Tap Record")
        #expect(stage.said.isEmpty && stage.microphones.isEmpty)
        stage.send(.open(voice: "af_sky"))
        #expect(!stage.card.isPending)
        stage.tellEmptyHistories()
        stage.send(.record)
        stage.send(.recorded(microphone: stage.microphones[0], [1], nil))
        #expect(stage.said == [.audio(session: Self.id, [1])])
    }

    @Test func `devices: who joins while it is spoken elsewhere says nothing of sound that it never had`() throws {
        var stage = try Stage.connected([Stage.session(Self.id, "af_sky", text: "Speaking...")])
        #expect(stage.card.state == .speaking)
        stage.pass(.seconds(30))
        #expect(stage.said.isEmpty && stage.card.state == .idle)
    }

    @Test func `landing: the grid after a connection was lost, and back where the hub listens`() throws {
        var stage = try Stage.connected()
        stage.reconnect()
        try stage.list([Stage.session(Self.id, "af_sky")])
        #expect(HubSnapshot(stage.machine).open == nil)
        try stage.hear("listening")
        #expect(HubSnapshot(stage.machine).open?.id == Self.id)
        // Who has gone to the grid is left there.
        stage.send(.showGrid)
        try stage.hear("listening")
        #expect(HubSnapshot(stage.machine).open == nil)
    }

    @Test func `newer hubs: a state is an invitation where listening comes once`() throws {
        let settings = #"{"auto_record":false,"voice_responses":true,"deployment_mode":"local"}"#
        let idle = #"{"session_id":"voice-1-a","voice":"af_sky","state":"idle","status":"ready","in_wait":true}"#
        var stage = try Stage.connected([idle], settings: settings)
        stage.send(.answer(session: Self.id, .text("hello")))
        #expect(stage.said == [.text(session: Self.id, "hello")])
        try stage.hear("user_text", #""text":"hello","msg_id":"m""#)
        try stage.hear("done", #""processing":false"#)
        try stage.hear("session_status", #""state":"processing","status_text":"Processing...""#)
        #expect(stage.card.state == .thinking)
        stage.send(.answer(session: Self.id, .text("more")))
        #expect(stage.said.count == 1)
        try stage.hear("session_status", #""state":"idle","status_text":"Waiting""#)
        #expect(stage.said.count == 2)
    }

    @Test func `newer hubs: an answer that was cut off is not sent again while it may become text`() throws {
        let settings = #"{"auto_record":false,"voice_responses":true,"deployment_mode":"local"}"#
        let idle = #"{"session_id":"voice-1-a","voice":"af_sky","state":"idle","status":"ready","in_wait":true}"#
        var stage = try Stage.connected([idle], settings: settings)
        stage.send(
            .history(
                voice: "af_sky",
                request: try #require(stage.send(.refresh).historyRequests.first).request,
                HubService.HistoryPage([HubChatMessage(.assistant, "Hi", time: 1)])
            )
        )
        stage.send(.answer(session: Self.id, .clip([1])))
        stage.effects = []
        stage.reconnect()
        try stage.list([idle])
        let same = HubService.HistoryPage([HubChatMessage(.assistant, "Hi", time: 1)])
        stage.send(.history(voice: "af_sky", request: try #require(stage.effects.historyRequests.last).request, same))
        #expect(stage.said.isEmpty)
        stage.pass(.seconds(31))
        stage.send(.history(voice: "af_sky", request: try #require(stage.effects.historyRequests.last).request, same))
        #expect(stage.said == [.audio(session: Self.id, [1])])
    }
}
