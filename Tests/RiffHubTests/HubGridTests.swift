// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

@Suite struct HubGridTests {
    @Test func `the seven voices have their names and colors`() {
        #expect(
            HubVoice.all.map { "\($0.id) \($0.name) \($0.hexColor)" } == [
                "af_sky Sky #3a86ff", "af_alloy Alloy #e67e22", "af_sarah Sarah #e63946", "am_adam Adam #2ecc71",
                "am_echo Echo #9b59b6", "am_onyx Onyx #1abc9c", "bm_fable Fable #f1c40f",
            ]
        )
        #expect(HubVoice.named("am_adam").name == "Adam")
        #expect(HubVoice.named("zz").name == "zz" && HubVoice(id: "x", name: "x", color: 0xFF).hexColor == "#0000ff")
    }

    @Test func `a grid that knows nothing has all voices, none of them active`() {
        let snapshot = HubSnapshot()
        #expect(snapshot.cards.map(\.voice) == HubVoice.all)
        #expect(snapshot.cards.allSatisfy { $0.state == .inactive && $0.label.isEmpty && !$0.hasUnread })
        #expect(snapshot.connectionLabel == "Disconnected")
    }

    @Test func `a card goes through a turn`() throws {
        var stage = try Stage.connected()
        var seen: [String] = []
        func note() { seen.append("\(stage.card.state) \(stage.card.label)") }
        note()
        try stage.hear("thinking")
        note()
        try stage.hear("assistant_text", #""text":"Hi""#)
        try stage.hear("status", #""text":"Speaking...""#)
        note()
        try stage.hearSound(1)
        note()
        stage.send(.played(clip: stage.playing!, nil))
        try stage.hear("listening")
        note()
        stage.send(.record)
        note()
        stage.send(.recorded(microphone: stage.microphones[0], [1], nil))
        note()
        try stage.hear("user_text", #""text":"yes""#)
        note()
        #expect(
            seen == [
                "idle ", "thinking Thinking...", "speaking Speaking...", "speaking Playing...", "listening Tap Record",
                "listening Recording...", "transcribing Transcribing...", "thinking Thinking...",
            ]
        )
    }

    @Test func `states have colors: orange, blue and red`() throws {
        var stage = try Stage.connected()
        let idle = stage.card.stateColor
        try stage.hear("thinking")
        let thinking = stage.card.stateColor
        try stage.hear("status", #""text":"Speaking...""#)
        let speaking = stage.card.stateColor
        try stage.hear("listening")
        let listening = stage.card.stateColor
        #expect([idle, thinking, speaking, listening] == [0x8D99AE, 0xF39C12, 0x3A86FF, 0xE63946])
    }

    @Test func `the connection is shown as it goes`() {
        var stage = Stage()
        var seen: [String] = []
        for event in [
            HubConnectionMachine.Event.start, .opened(socket: 1), .closed(socket: 1), .foreground, .opened(socket: 2),
            .stop,
        ] {
            stage.send(.connection(event))
            seen.append(HubSnapshot(stage.machine).connectionLabel)
        }
        #expect(seen == ["Connecting...", "Connected", "Disconnected", "Connecting...", "Connected", "Disconnected"])
    }

    @Test func `the open session shows its last 50 messages`() throws {
        var stage = try Stage.connected()
        for number in 1...201 { try stage.hear("assistant_text", #""text":"\#(number)""#) }
        let chat = try #require(HubSnapshot(stage.machine).open?.chat)
        #expect(chat.count == 50 && chat.first?.text == "152" && chat.last?.text == "201")
        stage.send(.cleared(voice: "af_sky"))
        #expect(HubSnapshot(stage.machine).open?.chat == [])
    }

    @Test func `voices that are not of the seven have cards behind them`() throws {
        let stage = try Stage.connected(
            [Stage.session("voice-8-z", "zz_other"), Stage.session("voice-7-y", "am_echo")],
            open: nil
        )
        let cards = HubSnapshot(stage.machine).cards
        #expect(cards.count == 8 && cards.last?.session == "voice-8-z" && cards.last?.voice.name == "x")
    }

    @Test func `a card is marked for a text, for a sound and for an invitation, and never while it is open`() throws {
        for (type, members) in [
            ("assistant_text", #""text":"Hi""#), ("audio", #""data":"//uQAQ==""#), ("listening", ""),
        ] {
            var stage = try Stage.connected(open: nil)
            #expect(!stage.card.hasUnread)
            try stage.hear(type, members)
            #expect(stage.card.hasUnread, "\(type)")
            stage.send(.open(voice: "af_sky"))
            #expect(!stage.card.hasUnread, "\(type)")
        }
        // What comes into a recording waits, and is not unseen.
        var stage = try Stage.connected()
        stage.send(.record)
        try stage.hearSound(1)
        #expect(stage.card.waitingClips == 1 && !stage.card.hasUnread)
    }

    @Test func `what waits to be heard is shown, whatever the hub does meanwhile`() throws {
        var stage = try Stage.connected(open: nil)
        try stage.hearSound(1)
        try stage.hear("done")
        #expect(stage.card.label == "Waiting to be heard" && stage.card.state == .speaking)
    }

    @Test func `a session that is gone and was not heard yields to another one of its voice`() throws {
        var stage = try Stage.connected(
            [Stage.session("voice-1-a", "af_sky"), Stage.session("voice-2-b", "af_sky")],
            open: nil
        )
        try stage.hearSound(1, in: "voice-2-b")
        try stage.hear("session_terminated", in: "voice-2-b")
        #expect(stage.card.session == "voice-1-a")
    }

    @Test func `a grid tells no sessions from sessions that are not known yet`() throws {
        #expect(!HubSnapshot().areSessionsKnown)
        var stage = Stage()
        stage.send(.connection(.start))
        stage.send(.connection(.opened(socket: 1)))
        #expect(!HubSnapshot(stage.machine).areSessionsKnown)
        try stage.list([])
        #expect(HubSnapshot(stage.machine).areSessionsKnown)
        stage.send(.refresh)
        let early = try #require(stage.effects.sessionRequests.last)
        stage.reconnect()
        #expect(!HubSnapshot(stage.machine).areSessionsKnown)
        // It was asked for before the cut.
        stage.send(.sessions(request: early, []))
        #expect(!HubSnapshot(stage.machine).areSessionsKnown)
        stage.pass(.seconds(15))
        stage.send(.sessions(request: try #require(stage.effects.sessionRequests.last), []))
        #expect(HubSnapshot(stage.machine).areSessionsKnown)
    }
}
