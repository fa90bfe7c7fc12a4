// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// Older messages than a chat shows by itself.
@Suite(.timeLimit(.minutes(5))) struct HubOlderHistoryTests {
    private static func told(_ numbers: Range<Int>) -> [HubChatMessage] {
        numbers.map {
            HubChatMessage(.assistant, "\($0)", time: 1_000 + Double($0), id: HubChatMessage.ID(rawValue: "m\($0)"))
        }
    }

    @Test func `what is here is shown first, 50 at a time, and the hub is asked for the rest`() {
        var history = HubHistory()
        history.merge(Self.told(300..<450), askedAt: 0, hasMore: true)
        #expect(history.shown.first?.text == "400" && history.hasOlder)
        #expect(history.showOlder() == nil && history.shown.first?.text == "350")
        #expect(history.showOlder() == nil && history.shown.first?.text == "300")
        #expect(history.showOlder()?.id == "m300")
        history.prepend(Self.told(150..<300), hasMore: true)
        #expect(history.shown.first?.text == "250" && history.hasOlder)
        for _ in 1...2 { #expect(history.showOlder() == nil) }
        #expect(history.showOlder()?.id == "m150")
        history.prepend(Self.told(140..<150))
        #expect(history.shown.first?.text == "140" && !history.hasOlder && history.showOlder() == nil)
    }

    @Test func `a hub without pages has told all`() {
        var history = HubHistory()
        history.merge(Self.told(0..<120), askedAt: 0)
        for _ in 1...2 { #expect(history.hasOlder && history.showOlder() == nil) }
        #expect(history.shown.count == 120 && !history.hasOlder)
    }

    @Test func `no more than 1000 are shown, and 200 are kept once they are not looked at`() {
        var history = HubHistory()
        history.merge(Self.told(2_000..<2_150), askedAt: 0, hasMore: true)
        var oldest = 2_000
        while history.hasOlder {
            guard history.showOlder() != nil else { continue }
            history.prepend(Self.told(oldest - 150..<oldest), hasMore: true)
            oldest -= 150
        }
        #expect(history.shown.count == 1_000 && history.messages.count == 1_000)
        history.append(HubChatMessage(.assistant, "new"))
        #expect(history.messages.count == 1_000 && history.shown.last?.text == "new")
        history.showNewest()
        #expect(history.shown.count == 50 && history.messages.count == 200 && history.hasOlder)
    }

    @Test func `a page in which nothing is known leaves no gap before it`() {
        var history = HubHistory()
        history.merge(Self.told(0..<100), askedAt: 0, hasMore: true)
        history.merge(Self.told(500..<650), askedAt: history.mark, hasMore: true)
        #expect(history.messages.first?.text == "500" && history.hasOlder)
        history.merge(Self.told(600..<700), askedAt: history.mark, hasMore: true)
        #expect(history.messages.first?.text == "500" && history.messages.count == 200)
    }

    @Test func `a page that brings nothing is the last one`() {
        var history = HubHistory()
        history.merge(Self.told(0..<50), askedAt: 0, hasMore: true)
        #expect(history.showOlder() != nil)
        history.prepend(Self.told(0..<50), hasMore: true)
        #expect(!history.hasOlder)
    }

    @Test func `what was left away can be asked for again, and what is here is known to be all`() {
        var history = HubHistory()
        history.merge(Self.told(250..<400), askedAt: 0, hasMore: true)
        while history.hasOlder { if history.showOlder() != nil { history.prepend(Self.told(100..<250)) } }
        #expect(history.shown.count == 300)
        // The newest page is not all there is; what lies before it is here.
        history.merge(Self.told(250..<400), askedAt: history.mark, hasMore: true)
        #expect(history.shown.count == 300 && !history.hasOlder)
        history.showNewest()
        for _ in 1...3 { #expect(history.showOlder() == nil) }
        #expect(history.shown.count == 200 && history.showOlder()?.id == "m200")
    }

    // MARK: The whole client

    private static func paged() throws -> Stage {
        var stage = try Stage.connected()
        let request = try #require(stage.send(.refresh).historyRequests.last).request
        stage.send(.history(voice: "af_sky", request: request, HubService.HistoryPage(told(100..<150), hasMore: true)))
        stage.effects = []
        return stage
    }

    private static func requests(_ stage: Stage) -> [HubSequenceNumber] {
        stage.effects.compactMap { if case .fetchOlder(_, _, let request) = $0 { request } else { nil } }
    }

    @Test func `who left while older messages were on their way can ask for them again`() throws {
        var stage = try Self.paged()
        stage.send(.showOlder)
        stage.send(.showGrid)
        stage.send(.open(voice: "af_sky"))
        #expect(HubSnapshot(stage.machine).open?.isLoadingOlder == false)
        stage.send(.showOlder)
        #expect(Self.requests(stage).count == 2)
    }

    @Test func `older messages of the open session are asked for once, and shown`() throws {
        var stage = try Self.paged()
        #expect(HubSnapshot(stage.machine).open?.hasOlder == true)
        stage.send(.showOlder)
        stage.send(.showOlder)
        let request = try #require(Self.requests(stage).first)
        #expect(stage.effects == [.fetchOlder(voice: "af_sky", before: Self.told(100..<101)[0], request: request)])
        #expect(HubSnapshot(stage.machine).open?.isLoadingOlder == true)
        stage.send(
            .older(
                voice: "af_sky",
                request: HubSequenceNumber(rawValue: request.rawValue + 1),
                HubService.HistoryPage(Self.told(0..<50))
            )
        )
        #expect(HubSnapshot(stage.machine).open?.chat.count == 50)
        stage.send(.older(voice: "af_sky", request: request, HubService.HistoryPage(Self.told(50..<100))))
        let open = try #require(HubSnapshot(stage.machine).open)
        #expect(open.chat.count == 100 && !open.isLoadingOlder && !open.hasOlder)
        // The newest page again takes nothing of it away.
        let again = try #require(stage.send(.refresh).historyRequests.last).request
        stage.send(
            .history(voice: "af_sky", request: again, HubService.HistoryPage(Self.told(101..<151), hasMore: true))
        )
        #expect(HubSnapshot(stage.machine).open?.chat.count == 100)
        stage.send(.showGrid)
        stage.send(.open(voice: "af_sky"))
        #expect(HubSnapshot(stage.machine).open?.chat.count == 50)
    }

    @Test func `what fails can be asked for again, and what comes too late is not taken`() throws {
        var stage = try Self.paged()
        stage.send(.showOlder)
        stage.send(.historyFailed(voice: "af_sky", request: Self.requests(stage)[0]))
        #expect(HubSnapshot(stage.machine).open?.isLoadingOlder == false)
        stage.send(.showOlder)
        #expect(Self.requests(stage).count == 2)
        stage.send(.cleared(voice: "af_sky"))
        stage.send(
            .older(voice: "af_sky", request: Self.requests(stage)[1], HubService.HistoryPage(Self.told(50..<100)))
        )
        #expect(HubSnapshot(stage.machine).open?.chat == [])
        var grid = try Stage.connected(open: nil)
        #expect(grid.send(.showOlder).isEmpty)
    }

    @Test func `the client asks the hub for the page before the oldest message`() async throws {
        let sockets = ScriptedWebSocketTransport(whenEmpty: .accept())
        let http = HubStandIn { _, path, _ in
            switch path {
            case "/api/history/af_sky":
                (200, #"{"messages":[{"role":"assistant","text":"new","ts":2,"id":"m2"}],"has_more":true}"#)
            case "/api/history/af_sky?before=m2&limit=150":
                (200, #"{"messages":[{"role":"user","text":"old","ts":1,"id":"m1"}],"has_more":false}"#)
            default: nil
            }
        }
        try await withHub(try HubAddress("http://127.0.0.1:3460"), http: http, webSockets: sockets) { hub in
            try await sockets.nextPeer().list()
            await hub.shows { $0.card("af_sky")?.session != nil }
            await hub.open(voice: "af_sky")
            await hub.shows { $0.open?.hasOlder == true }
            await hub.showOlder()
            await hub.shows { $0.open?.chat.map(\.text) == ["old", "new"] }
            #expect(hub.current.open?.hasOlder == false)
        }
    }
}
