// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

/// Recordings that began by themselves, and end with the invitation where nobody has spoken.
@Suite struct HubInvitationTests {
    private static let id: HubSession.ID = "voice-1-a"
    private static let records = #"{"auto_record":true,"auto_end":true,"auto_interrupt":false}"#

    private static func recording() throws -> Stage {
        var stage = try Stage.connected(settings: records)
        try stage.hear("listening")
        #expect(HubSnapshot(stage.machine).microphone == .recording && stage.microphones.count == 1)
        return stage
    }

    private static let ends = [
        ("status", #""text":"Transcribing...""#), ("user_text", #""text":"theirs""#), ("done", ""),
        ("assistant_text", #""text":"Go on""#), ("audio", #""data":"//uQAQ==""#),
        ("session_status", #""state":"processing""#),
    ]

    @Test(arguments: ends)
    func `another client answers: a microphone into which nobody has spoken is closed`(type: String, members: String)
        throws
    {
        var stage = try Self.recording()
        try stage.hear(type, members)
        #expect(stage.effects.contains(.closeMicrophone(number: stage.microphones[0])))
        #expect(HubSnapshot(stage.machine).microphone == .closed && stage.machine.failure == nil)
        stage.send(.recorded(microphone: stage.microphones[0], nil, nil))
        #expect(stage.card.waitingAnswers == 0)
        // And what the agent says then is heard.
        try stage.hearSound(9)
        #expect(stage.plays > 0)
    }

    @Test(arguments: ends)
    func `what somebody has begun to say goes on and is kept`(type: String, members: String) throws {
        var stage = try Self.recording()
        stage.send(.spoke(microphone: stage.microphones[0]))
        try stage.hear(type, members)
        #expect(HubSnapshot(stage.machine).microphone == .recording)
        stage.send(.finishRecording)
        stage.send(.recorded(microphone: stage.microphones[0], [7], nil))
        #expect(stage.card.waitingAnswers == 1)
    }

    @Test(arguments: ends)
    func `nor is a recording closed that the person began, or asked for since`(type: String, members: String) throws {
        for isSince in [true, false] {
            var stage = try Stage.connected(settings: isSince ? Self.records : "{}")
            try stage.hear("listening")
            stage.send(.record)
            try stage.hear(type, members)
            #expect(HubSnapshot(stage.machine).microphone == .recording, "\(isSince)")
        }
    }

    @Test(arguments: [
        ("assistant_text", #""text":"By the way","fire_and_forget":true"#),
        ("user_text", #""text":"and quickly","interjection":true"#), ("thinking", ""), ("listening", ""),
        ("activity_text", #""text":"Reads""#),
    ])
    func `these end no invitation`(type: String, members: String) throws {
        var stage = try Self.recording()
        try stage.hear(type, members)
        #expect(HubSnapshot(stage.machine).microphone == .recording)
    }

    @Test func `an invitation that comes while a recording is made a clip records no second one`() throws {
        var stage = try Self.recording()
        stage.send(.spoke(microphone: stage.microphones[0]))
        stage.send(.finishRecording)
        try stage.hear("done")
        try stage.hear("listening")
        stage.send(.recorded(microphone: stage.microphones[0], [7], nil))
        #expect(stage.microphones.count == 1)
        #expect(stage.said == [.audio(session: Self.id, [7])])
    }

    @Test func `the next invitation records anew`() throws {
        var stage = try Self.recording()
        try stage.hear("status", #""text":"Transcribing...""#)
        stage.send(.recorded(microphone: stage.microphones[0], nil, nil))
        try stage.hear("done")
        try stage.hear("listening")
        #expect(stage.microphones.count == 2 && HubSnapshot(stage.machine).microphone == .recording)
    }

    @Test(arguments: [("Speaking...", false), ("Transcribing...", false), ("Listening...", true), ("", true)])
    func `a list behind a cut ends it where it shows that somebody else was heard`(text: String, isKept: Bool) throws {
        var stage = try Self.recording()
        stage.reconnect()
        #expect(HubSnapshot(stage.machine).microphone == .recording)
        try stage.list([Stage.session(Self.id, "af_sky", text: text)])
        #expect((HubSnapshot(stage.machine).microphone == .recording) == isKept)
    }

    @Test func `43321fe: listening and the end of the turn in one instant leave no microphone open`() throws {
        var stage = try Stage.connected(settings: Self.records)
        try stage.hearSound(1)
        try stage.hear("user_text", #""text":"wait","interjection":true"#)
        stage.send(.played(clip: stage.playing!, nil))
        try stage.hear("listening")
        try stage.hear("done", #""processing":true"#)
        #expect(HubSnapshot(stage.machine).microphone == .closed)
        try stage.hear("thinking")
        try stage.hear("assistant_text", #""text":"You said: wait""#)
        try stage.hearSound(2)
        #expect(stage.plays == 2)
    }
}
