// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffHTTP
import RiffHub
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

extension InTurn {
    /// A hub over sockets that is slow, refuses, or stalls. Time is a test's where it would be minutes.
    @Suite(.timeLimit(.minutes(5))) struct HubSocketTests {
        private static let session = #"{"session_id":"voice-1-a","voice":"af_sky","status":"ready","speed":1.0}"#

        /// Asks a hub over sockets, whose client's deadlines are counted by a clock that a test moves.
        private static func ask(
            _ clock: ManualClock,
            _ handler: @escaping LoopbackWebServer.Handler,
            _ body: @Sendable (HubService, LoopbackWebServer) async throws -> Void
        ) async throws {
            try await LoopbackWebServer.withServer(handler) { server in
                let http = try AsyncHTTPTransport(clock: clock)
                let result: Result<Void, any Error>
                do {
                    let service = HubService(try HubAddress("http://127.0.0.1:\(server.port)"), http: http)
                    result = .success(try await body(service, server))
                } catch { result = .failure(error) }
                await http.shutdown()
                try result.get()
            }
        }

        @Test func `a voice that takes 65 seconds to come is waited for, one that takes 121 is not`() async throws {
            for (seconds, comes) in [(65, true), (121, false)] {
                let clock = ManualClock()
                let (asked, answered) = (EventualValue<Void>(), EventualValue<Void>())
                try await Self.ask(clock) { request in
                    #expect(request.head.method == .post && request.head.path == "/api/sessions")
                    asked.resolve(())
                    await answered.value()
                    return .json(Self.session)
                } _: { service, _ in
                    async let spawned = service.spawn(voice: "af_sky")
                    await asked.value()
                    // The deadline's own wait.
                    await clock.sleepers(1)
                    clock.advance(by: .seconds(seconds))
                    if comes {
                        answered.resolve(())
                        let session = try await spawned
                        #expect(session.id == "voice-1-a")
                    } else {
                        do {
                            _ = try await spawned
                            Issue.record("It was waited for.")
                        } catch let error as HubError { #expect(error.code == .timedOut) }
                        answered.resolve(())
                    }
                }
            }
        }

        @Test(
            arguments: [
                (503, "busy", HubError.Code.voiceBusy), (504, "late", .spawnTimedOut), (500, "x", .hubFailed),
                (404, "x", .unsupported),
            ] as [(Int, String, HubError.Code)]
        )
        func `a voice that cannot be made is told by its status`(
            status: Int,
            words: String,
            code: HubError.Code
        ) async throws {
            try await Self.ask(ManualClock()) { _ in
                .json(#"{"error":"\#(words)"}"#, status: HTTPResponse.Status(code: status))
            } _: { service, _ in
                let error = await #expect(throws: HubError.self) { _ = try await service.spawn(voice: "af_sky") }
                #expect(error?.code == code && error?.status == status)
            }
        }

        @Test func `a connection that is cut while a voice is made is told`() async throws {
            try await Self.ask(ManualClock()) { _ in
                .drop
            } _: { service, _ in
                let error = await #expect(throws: HubError.self) { _ = try await service.spawn(voice: "af_sky") }
                #expect(error?.code == .connectionLost)
            }
        }

        @Test func `a history is read and cleared`() async throws {
            let history = Mutex(#"[{"role":"user","text":"Hello","ts":1.5}]"#)
            try await Self.ask(ManualClock()) { request in
                #expect(request.head.path == "/api/history/af_sky" && request.body.isEmpty)
                if request.head.method == .delete { history.withLock { $0 = "[]" } }
                return .json(#"{"messages":\#(history.withLock(\.self))}"#)
            } _: { service, server in
                #expect(try await service.history(of: "af_sky").messages.map(\.text) == ["Hello"])
                try await service.clearHistory(of: "af_sky")
                #expect(try await service.history(of: "af_sky").messages.isEmpty)
                #expect(server.requests.map(\.head.method) == [.get, .delete, .get])
            }
        }

        @Test func `a hub that stalls without closing is found dead, and connected to again`() async throws {
            let clock = ManualClock()
            let sockets = Mutex(0)
            let isEnded = Mutex(false)
            try await LoopbackWebServer.withServer { request in
                switch request.head.path ?? "" {
                case "/ws":
                    return .webSocket { socket in
                        sockets.withLock { $0 += 1 }
                        // It takes what comes, and never says a word: no ping, no list.
                        while try await socket.receive() != nil {}
                        isEnded.withLock { $0 = true }
                    }
                case "/api/sessions": return .json("[]")
                default: return .json("{}")
                }
            } body: { server in
                try await withHub(
                    try HubAddress("http://127.0.0.1:\(server.port)"),
                    http: try AsyncHTTPTransport(),
                    webSockets: try NIOWebSocketTransport(),
                    clock: clock
                ) { hub in
                    await hub.shows { $0.connection == .connected }
                    try await waitUntil { sockets.withLock(\.self) == 1 }
                    func isDead() -> Bool { isEnded.withLock(\.self) }
                    func count() -> Int { sockets.withLock(\.self) }
                    #expect(!isDead())
                    // Time goes on by seconds, each with a turn of the socket's: what is dialed has its time.
                    let http = try AsyncHTTPTransport()
                    let request = try HTTPBaseURL("http://127.0.0.1:\(server.port)").request(.get, "/turn")
                    var seconds = 0
                    while count() < 2, seconds < 600 {
                        await clock.sleepers(1)
                        clock.advance(by: .seconds(1))
                        seconds += 1
                        if seconds == 50 { #expect(!isDead()) }
                        _ = try await http.answer(to: request, upTo: 1_000)
                    }
                    await http.shutdown()
                    #expect(count() >= 2 && seconds < 600, "\(seconds)")
                    await hub.shows { $0.connection == .connected }
                }
            }
        }
    }
}
