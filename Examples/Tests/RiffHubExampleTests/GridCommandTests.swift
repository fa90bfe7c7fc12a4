// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import RiffCore
import RiffHub
import Testing

import riff_hub

struct GridCommandTests {
    private static let commands: [(line: String, isOpen: Bool, command: GridCommand?)] = [
        ("", false, nil), ("  ", true, nil), ("1", false, .open("1")), ("sky", false, .open("sky")),
        ("1", true, .say("1")), ("hello  there", true, .say("hello  there")), ("/open  Sky", true, .open("Sky")),
        ("/grid", true, .showGrid), ("/answer a b.wav", true, .answer("a b.wav")),
        ("/answer", true, .unknown("/answer")),
        ("/record", true, .record), ("/send", true, .finish), ("/discard", true, .discard),
        ("/interrupt", true, .interrupt), ("/mute", false, .mute(true)), ("/unmute", false, .mute(false)),
        ("/mute now", false, .unknown("/mute")), ("/settings", false, .showSettings),
        ("/set model haiku", false, .set("model", "haiku")), ("/set model", false, .unknown("/set")),
        ("/speed 1.5", true, .speed(1.5)), ("/speed fast", true, .unknown("/speed")), ("/end", true, .end(nil)),
        ("/end echo", false, .end("echo")), ("/wait listening", true, .wait(nil, .listening)),
        ("/wait sky idle", true, .wait("sky", .idle)), ("/wait sky", true, .unknown("/wait")),
        ("/history", true, .history), ("/older", true, .older), ("/interject and fast", true, .interject("and fast")),
        ("/interject", true, .unknown("/interject")), ("/mode text", true, .mode(.text)),
        ("/mode loud", true, .unknown("/mode")), ("/clear", true, .clear), ("/refresh", true, .refresh),
        ("/help", true, .help),
        ("/quit", true, .leave), ("/say /quit", true, .say("/quit")), ("/nothing", true, .unknown("/nothing")),
    ]

    @Test(arguments: commands)
    func `lines are commands`(_ test: (line: String, isOpen: Bool, command: GridCommand?)) {
        #expect(GridCommand(test.line, isOpen: test.isOpen) == test.command)
    }

    private static let names: [(text: String, voice: HubVoice.ID?)] = [
        ("1", "af_sky"), ("7", "bm_fable"), ("8", nil), ("0", nil), ("-1", nil), ("am_echo", "am_echo"),
        ("Echo", "am_echo"), ("echo", "am_echo"), ("e", "am_echo"), ("s", nil), ("sk", "af_sky"), ("", nil), ("x", nil),
    ]

    @Test(arguments: names) func `a voice is meant by place, name or id`(_ test: (text: String, voice: HubVoice.ID?)) {
        #expect(HubSnapshot().card(meant: test.text)?.voice.id == test.voice)
    }

    private static let settings = HubSettings(json: [
        "model": "opus", "auto_record": true, "volume": 3, "cues": false, "tone": "warm", "odd": nil,
    ])

    private static let changes: [(name: String, value: String, json: JSONObject?)] = [
        ("model", "haiku", ["model": "haiku"]), ("auto_record", "off", ["auto_record": false]),
        ("auto_end", "true", ["auto_end": true]), ("auto_interrupt", "yes", ["auto_interrupt": true]),
        ("auto_end", "1", nil), ("volume", "4", ["volume": 4]), ("volume", "4.5", ["volume": 4.5]),
        ("volume", "x", nil),
        ("cues", "on", ["cues": true]), ("cues", "maybe", nil), ("tone", "cold as ice", ["tone": "cold as ice"]),
        ("odd", "x", nil), ("none", "x", nil),
    ]

    @Test(arguments: changes)
    func `a setting takes what it holds, and changes alone`(_ test: (name: String, value: String, json: JSONObject?))
        throws
    {
        if let json = test.json {
            #expect(try SettingsText.change(test.name, to: test.value, of: Self.settings).json == json)
        } else {
            #expect(throws: ExampleFailure.self) {
                try SettingsText.change(test.name, to: test.value, of: Self.settings)
            }
        }
    }

    @Test func `all settings are shown, those of every hub first`() {
        let text = SettingsText.all(Self.settings).map { "\($0.name)=\($0.value)" }
        #expect(
            text == [
                "model=opus", "auto_record=on", "auto_end=on", "auto_interrupt=off", "volume=3", "cues=off",
                "tone=warm",
                "odd=null",
            ]
        )
    }

    private static let chats: [(written: String, chat: String, news: String)] = [
        ("", "abc", "abc"), ("ab", "abc", "c"), ("a", "aa", "a"), ("abc", "abc", ""), ("abcd", "cdef", "ef"),
        ("c", "abcd", "d"), ("bc", "abcd", "d"), ("ab", "", ""), ("ab", "xy", "xy"), ("aab", "aba", "a"),
    ]

    @Test(arguments: chats) func `only new messages are written`(_ test: (written: String, chat: String, news: String))
    {
        func messages(_ text: String, time: Double?) -> [HubChatMessage] {
            text.map { HubChatMessage(.assistant, "\($0)", time: time) }
        }
        let news = GridLines.news(in: messages(test.chat, time: 1), after: messages(test.written, time: nil))
        #expect(news.map(\.text).joined() == test.news)
    }

    @Test func `each change is a line of its own, and no text makes two of one`() throws {
        var lines = GridLines()
        var snapshot = HubSnapshot()
        #expect(lines.take(snapshot).isEmpty)
        snapshot.connection = .connecting
        #expect(lines.take(snapshot) == ["connection\tconnecting"])
        let list = #"{"type":"session_list","sessions":[{"session_id":"x","voice":"af_sky","status":"ready"}]}"#
        #expect(lines.take(try HubSnapshot(after: [list])) == ["connection\tconnected", "card\taf_sky\tidle\t\t0"])
        let text = #"{"type":"assistant_text","session_id":"x","text":"two\nlines\tand a tab"}"#
        snapshot = try HubSnapshot(after: [list, text], open: "x")
        let expected = [
            "card\taf_sky\tspeaking\tSpeaking...\t0", "open\taf_sky", "message\taf_sky\tassistant\ttwo lines and a tab",
        ]
        #expect(lines.take(snapshot) == expected)
        #expect(lines.take(snapshot).isEmpty)
        snapshot = try HubSnapshot(after: [list, text, #"{"type":"session_terminated","session_id":"x"}"#])
        snapshot.isMuted = true
        #expect(lines.take(snapshot) == ["muted\ttrue", "card\taf_sky\tinactive\t\t0", "grid"])
    }
}
