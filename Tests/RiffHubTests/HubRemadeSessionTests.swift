// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

/// Sessions that end and come again under their ids.
@Suite struct HubRemadeSessionTests {
    private static let id: HubSession.ID = "voice-1-a"

    private static let words = [
        ("listening", ""), ("thinking", ""), ("assistant_text", #""text":"Back""#),
        ("session_status", #""state":"idle""#),
    ]

    @Test(arguments: words, ["af_sky", "zz"] as [HubVoice.ID])
    func `one that speaks again keeps its card, with what was not heard`(
        word: (type: String, members: String),
        voice: HubVoice.ID
    ) throws {
        var stage = try Stage.connected([Stage.session(Self.id, voice)], open: nil)
        let before = HubSnapshot(stage.machine)
        try stage.hearSound(1)
        try stage.hear("session_terminated")
        try stage.hear(word.type, word.members)
        let snapshot = HubSnapshot(stage.machine)
        #expect(snapshot.cards.map(\.voice) == before.cards.map(\.voice))
        let card = try #require(snapshot.card(voice))
        #expect(card.session == Self.id && card.waitingClips == 1)
        #expect(stage.effects.sessionRequests.count == 1)
    }

    @Test(arguments: [true, false])
    func `one that is listed as dead, and still heard, is not listened to`(isAsked: Bool) throws {
        let idle = #","state":"idle","in_wait":true"#
        var stage = try Stage.connected([Stage.session(Self.id, "af_sky", more: idle)])
        try stage.hearSound(1)
        let dead = Stage.session(Self.id, "af_sky", status: "dead", more: idle)
        if isAsked {
            let request = try #require(stage.send(.refresh).sessionRequests.first)
            let session = try #require(HubSession(json: try JSONValue(parsing: dead)))
            stage.send(.sessions(request: request, [session]))
        } else {
            try stage.list([dead])
        }
        let open = try #require(HubSnapshot(stage.machine).open)
        #expect(open.id == Self.id && !open.isInvited && stage.card.state == .speaking)
    }

    @Test(arguments: [(1, true), (2, false), (nil, true)] as [(Int?, Bool)], [true, false])
    func `one whose agent said goodbye is ended once that was heard, and not the one that was made since`(
        made: (time: Int?, isEnded: Bool),
        isCut: Bool
    ) throws {
        func session(_ time: Int?) -> String {
            Stage.session(Self.id, "af_sky", more: time.map { #","created_at":\#($0)"# } ?? "")
        }
        var stage = try Stage.connected([session(1)], open: nil)
        try stage.hearSound(1)
        try stage.hear("session_ended")
        if isCut { stage.reconnect() }
        try stage.list([session(made.time)])
        stage.send(.open(voice: "af_sky"))
        stage.send(.played(clip: try #require(stage.playing), nil))
        #expect(stage.effects.contains(.terminate(session: Self.id)) == made.isEnded)
    }
}
