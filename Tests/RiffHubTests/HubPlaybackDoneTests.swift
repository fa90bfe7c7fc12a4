// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

/// That the hub hears that all was played, whatever happens to the connection and to the session.
@Suite struct HubPlaybackDoneTests {
    private static let id: HubSession.ID = "voice-1-a"
    private static let done = HubCommand.playbackDone(session: id)
    private static let speaks = Stage.session(id, "af_sky", text: "Speaking...")

    @Test(arguments: [true, false])
    func `what ended without a connection is told behind it, while the hub waits`(isWaiting: Bool) throws {
        var stage = try Stage.connected()
        try stage.hearSound(1)
        stage.send(.connection(.closed(socket: 1)))
        stage.send(.played(clip: stage.playing!, nil))
        stage.send(.connection(.foreground))
        stage.socket = 2
        stage.send(.connection(.opened(socket: 2)))
        try stage.list([isWaiting ? Self.speaks : Stage.session(Self.id, "af_sky", text: "Listening...")])
        #expect(stage.said.isEmpty)
        try stage.tellHistory([])
        #expect(stage.said == (isWaiting ? [Self.done] : []))
    }

    @Test func `what was told into a dying connection is told again, until the hub shows that it knows`() throws {
        for (type, members) in [
            ("", ""), ("listening", ""), ("user_text", #""text":"theirs""#), ("status", #""text":"Transcribing...""#),
            ("done", ""),
        ] {
            var stage = try Stage.connected()
            try stage.hearSound(1)
            stage.send(.played(clip: stage.playing!, nil))
            if !type.isEmpty { try stage.hear(type, members) }
            stage.reconnect()
            try stage.list([Self.speaks])
            try stage.tellHistory([])
            #expect(stage.said.count { $0 == Self.done } == (type.isEmpty ? 2 : 1), "\(type)")
        }
    }

    private static let first = HubChatMessage(.assistant, "One", time: 1)
    private static let theirs = HubChatMessage(.user, "theirs", time: 2)

    @Test(arguments: [
        ([first], true), ([first, theirs, HubChatMessage(.assistant, "Two", time: 3)], false),
        // The same words are not the same sound.
        ([first, theirs, HubChatMessage(.assistant, "One", time: 3)], false),
    ])
    func `what another client heard meanwhile is not ended by what was heard here`(
        history: [HubChatMessage],
        isTold: Bool
    ) throws {
        for (isPlayed, isListFirst) in [(true, true), (true, false), (false, true), (false, false)] {
            var stage = try Stage.connected()
            try stage.hear("assistant_text", #""text":"One""#)
            try stage.hearSound(1)
            if isPlayed { stage.send(.played(clip: stage.playing!, nil)) }
            stage.reconnect()
            let before = stage.said.count
            if isListFirst { try stage.list([Self.speaks]) }
            try stage.tellHistory(history)
            if !isListFirst { try stage.list([Self.speaks]) }
            if !isPlayed { stage.send(.played(clip: stage.playing!, nil)) }
            #expect(stage.said.count - before == (isTold ? 1 : 0), "\(isPlayed) \(isListFirst)")
            // Once is enough.
            stage.pass(.seconds(20))
            #expect(stage.said.count - before == (isTold ? 1 : 0))
        }
    }

    @Test func `a person who speaks into it before the history is there ends nothing else`() throws {
        var stage = try Stage.connected()
        try stage.hear("assistant_text", #""text":"One""#)
        try stage.hearSound(1)
        stage.reconnect()
        try stage.list([Self.speaks])
        stage.send(.interrupt)
        #expect(stage.said.isEmpty)
        try stage.tellHistory([Self.first])
        #expect(stage.said == [Self.done])
    }

    @Test func `who has heard nothing does not end what another client plays`() throws {
        var stage = try Stage.connected([Self.speaks])
        stage.reconnect()
        try stage.list([Self.speaks])
        #expect(stage.said.isEmpty)
    }

    @Test func `the same sound behind a cut is another clip`() throws {
        var stage = try Stage.connected()
        try stage.hear("assistant_text", #""text":"Okay.""#)
        try stage.hearSound(1)
        stage.send(.played(clip: stage.playing!, nil))
        stage.reconnect()
        try stage.list([Self.speaks])
        try stage.hearSound(1)
        // The agent speaks where the person was: it opens again.
        #expect(stage.machine.openSession == Self.id && stage.plays == 2)
    }

    // MARK: Sessions that ended

    @Test func `what one that ended said is heard with the next one of its voice`() throws {
        let next = Stage.session("voice-2-b", "af_sky", text: "Speaking...")
        var stage = try Stage.connected(open: nil)
        try stage.hearSound(1)
        try stage.hear("session_terminated")
        #expect(stage.card.waitingClips == 1)
        // Known by its sound first, and by its voice later.
        try stage.hearSound(2, in: "voice-2-b")
        try stage.list([next])
        #expect(stage.card.session == "voice-2-b" && stage.card.waitingClips == 2)
        stage.send(.open(voice: "af_sky"))
        let clips = stage.effects.compactMap { if case .play(let clip, _) = $0 { clip.audio.bytes.last } else { nil } }
        #expect(clips == [1])
        stage.send(.played(clip: stage.playing!, nil))
        #expect(stage.said.isEmpty)
        stage.send(.played(clip: stage.playing!, nil))
        #expect(stage.said == [.playbackDone(session: "voice-2-b")])
    }

    @Test func `one that is heard to its end is left where it is`() throws {
        var stage = try Stage.connected()
        try stage.hearSound(1)
        try stage.hear("session_terminated")
        try stage.list([Stage.session("voice-2-b", "af_sky")])
        #expect(stage.machine.openSession == Self.id && stage.plays == 1)
        stage.send(.played(clip: stage.playing!, nil))
        #expect(stage.machine.openSession == nil)
    }

    @Test func `what one said that the person ends is not kept`() throws {
        var stage = try Stage.connected()
        try stage.hearSound(1)
        try stage.hearSound(2)
        stage.send(.end(session: Self.id))
        // The hub's message can come before its answer.
        try stage.hear("session_terminated")
        stage.send(.ended(session: Self.id))
        #expect(stage.effects.contains(.stopPlaying(clip: stage.playing!)))
        #expect(stage.card.session == nil && stage.card.waitingClips == 0)
    }

    @Test func `of what is taken over the oldest does not fit`() {
        func sound(_ mark: UInt8, _ size: Int) -> HubAudio {
            HubAudio([mark] + [UInt8](repeating: 0, count: size - 1), words: [], id: nil)
        }
        let third = HubSpeechQueue.limitBytes / 3
        var earlier = HubSpeechQueue()
        for number in 1...2 { _ = earlier.append(sound(UInt8(number), third), number: number) }
        var queue = HubSpeechQueue()
        for number in 3...4 { _ = queue.append(sound(UInt8(number), third), number: number) }
        #expect(earlier.count == 2 && queue.count == 2)
        queue.inherit(earlier)
        #expect(queue.count == 3 && queue.missed == 1)
        let next = queue.next()?.number
        #expect(next == 2)
    }
}
