// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHub
import Testing

/// What the REST interface's answers do in the whole client: each rule by itself.
@Suite struct HubRestRulesTests {
    private static let id: HubSession.ID = "voice-1-a"
    private static let sky = Stage.session(id, "af_sky")
    private static let failure = Problem(code: "hub.unauthorized", message: "401")

    private static func sessions(_ texts: [String]) throws -> [HubSession] {
        try texts.map { try #require(HubSession(json: try JSONValue(parsing: $0))) }
    }

    // MARK: Settings

    @Test func `what was asked for before a change does not undo it`() throws {
        var stage = try Stage.connected()
        let old = try #require(stage.send(.refresh).settingsRequests.first)
        stage.send(.settingsChanged(HubSettings(json: ["model": "haiku"])))
        stage.send(.settings(request: old, HubSettings(json: ["model": "opus"])))
        #expect(stage.machine.settings.model == "haiku")
        let new = try #require(stage.send(.refresh).settingsRequests.first)
        stage.send(.settings(request: new, HubSettings(json: ["model": "sonnet"])))
        #expect(stage.machine.settings.model == "sonnet")
    }

    @Test func `another client's change is seen within 15 seconds`() throws {
        var stage = try Stage.connected()
        stage.pass(.seconds(15))
        let request = try #require(stage.effects.settingsRequests.last)
        stage.send(.settings(request: request, HubSettings(json: ["model": "haiku"])))
        #expect(stage.machine.settings.model == "haiku")
    }

    // MARK: Lists

    @Test func `an older list does not bring back a session that ended since`() throws {
        var stage = try Stage.connected(open: nil)
        let old = try #require(stage.send(.refresh).sessionRequests.first)
        try stage.hear("session_terminated")
        stage.send(.sessions(request: old, try Self.sessions([Self.sky])))
        #expect(stage.card.session == nil)
        // Hubs with one session for each voice use its name again.
        let new = try #require(stage.send(.refresh).sessionRequests.first)
        stage.send(.sessions(request: new, try Self.sessions([Self.sky])))
        #expect(stage.card.session == Self.id)
    }

    @Test func `a state in an older list does not undo what was told since`() throws {
        var stage = try Stage.connected([Stage.session(Self.id, "af_sky", more: #","state":"idle""#)], open: nil)
        let old = try #require(stage.send(.refresh).sessionRequests.first)
        try stage.hear("session_status", #""state":"processing","status_text":"Processing...""#)
        let list = try Self.sessions([Stage.session(Self.id, "af_sky", more: #","state":"idle""#)])
        stage.send(.sessions(request: old, list))
        #expect(stage.card.state == .thinking)
        // Nor does what is done then listen.
        try stage.hear("done", #""processing":false"#)
        #expect(stage.card.label != "Tap Record")
    }

    @Test func `a list that is older than what was told invites nobody`() throws {
        let idle = Stage.session(Self.id, "af_sky", more: #","state":"idle""#)
        var stage = try Stage.connected([idle])
        let old = try #require(stage.send(.refresh).sessionRequests.first)
        for clip: UInt8 in [1, 2] { stage.send(.answer(session: Self.id, .clip([clip]))) }
        // The first one was taken, and the agent works with it; its state says so a moment later.
        try stage.hear("user_text", #""text":"yes""#)
        stage.send(.sessions(request: old, try Self.sessions([idle])))
        #expect(stage.said == [.audio(session: Self.id, [1])])
    }

    @Test func `a list that says of a session that works that it is idle does not end its work`() throws {
        let idle = Stage.session(Self.id, "af_sky", more: #","state":"idle""#)
        var stage = try Stage.connected([Stage.session(Self.id, "af_sky", more: #","state":"processing""#)])
        let request = try #require(stage.send(.refresh).sessionRequests.first)
        stage.send(.sessions(request: request, try Self.sessions([idle])))
        #expect(stage.card.state == .thinking)
    }

    @Test func `a session that shortens what it remembers works`() throws {
        let stage = try Stage.connected([Stage.session(Self.id, "af_sky", more: #","state":"compacting""#)], open: nil)
        #expect(stage.card.state == .thinking)
    }

    @Test func `an open session that has another voice now is asked for that one's history`() throws {
        var stage = try Stage.connected()
        let request = try #require(stage.send(.refresh).sessionRequests.first)
        stage.effects = []
        stage.send(.sessions(request: request, try Self.sessions([Stage.session(Self.id, "am_adam")])))
        #expect(stage.effects.historyRequests.map(\.voice) == ["am_adam"])
    }

    // MARK: Failures

    @Test func `lists and settings that fail are shown while the connection stands, until they are there`() throws {
        var stage = try Stage.connected()
        let lists = stage.send(.refresh)
        let list = try #require(lists.sessionRequests.first)
        stage.send(.sessionsFailed(request: list, Self.failure))
        #expect(stage.machine.failure == Self.failure)
        let other = Problem(code: "hub.hubFailed", message: "500")
        stage.send(.settingsFailed(other))
        #expect(stage.machine.failure == other)
        stage.pass(.seconds(15))
        let settings = try #require(stage.effects.settingsRequests.last)
        stage.send(.settings(request: settings, HubSettings(json: ["model": "opus"])))
        #expect(stage.machine.failure == Self.failure)
        let next = try #require(stage.effects.sessionRequests.last)
        stage.send(.sessions(request: next, try Self.sessions([Self.sky])))
        #expect(stage.machine.failure == nil)
        // Without a connection that is what is shown.
        stage.send(.connection(.closed(socket: 1)))
        stage.send(.settingsFailed(other))
        #expect(stage.machine.failure == nil)
    }

    @Test func `a goodbye whose session the hub does not end is asked for again with the next list`() throws {
        var stage = try Stage.connected()
        try stage.hear("session_ended")
        #expect(stage.effects.count { $0 == .terminate(session: Self.id) } == 1)
        stage.send(.endFailed(session: Self.id, Self.failure))
        #expect(stage.machine.failure == Self.failure)
        stage.pass(.seconds(14))
        #expect(stage.effects.count { $0 == .terminate(session: Self.id) } == 1)
        stage.pass(.seconds(1))
        #expect(stage.effects.count { $0 == .terminate(session: Self.id) } == 2)
    }

    @Test func `what cannot be said at all is dropped and told, not sent again`() throws {
        var stage = try Stage.connected()
        try stage.hear("listening")
        stage.send(.answer(session: Self.id, .clip([1])))
        let number = try #require(stage.machine.sentAnswer(in: Self.id))
        stage.send(.unsayable(session: Self.id, answer: number, Self.failure))
        #expect(stage.card.waitingAnswers == 0 && stage.machine.failure == Self.failure)
        try stage.hear("listening")
        #expect(stage.said.count == 1)
    }

    // MARK: Bounds

    @Test func `unknown messages are counted, and the newest of them kept`() throws {
        var stage = try Stage.connected()
        for number in 1...20 { try stage.hear(json: #"{"type":"weather","n":\#(number)}"#) }
        let large = String(repeating: "x", count: 70_000)
        try stage.hear(json: #"{"type":"weather","n":21,"x":"\#(large)"}"#)
        let snapshot = HubSnapshot(stage.machine)
        #expect(snapshot.unknownFrames == 21)
        #expect(snapshot.unknownMessages.map { $0["n"]?.integer } == (13...20).map { $0 })
    }

    private static func session(of voice: HubVoice.ID) -> HubSession.ID { HubSession.ID(rawValue: "s-\(voice)") }

    @Test func `what all sessions hold of sound is bounded`() throws {
        let voices: [HubVoice.ID] = ["af_sky", "af_alloy", "af_sarah", "am_adam", "am_echo", "am_onyx", "bm_fable"]
        var stage = try Stage.connected(voices.map { Stage.session(Self.session(of: $0), $0) }, open: nil)
        let bytes = [UInt8](repeating: 1, count: HubSpeechQueue.limitBytes)
        let data = Data(bytes).base64EncodedString()
        for voice in voices { try stage.hear("audio", #""data":"\#(data)""#, in: Self.session(of: voice)) }
        let cards = HubSnapshot(stage.machine).cards
        let waiting = cards.reduce(0) { $0 + $1.waitingClips }
        let missed = cards.reduce(0) { $0 + $1.missedClips }
        #expect(waiting == HubMachine.speechBytes / HubSpeechQueue.limitBytes && missed == 3)
        #expect(stage.machine.failure?.code == "hub.speechFull")
    }

    // MARK: Recordings that are being finished

    @Test func `one that is being finished can be discarded, and its clip is none`() throws {
        var stage = try Stage.connected()
        stage.send(.record)
        stage.send(.finishRecording)
        stage.send(.discardRecording)
        let number = stage.microphones[0]
        #expect(stage.effects.contains(.closeMicrophone(number: number)))
        // Its clip may have been under way already.
        stage.send(.recorded(microphone: number, [1], nil))
        #expect(stage.card.waitingAnswers == 0 && HubSnapshot(stage.machine).microphone == .closed)
    }

    @Test func `who records while one is being finished records behind it`() throws {
        var stage = try Stage.connected()
        stage.send(.record)
        stage.send(.finishRecording)
        stage.send(.record)
        #expect(stage.microphones.count == 1)
        stage.send(.recorded(microphone: stage.microphones[0], [1], nil))
        #expect(stage.microphones.count == 2 && stage.card.waitingAnswers == 1)
        #expect(HubSnapshot(stage.machine).microphone == .recording)
        // Not where they thought better of it.
        for event in [HubEvent.discardRecording, .mute(true), .showGrid] {
            var other = try Stage.connected()
            other.send(.record)
            other.send(.finishRecording)
            other.send(.record)
            other.send(event)
            other.send(.recorded(microphone: other.microphones[0], [1], nil))
            #expect(other.microphones.count == 1)
        }
    }
}
