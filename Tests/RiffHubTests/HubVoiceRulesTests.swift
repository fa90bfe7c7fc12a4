// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHub
import Testing

/// Playing, recording and leaving, in the whole client: each rule by itself.
@Suite struct HubVoiceRulesTests {
    private static let id: HubSession.ID = "voice-1-a"
    private static let adam: HubSession.ID = "voice-2-b"
    private static let both = [Stage.session(id, "af_sky"), Stage.session(adam, "am_adam")]
    private static let records = #"{"auto_record":true,"auto_end":true,"auto_interrupt":false}"#
    private static let interrupts = #"{"auto_record":false,"auto_interrupt":true}"#

    // MARK: Playing

    @Test(arguments: [
        ("user_text", #""text":"theirs""#), ("status", #""text":"Transcribing...""#), ("done", ""),
        ("session_terminated", ""),
    ])
    func `a turn that went on elsewhere is not told that its sound was played`(type: String, members: String) throws {
        var stage = try Stage.connected()
        try stage.hearSound(1)
        try stage.hear(type, members)
        stage.send(.played(clip: stage.playing!, nil))
        #expect(stage.said.isEmpty)
    }

    @Test func `nor is one whose session rests in a new list`() throws {
        for (text, isTold) in [("Listening...", false), ("Transcribing...", false), ("Speaking...", true)] {
            var stage = try Stage.connected()
            try stage.hearSound(1)
            stage.reconnect()
            try stage.list([Stage.session(Self.id, "af_sky", text: text)])
            try stage.tellHistory([])
            stage.send(.played(clip: stage.playing!, nil))
            #expect(stage.said == (isTold ? [.playbackDone(session: Self.id)] : []), "\(text)")
        }
    }

    @Test func `the same sound behind other words is another clip`() throws {
        var stage = try Stage.connected(open: nil)
        try stage.hearSound(1)
        try stage.hearSound(1)
        #expect(stage.card.waitingClips == 1)
        try stage.hear("assistant_text", #""text":"Again""#)
        try stage.hearSound(1)
        #expect(stage.card.waitingClips == 2)
    }

    @Test func `what an earlier session of the name said and nobody heard comes first`() throws {
        var stage = try Stage.connected(open: nil)
        try stage.hearSound(1)
        try stage.hear("session_terminated")
        try stage.hear(json: #"{"type":"session_spawned","session":\#(Self.both[0])}"#)
        try stage.hearSound(2)
        #expect(stage.card.waitingClips == 2)
    }

    @Test func `nothing is played into a recording, but after it`() throws {
        var stage = try Stage.connected()
        stage.send(.record)
        try stage.hearSound(1)
        #expect(stage.plays == 0)
        stage.send(.discardRecording)
        #expect(stage.plays == 1)
    }

    @Test func `what somebody else played is not what is played here`() throws {
        var stage = try Stage.connected()
        try stage.hearSound(1)
        stage.send(.played(clip: stage.playing! + 100, nil))
        #expect(stage.card.label == "Playing..." && stage.said.isEmpty)
        stage.send(.played(clip: stage.playing!, nil))
        #expect(stage.said == [.playbackDone(session: Self.id)])
    }

    @Test func `a session whose words were all played is idle until the hub says more`() throws {
        var stage = try Stage.connected()
        try stage.hearSound(1)
        stage.send(.played(clip: stage.playing!, nil))
        #expect(stage.card.state == .idle)
    }

    @Test func `sounds beyond what is kept are counted and told`() throws {
        var stage = try Stage.connected(open: nil)
        let half = [UInt8](repeating: 1, count: HubSpeechQueue.limitBytes / 2)
        for mark in 1...3 as ClosedRange<UInt8> {
            #expect(stage.machine.failure == nil)
            let data = Data([mark] + half.dropFirst()).base64EncodedString()
            try stage.hear("audio", #""data":"\#(data)""#)
        }
        #expect(stage.card.missedClips == 1 && stage.card.waitingClips == 2)
        #expect(stage.machine.failure?.code == "hub.speechFull")
    }

    // MARK: Speaking into it

    @Test func `nobody is interrupted where nobody speaks, and nobody is told of it who does not wait`() throws {
        var silent = try Stage.connected()
        silent.send(.interrupt)
        #expect(silent.effects.isEmpty)
        var done = try Stage.connected()
        try done.hearSound(1)
        try done.hear("done")
        done.send(.interrupt)
        #expect(done.said.isEmpty && done.microphones.count == 1)
        #expect(done.effects.contains(.stopPlaying(clip: done.playing!)))
    }

    @Test func `only the microphone that listens in interrupts, and a muted one does not listen`() throws {
        var stage = try Stage.connected(settings: Self.interrupts)
        try stage.hearSound(1)
        stage.send(.interrupted(microphone: stage.microphones[0] + 100))
        #expect(HubSnapshot(stage.machine).microphone == .watching && stage.card.label == "Playing...")
        stage.send(.mute(true))
        #expect(stage.effects.contains(.closeMicrophone(number: stage.microphones[0])))
        var muted = try Stage.connected(settings: Self.interrupts)
        muted.send(.mute(true))
        try muted.hearSound(1)
        #expect(muted.plays == 1 && muted.microphones.isEmpty)
    }

    @Test func `a microphone that listened in and broke is closed, and says why`() throws {
        var stage = try Stage.connected(settings: Self.interrupts)
        try stage.hearSound(1)
        let failure = Problem(code: "voice.x", message: "no microphone")
        stage.send(.recorded(microphone: stage.microphones[0], nil, failure))
        #expect(HubSnapshot(stage.machine).microphone == .closed && stage.machine.failure == failure)
        #expect(stage.card.label == "Playing...")
    }

    // MARK: Leaving

    @Test func `who leaves hears nothing more, and all of it again on the way back`() throws {
        var stage = try Stage.connected()
        try stage.hearSound(1)
        try stage.hearSound(2)
        let first = try #require(stage.playing)
        stage.send(.showGrid)
        #expect(stage.effects.last == .stopPlaying(clip: first) && stage.card.waitingClips == 2)
        stage.send(.open(voice: "af_sky"))
        #expect(stage.playing == first && stage.plays == 2)
    }

    @Test func `who leaves while they speak has answered, and while they listen closes the microphone`() throws {
        var stage = try Stage.connected()
        stage.send(.record)
        stage.send(.showGrid)
        #expect(stage.effects.contains(.finishMicrophone(number: stage.microphones[0])))
        stage.send(.recorded(microphone: stage.microphones[0], [7], nil))
        #expect(stage.card.waitingAnswers == 1)
        var watching = try Stage.connected(settings: Self.interrupts)
        try watching.hearSound(1)
        watching.send(.showGrid)
        #expect(watching.effects.contains(.closeMicrophone(number: watching.microphones[0])))
    }

    @Test func `the invitation of a session that is left is shown in the grid, and records when it opens`() throws {
        var stage = try Stage.connected()
        try stage.hear("listening")
        stage.send(.showGrid)
        #expect(stage.card.isPending && stage.card.hasUnread)
        stage.send(.settingsChanged(HubSettings(json: ["auto_record": true])))
        stage.send(.open(voice: "af_sky"))
        #expect(stage.microphones.count == 1 && !stage.card.isPending)
    }

    @Test func `a session that ends closes its microphone`() throws {
        var recording = try Stage.connected()
        recording.send(.record)
        try recording.hear("session_terminated")
        #expect(recording.effects.contains(.closeMicrophone(number: recording.microphones[0])))
        #expect(HubSnapshot(recording.machine).microphone == .closed)
        var watching = try Stage.connected(settings: Self.interrupts)
        try watching.hearSound(1)
        try watching.hear("session_terminated")
        #expect(watching.effects.contains(.closeMicrophone(number: watching.microphones[0])))
    }

    @Test func `a session that ended is not returned to, though another of its name listens`() throws {
        for isEnded in [true, false] {
            var stage = try Stage.connected([Self.both[0]])
            stage.reconnect()
            try stage.list([Self.both[0]])
            #expect(stage.machine.openSession == nil)
            if isEnded {
                try stage.hear("session_terminated")
                try stage.hear(json: #"{"type":"session_spawned","session":\#(Self.both[0])}"#)
            }
            try stage.hear("listening")
            #expect(stage.machine.openSession == (isEnded ? nil : Self.id))
        }
    }

    // MARK: Recording

    @Test func `a session that is not open records nobody`() throws {
        var stage = try Stage.connected(Self.both, settings: Self.records)
        try stage.hear("listening", in: Self.adam)
        #expect(stage.microphones.isEmpty && HubSnapshot(stage.machine).card("am_adam")?.isPending == true)
    }

    @Test func `an invitation that came into the agent's words records once they were heard`() throws {
        var stage = try Stage.connected(settings: Self.records)
        try stage.hearSound(1)
        try stage.hear("listening")
        #expect(stage.microphones.isEmpty)
        stage.send(.played(clip: stage.playing!, nil))
        #expect(stage.microphones.count == 1)
    }

    @Test func `nobody is recorded by themselves who is muted, has answered, or has not asked for it`() throws {
        var muted = try Stage.connected(settings: Self.records)
        muted.send(.mute(true))
        try muted.hear("listening")
        #expect(muted.microphones.isEmpty)
        var answered = try Stage.connected(settings: Self.records)
        answered.send(.answer(session: Self.id, .clip([1])))
        try answered.hear("listening")
        try answered.hear("listening")
        #expect(answered.microphones.isEmpty)
        var manual = try Stage.connected()
        try manual.hear("listening")
        #expect(manual.microphones.isEmpty)
    }

    @Test func `to record stops the agent's words, and takes an old failure away`() throws {
        var stage = try Stage.connected()
        try stage.hearSound(1)
        stage.send(.failed(Problem(code: "hub.x", message: "x")))
        stage.send(.record)
        #expect(stage.effects.contains(.stopPlaying(clip: stage.playing!)) && stage.machine.failure == nil)
        #expect(stage.card.waitingClips == 0 && stage.said == [.playbackDone(session: Self.id)])
        stage.send(.record)
        #expect(stage.microphones.count == 1)
    }

    // MARK: Unread

    @Test func `what is said in the open session is read, whatever a list counts`() throws {
        let counted = Stage.session(Self.id, "af_sky", more: #","unread_count":3"#)
        var stage = try Stage.connected([counted])
        try stage.hear("assistant_text", #""text":"Hi""#)
        #expect(stage.card.unread == 0)
        try stage.list([counted])
        #expect(stage.card.unread == 0)
        stage.send(.showGrid)
        try stage.list([counted])
        #expect(stage.card.unread == 3)
        // Its last count came before this.
        try stage.hear("assistant_text", #""text":"More""#)
        #expect(stage.card.unread == 4)
    }

    @Test func `what was said in a session until it is left was read, and the hub is told`() throws {
        let counted = Stage.session(Self.id, "af_sky", more: #","unread_count":0"#)
        var stage = try Stage.connected([counted])
        try stage.hear("assistant_text", #""text":"Hi""#)
        stage.send(.showGrid)
        #expect(stage.effects.contains(.markRead(session: Self.id, isOpen: false)))
        var uncounted = try Stage.connected()
        uncounted.send(.showGrid)
        #expect(!uncounted.effects.contains(.markRead(session: Self.id, isOpen: false)))
    }

    @Test func `a count that is newer than a list stays`() throws {
        let counted = Stage.session(Self.id, "af_sky", more: #","unread_count":1"#)
        let list = [try #require(HubSession(json: try JSONValue(parsing: counted)))]
        var stage = try Stage.connected([counted], open: nil)
        let old = try #require(stage.send(.refresh).sessionRequests.first)
        try stage.hear("assistant_text", #""text":"More""#)
        #expect(stage.card.unread == 2)
        stage.send(.sessions(request: old, list))
        #expect(stage.card.unread == 2)
        let new = try #require(stage.send(.refresh).sessionRequests.first)
        stage.send(.openSession(Self.id))
        stage.send(.showGrid)
        stage.send(.sessions(request: new, list))
        #expect(stage.card.unread == 0)
        stage.send(.sessions(request: try #require(stage.send(.refresh).sessionRequests.first), list))
        #expect(stage.card.unread == 1)
    }

    @Test func `what the agent does is the words of an idle card`() throws {
        var stage = try Stage.connected()
        try stage.hear("activity_text", #""text":"Reads a file""#)
        #expect(stage.card.label == "Reads a file")
    }
}
