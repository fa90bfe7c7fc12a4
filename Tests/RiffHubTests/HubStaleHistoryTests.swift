// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffHub
import Testing

/// Behind a cut the history is asked for before the next answer is sent.
@Suite struct HubStaleHistoryTests {
    private static let id: HubSession.ID = "voice-1-a"
    private static let before = [HubChatMessage(.assistant, "Hi", time: 1)]
    /// The cut kept these from the client.
    private static let after =
        before + [HubChatMessage(.user, "what", time: 2), HubChatMessage(.assistant, "That.", time: 3)]

    private static func cutOnce() throws -> Stage {
        var stage = try Stage.connected()
        stage.send(.refresh)
        try stage.tellHistory(before)
        stage.reconnect()
        try stage.list([Stage.session(id, "af_sky")])
        try stage.hear("listening")
        stage.send(.answer(session: id, .clip([1])))
        return stage
    }

    @Test func `what a cut kept from the client is not taken for the answer behind it`() throws {
        var stage = try Self.cutOnce()
        #expect(stage.said.isEmpty)
        try stage.tellHistory(Self.after)
        #expect(stage.said == [.audio(session: Self.id, [1])])
        stage.effects = []
        // The answer is lost with this connection: the history is as long as it was.
        stage.reconnect()
        try stage.list([Stage.session(Self.id, "af_sky")])
        try stage.tellHistory(Self.after)
        try stage.hear("listening")
        #expect(stage.said == [.audio(session: Self.id, [1])])
    }

    @Test func `a history that fails is asked for again, and holds an answer back for ten seconds at most`() throws {
        var stage = try Self.cutOnce()
        let asked = stage.effects.historyRequests.count
        for second in 1...9 {
            let request = try #require(stage.effects.historyRequests.last).request
            stage.send(.historyFailed(voice: "af_sky", request: request))
            stage.pass(.seconds(1))
            #expect(stage.effects.historyRequests.count == asked + second)
        }
        #expect(stage.said.isEmpty)
        stage.pass(.seconds(2))
        #expect(stage.said == [.audio(session: Self.id, [1])])
    }
}
