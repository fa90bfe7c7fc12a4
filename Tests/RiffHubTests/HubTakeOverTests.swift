// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

/// When the microphone records, and for whom.
@Suite struct HubTakeOverTests {
    private static let id: HubSession.ID = "voice-1-a"
    private static let adam: HubSession.ID = "voice-2-b"
    private static let both = [Stage.session(id, "af_sky"), Stage.session(adam, "am_adam")]
    private static let records = #"{"auto_record":true,"auto_end":true,"auto_interrupt":false}"#

    @Test(arguments: [HubEvent.record, .interrupt])
    func `the microphone that waits for an interruption records when it is asked to`(event: HubEvent) throws {
        var stage = try Stage.connected(settings: #"{"auto_record":false,"auto_interrupt":true}"#)
        try stage.hearSound(1)
        let number = try #require(stage.microphones.first)
        stage.send(event)
        #expect(stage.effects.contains(.recordMicrophone(number: number)))
        #expect(stage.effects.contains(.stopPlaying(clip: stage.playing!)))
        #expect(stage.microphones.count == 1 && !stage.effects.contains(.closeMicrophone(number: number)))
        #expect(HubSnapshot(stage.machine).microphone == .recording)
        #expect(stage.said == [.playbackDone(session: Self.id)])
        stage.send(.recorded(microphone: number, [7], nil))
        #expect(stage.card.waitingAnswers == 1)
    }

    @Test func `it records once the words were heard, where the hub listens by then`() throws {
        var stage = try Stage.connected(settings: #"{"auto_record":true,"auto_interrupt":true}"#)
        try stage.hearSound(1)
        try stage.hear("listening")
        stage.send(.played(clip: stage.playing!, nil))
        #expect(stage.effects.contains(.recordMicrophone(number: stage.microphones[0])))
        #expect(stage.microphones.count == 1)
    }

    @Test func `a prompt that is repeated is one prompt`() throws {
        for event in [HubEvent.discardRecording, .recorded(microphone: 0, nil, Problem(code: "x", message: "x"))] {
            var stage = try Stage.connected(settings: Self.records)
            try stage.hear("listening")
            if case .recorded = event {
                stage.send(.recorded(microphone: stage.microphones[0], nil, Problem(code: "x", message: "x")))
                #expect(stage.machine.failure?.code == "x")
            } else {
                stage.send(event)
            }
            try stage.hear("listening")
            try stage.hear("listening")
            #expect(stage.microphones.count == 1)
            // The next one is another.
            try stage.hear("assistant_text", #""text":"And?""#)
            try stage.hear("listening")
            #expect(stage.microphones.count == 2)
        }
    }

    @Test func `who was muted when the hub began to listen is recorded once they are not`() throws {
        var stage = try Stage.connected(settings: Self.records)
        stage.send(.mute(true))
        try stage.hear("thinking")
        try stage.hear("listening")
        stage.send(.mute(false))
        // The hub was answered by silence already.
        #expect(stage.microphones.isEmpty)
        stage.send(.mute(true))
        try stage.hear("listening")
        // The next silence is not due yet.
        #expect(stage.microphones.isEmpty && stage.said.count == 1)
        stage.send(.mute(false))
        #expect(stage.microphones.count == 1)
    }

    @Test func `settings that come behind the prompt count`() throws {
        var stage = try Stage.connected()
        try stage.hear("listening")
        #expect(stage.microphones.isEmpty)
        stage.send(.settingsChanged(HubSettings(json: try #require(try JSONValue(parsing: Self.records).object))))
        #expect(stage.microphones.count == 1)
    }

    @Test func `one that was still in use records for the session that is open by then`() throws {
        var stage = try Stage.connected(Self.both, settings: Self.records)
        try stage.hear("listening", in: Self.adam)
        stage.send(.record)
        stage.send(.openSession(Self.adam))
        #expect(stage.microphones.count == 1)
        stage.send(.recorded(microphone: stage.microphones[0], [1], nil))
        #expect(stage.microphones.count == 2 && stage.card.waitingAnswers == 1)
    }

    @Test func `a session that was asked for before does not end what is said in another one`() throws {
        var stage = try Stage.connected([Self.both[0]], open: nil)
        stage.send(.open(voice: "am_adam"))
        stage.send(.open(voice: "af_sky"))
        stage.send(.record)
        let adam = try #require(HubSession(json: try JSONValue(parsing: Self.both[1])))
        stage.send(.spawned(voice: "am_adam", adam))
        #expect(stage.machine.openSession == Self.id)
        #expect(HubSnapshot(stage.machine).microphone == .recording)
        #expect(!stage.effects.contains(.finishMicrophone(number: stage.microphones[0])))
        #expect(HubSnapshot(stage.machine).card("am_adam")?.session == Self.adam)
    }
}
