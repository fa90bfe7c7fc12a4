// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

/// What comes live and is told by a history, in either order, is there once.
@Suite struct HubHistoryArrivalTests {
    enum Step: Sendable, Equatable {
        /// It comes live.
        case live(String)
        /// It comes live behind something else.
        case later(String)
        case told([String])
    }

    private static func message(_ text: String, time: Double? = nil) -> HubChatMessage {
        HubChatMessage(text.hasPrefix("u") ? .user : .assistant, text, time: time)
    }

    private static func page(_ texts: [String]) -> [HubChatMessage] {
        texts.enumerated().map { message($1, time: 100 + Double($0)) }
    }

    private static func take(_ step: Step, into history: inout HubHistory) {
        switch step {
        case .live(let text): history.append(message(text))
        case .later(let text): history.append(message(text), unlessRepeated: false)
        case .told(let texts): history.merge(page(texts), askedAt: history.mark)
        }
    }

    @Test(arguments: [
        ("told first, all of it", [Step.told(["a1", "u2"]), .live("a1"), .live("u2")], ["a1", "u2"]),
        ("told first, the end of it", [.told(["a1", "u2"]), .live("u2")], ["a1", "u2"]),
        ("live first", [.live("a1"), .live("u2"), .told(["a1", "u2"])], ["a1", "u2"]),
        (
            "one before, two behind", [.live("a1"), .told(["a1", "u2", "a3"]), .live("u2"), .live("a3")],
            ["a1", "u2", "a3"]
        ),
        ("each twice", [.told(["a1", "u2"]), .live("a1"), .live("a1"), .live("u2"), .live("u2")], ["a1", "u2"]),
        ("told twice", [.told(["a1", "u2"]), .live("a1"), .told(["a1", "u2"]), .live("u2")], ["a1", "u2"]),
        ("a new one between", [.told(["a1", "u2"]), .live("a1"), .live("u2"), .live("a3")], ["a1", "u2", "a3"]),
        (
            "told, and said again later", [.live("a1"), .live("u2"), .told(["a1", "u2"]), .live("a1")],
            ["a1", "u2", "a1"]
        ),
        (
            "said again behind something new", [.told(["a1", "u2"]), .live("a3"), .live("u2")],
            ["a1", "u2", "a3", "u2"]
        ),
        ("twice live, with something between", [.live("a1"), .later("a1")], ["a1", "a1"]),
        ("twice live, with nothing between", [.live("a1"), .live("a1")], ["a1"]),
        ("twice live and told twice", [.live("a1"), .later("a1"), .told(["a1", "a1"])], ["a1", "a1"]),
        // Which of the two it was, only the next history tells.
        (
            "the second one told first",
            [.live("a1"), .told(["a1", "a1"]), .later("a1"), .told(["a1", "a1"])], ["a1", "a1"]
        ),
        // Only a history can tell this from a message that was on its way.
        (
            "the same words as before, told", [.told(["a1", "u2"]), .live("a1"), .told(["a1", "u2", "a1"])],
            ["a1", "u2", "a1"]
        ),
        (
            "the same words a third time",
            [.told(["a1", "u2"]), .live("a1"), .told(["a1", "u2", "a1"]), .later("a1")], ["a1", "u2", "a1", "a1"]
        ),
        (
            "the same words as before, then new ones",
            [
                .told(["a1", "u2"]), .live("a1"), .told(["a1", "u2", "a1"]), .live("u2"),
                .told(["a1", "u2", "a1", "u2"]),
            ],
            ["a1", "u2", "a1", "u2"]
        ),
    ])
    func `a message is shown once for each time that it was said`(name: String, steps: [Step], texts: [String]) {
        var history = HubHistory()
        for step in steps { Self.take(step, into: &history) }
        #expect(history.shown.map(\.text) == texts, "\(name)")
    }

    @Test func `what only a history can tell is marked until it has`() {
        var history = HubHistory()
        Self.take(.told(["a1", "u2"]), into: &history)
        #expect(history.append(Self.message("a1")) == .uncertain)
        #expect(history.isUncertain)
        let mark = history.mark
        #expect(history.merge(Self.page(["a1", "u2"]), askedAt: mark) == 0)
        #expect(!history.isUncertain && history.mark == mark)
        #expect(history.append(Self.message("u2")) == .uncertain)
        #expect(history.merge(Self.page(["a1", "u2", "u2"]), askedAt: mark) == 1)
    }

