// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import Testing

/// Numbers that no hub says, from one that says them.
@Suite struct HubNumbersTests {
    private static let id: HubSession.ID = "voice-1-a"
    private static let extremes = [
        "0", "-1", "2147483648", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e308",
        "-1e308", "1e999", "null", #""nan""#, #""""#, String(repeating: "9", count: 400),
    ]

    @Test(arguments: extremes)
    func `an extreme number in any place is taken, and the client goes on`(number: String) throws {
        let more =
            #","unread_count":\#(number),"created_at":\#(number),"last_activity":\#(number),"speed":\#(number)"#
        var stage = try Stage.connected([Stage.session(Self.id, "af_sky", more: more)], open: nil)
        for count in 1...3 {
            try stage.hear("assistant_text", #""text":"words \#(count)","msg_id":\#(number)"#)
            #expect(stage.card.unread >= 0)
        }
        let word = #"{"word":"a","start_time":\#(number),"end_time":\#(number)}"#
        try stage.hear("audio", #""data":"//uQAQ==","words":[\#(word)],"msg_id":\#(number)"#)
        try stage.hear("listening", #""state":\#(number)"#)
        let message = try JSONValue(parsing: #"{"role":"user","text":"x","ts":\#(number),"id":\#(number)}"#)
        let page = HubService.HistoryPage([HubChatMessage(json: message)].compactMap(\.self))
        stage.send(.openSession(Self.id))
        let request = try #require(stage.effects.historyRequests.last).request
        stage.send(.history(voice: "af_sky", request: request, page))
        stage.send(.showOlder)
        stage.send(.answer(session: Self.id, .clip([1])))
        stage.reconnect()
        try stage.list([Stage.session(Self.id, "af_sky", more: more)])
        stage.pass(.seconds(100))
        #expect(HubSnapshot(stage.machine).open != nil || stage.machine.openSession == nil)
    }

    @Test func `a count that is as large as can be stays so`() throws {
        let more = #","unread_count":9223372036854775807"#
        var stage = try Stage.connected([Stage.session(Self.id, "af_sky", more: more)], open: nil)
        #expect(stage.card.unread == .max)
        try stage.hear("assistant_text", #""text":"one more""#)
        #expect(stage.card.unread == .max)
    }

    @Test func `a count below nothing is none`() throws {
        let more = #","unread_count":-9223372036854775808"#
        let stage = try Stage.connected([Stage.session(Self.id, "af_sky", more: more)], open: nil)
        #expect(stage.card.unread == 0)
    }
}