    @Test func `an id on one side is enough to be found, and on both it decides`() {
        var history = HubHistory()
        history.merge([HubChatMessage(.assistant, "a1", time: 1, id: "m1")], askedAt: 0)
        #expect(history.append(HubChatMessage(.assistant, "a1")) == .uncertain)
        #expect(history.append(HubChatMessage(.assistant, "a1", id: "m1")) == .known)
        #expect(history.append(HubChatMessage(.assistant, "a1", id: "m2")) == .added)
    }

    @Test func `a clear forgets what was expected`() {
        var history = HubHistory()
        Self.take(.told(["a1"]), into: &history)
        history.clear()
        #expect(history.append(Self.message("a1")) == .added)
    }

    @Test(arguments: [["a1", "u2", "a3", "u4", "a5"], ["a1", "u2", "a1", "u2", "a1"]])
    func `wherever a client begins to listen, and whenever a history comes, nothing is missing or twice`(
        said: [String]
    ) {
        for start in 0...said.count {
            for heard in start...said.count {
                for told in heard...said.count {
                    var history = HubHistory()
                    for text in said[start..<heard] { Self.take(.later(text), into: &history) }
                    Self.take(.told(Array(said[..<told])), into: &history)
                    for text in said[heard...] {
                        Self.take(.later(text), into: &history)
                        // Where the same was said several times, only the last history tells.
                        if Set(said).count < said.count { continue }
                        #expect(Set(history.messages.map(\.text)).count == history.messages.count)
                    }
                    Self.take(.told(said), into: &history)
                    #expect(history.messages.map(\.text) == said, "from \(start), \(heard) heard, \(told) told")
                }
            }
        }
    }

    // MARK: The whole client

    @Test func `a message that a history told before it came is shown once, and asked about`() throws {
        var stage = try Stage.connected()
        stage.send(.refresh)
        let told = [HubChatMessage(.assistant, "Hi", time: 1), HubChatMessage(.user, "yes", time: 2)]
        try stage.tellHistory(told)
        stage.effects = []
        try stage.hear("assistant_text", #""text":"Hi""#)
        #expect(HubSnapshot(stage.machine).open?.chat.map(\.text) == ["Hi", "yes"])
        #expect(stage.effects.historyRequests.map(\.voice) == ["af_sky"])
        // It was said again.
        try stage.tellHistory(told + [HubChatMessage(.assistant, "Hi", time: 3)])
        #expect(HubSnapshot(stage.machine).open?.chat.map(\.text) == ["Hi", "yes", "Hi"])
    }

    @Test func `where that history fails it is asked for again with the sessions`() throws {
        var stage = try Stage.connected()
        stage.send(.refresh)
        try stage.tellHistory([HubChatMessage(.assistant, "Hi", time: 1)])
        try stage.hear("assistant_text", #""text":"Hi""#)
        let request = try #require(stage.effects.historyRequests.last).request
        stage.send(.historyFailed(voice: "af_sky", request: request))
        stage.effects = []
        stage.pass(.seconds(15))
        #expect(stage.effects.historyRequests.count == 1)
    }

    @Test(arguments: [("audio", #""data":"//uQAQ==""#), ("done", ""), ("listening", "")])
    func `the same words behind something else were said again`(type: String, members: String) throws {
        var stage = try Stage.connected()
        try stage.hear("assistant_text", #""text":"Still working""#)
        try stage.hear("assistant_text", #""text":"Still working""#)
        try stage.hear(type, members)
        try stage.hear("assistant_text", #""text":"Still working""#)
        #expect(HubSnapshot(stage.machine).open?.chat.count == 2)
    }

    @Test func `what was on its way when the connection was lost does not come any more`() throws {
        var stage = try Stage.connected()
        stage.send(.refresh)
        try stage.tellHistory([HubChatMessage(.assistant, "Hi", time: 1)])
        stage.reconnect()
        try stage.list([Stage.session("voice-1-a", "af_sky")])
        stage.send(.openSession("voice-1-a"))
        try stage.hear("assistant_text", #""text":"Hi""#)
        #expect(HubSnapshot(stage.machine).open?.chat.map(\.text) == ["Hi", "Hi"])
    }
}
