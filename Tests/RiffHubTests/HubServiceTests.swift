// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffHub
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct HubServiceTests {
    private static let session = #"{"session_id":"voice-1-a","voice":"af_sky","status":"ready","speed":1.0}"#

    private static func service(_ replies: ScriptedHTTPTransport.Reply...) throws -> (HubService, ScriptedHTTPTransport)
    {
        let http = ScriptedHTTPTransport(replies)
        return (HubService(try HubAddress("http://127.0.0.1:3460"), http: http), http)
    }

    private static func page(_ status: HTTPResponse.Status = .ok) -> ScriptedHTTPTransport.Reply {
        .response(HTTPResponse(status: status, headerFields: [.contentType: "text/html"]), chunks: [Array("<p>".utf8)])
    }

    private static func code(_ body: () async throws -> Void) async -> HubError.Code? {
        do {
            try await body()
            return nil
        } catch { return (error as? HubError)?.code }
    }

    @Test(arguments: [
        ("hub:3460", "https://hub:3460", "wss://hub:3460/ws"), ("http://hub", "http://hub", "ws://hub/ws"),
        ("ws://hub:3460/ws", "http://hub:3460", "ws://hub:3460/ws"),
        ("wss://hub/voice/", "https://hub/voice", "wss://hub/voice/ws"),
        ("HTTPS://Hub/", "https://hub", "wss://hub/ws"), ("[::1]:3460", "https://[::1]:3460", "wss://[::1]:3460/ws"),
    ])
    func `addresses are understood as people type them`(text: String, server: String, socket: String) throws {
        let address = try HubAddress(text)
        #expect(address.server.description == server)
        #expect(address.socket.description == socket)
    }

    @Test(arguments: ["", "ftp://hub", "http://", "http://a b", "http://u:p@hub", "http://hub?x=1", "hub:99999"])
    func `what is no address is refused without being quoted`(text: String) {
        #expect { try HubAddress(text) } throws: {
            ($0 as? HubError)?.code == .addressInvalid && ($0 as? HubError)?.message.contains("u:p") == false
        }
    }

    @Test func `the content type of every body is exactly application json`() async throws {
        let (service, http) = try Self.service(
            .json(Self.session),
            .json(#"{"voice":"am_adam"}"#),
            .json(#"{"speed":1.5}"#),
            .json(#"{"model":"haiku"}"#)
        )
        _ = try await service.spawn(voice: "af_sky")
        try await service.setVoice("am_adam", of: "voice-1-a")
        try await service.setSpeed(1.5, of: "voice-1-a")
        try await service.change(HubSettings.Change(model: "haiku"))
        #expect(
            http.requests.map { $0.head.headerFields[.contentType] } == Array(repeating: "application/json", count: 4)
        )
        #expect(
            http.requests.map(\.head.path) == [
                "/api/sessions", "/api/sessions/voice-1-a/voice", "/api/sessions/voice-1-a/speed", "/api/settings",
            ]
        )
        #expect(
            http.requests.map { String(decoding: $0.body, as: UTF8.self) } == [
                #"{"voice":"af_sky"}"#, #"{"voice":"am_adam"}"#, #"{"speed":1.5}"#, #"{"model":"haiku"}"#,
            ]
        )
    }

    @Test func `a spawn is waited for, 90 seconds at least`() async throws {
        let (service, http) = try Self.service(.json(Self.session))
        #expect(try await service.spawn(voice: "af_sky").id == "voice-1-a")
        let deadlines = try #require(http.requests.first?.deadlines)
        #expect(deadlines.total == .seconds(120) && deadlines.idle == .seconds(120))
        #expect(HubService.Timing(spawn: .seconds(5)).spawn == .seconds(90))
    }

    @Test(arguments: [
        (503, HubError.Code.voiceBusy), (504, .spawnTimedOut), (500, .hubFailed), (404, .unsupported),
        (401, .unauthorized), (422, .refused),
    ])
    func `a spawn that fails says why`(status: Int, code: HubError.Code) async throws {
        let text = #"{"error":"Voice af_sky already has an active session"}"#
        let (service, _) = try Self.service(.json(text, status: HTTPResponse.Status(code: status)))
        #expect(await Self.code { _ = try await service.spawn(voice: "af_sky") } == code)
    }

    @Test func `what failed on the way has its own code`() async throws {
        for (transport, code) in [
            (TransportError.Code.httpNeverConnected, HubError.Code.unreachable), (.timeout, .timedOut),
            (.connectionLost, .connectionLost), (.outputTooLarge, .answerTooLarge),
        ] {
            let (service, _) = try Self.service(.failure(TransportError(transport, "x")))
            #expect(await Self.code { _ = try await service.sessions() } == code)
        }
        let (malformed, _) = try Self.service(.json("{}"), .json("[{"), Self.page())
        #expect(await Self.code { _ = try await malformed.sessions() } == .answerMalformed)
        #expect(await Self.code { _ = try await malformed.sessions() } == .answerMalformed)
        #expect(await Self.code { _ = try await malformed.sessions() } == .unsupported)
    }

    @Test func `what an older hub does not have is no error where there is an answer`() async throws {
        let absent = ScriptedHTTPTransport.Reply.json(#"{"detail":"Not Found"}"#, status: .notFound)
        let (service, _) = try Self.service(absent, absent, absent, Self.page(.notFound), absent)
        #expect(try await service.markRead(session: "a") == false)
        #expect(try await service.setViewing(session: "a") == false)
        #expect(try await service.usage() == nil)
        #expect(await Self.code { _ = try await service.transcribe(AudioClip([1], encoding: .wav)) } == .unsupported)
        #expect(await Self.code { _ = try await service.speech(of: "x") } == .unsupported)
    }

    @Test func `a history is read, and asked for in pages where it has them`() async throws {
        let text =
            #"{"voice_id":"af_sky","messages":[{"role":"user","text":"x","ts":5.5,"id":"m/1"},{"text":"y"}],"has_more":true}"#
        let (service, http) = try Self.service(.json(text), .json(text), .json(text), .json(#"{"status":"cleared"}"#))
        let page = try await service.history(of: "af_sky")
        #expect(page == HubService.HistoryPage([HubChatMessage(.user, "x", time: 5.5, id: "m/1")], hasMore: true))
        _ = try await service.history(of: "af_sky", before: page.messages[0])
        _ = try await service.history(of: "a b", before: HubChatMessage(.user, "x", time: 5.5))
        try await service.clearHistory(of: "af_sky")
        #expect(
            http.requests.map(\.head.path) == [
                "/api/history/af_sky", "/api/history/af_sky?before=m%2F1&limit=150",
                "/api/history/a%20b?before_ts=5.5&limit=150", "/api/history/af_sky",
            ]
        )
        #expect(http.requests.last?.head.method == .delete)
    }

    @Test func `settings keep what is not known, and a change holds only what changes`() async throws {
        let (service, http) = try Self.service(.json(#"{"model":"opus","auto_end":false,"thinking_sounds":true}"#))
        let settings = try await service.change(
            HubSettings.Change(recordsByItself: true, others: ["thinking_sounds": false])
        )
        #expect(try JSONValue(parsing: http.requests[0].body) == ["thinking_sounds": false, "auto_record": true])
        #expect(http.requests[0].head.method == .put)
        #expect(!settings.endsByItself && settings.json["thinking_sounds"] == true)
    }

    @Test func `speech goes both ways, and its kind is told by its bytes`() async throws {
        let wav = try WAVWriter.file([0, 0], format: .speech)
        let (service, http) = try Self.service(
            .json(#"{"text":"hello"}"#),
            .response(HTTPResponse(status: .ok, headerFields: [.contentType: "audio/mpeg"]), chunks: [wav])
        )
        #expect(try await service.transcribe(AudioClip([0, 0], encoding: .pcm(.speech))).text == "hello")
        #expect(http.requests[0].head.headerFields[.contentType] == "audio/wav")
        #expect(http.requests[0].body == wav)
        #expect(try await service.speech(of: "hello", voice: "af_sky").encoding == .wav)
        #expect(try JSONValue(parsing: http.requests[1].body) == ["text": "hello", "voice": "af_sky"])
    }

    @Test func `the newest kind of hub is recognized where the older ones have their settings`() async throws {
        let (service, http) = try Self.service(Self.page(.notFound), .json(#"{"voice":"x"}"#))
        #expect(await Self.code { _ = try await service.settings() } == .generationUnsupported)
        #expect(http.requests.map(\.head.path) == ["/api/settings", "/api/voice/settings"])
        let (other, _) = try Self.service(Self.page(.notFound), Self.page(.notFound))
        #expect(await Self.code { _ = try await other.settings() } == .unsupported)
    }

    @Test func `a speed that is none is refused here, since the hub fails at it`() async throws {
        let (service, http) = try Self.service()
        for speed in [0, -1, Double.nan, .infinity] {
            #expect(await Self.code { try await service.setSpeed(speed, of: "a") } == .commandInvalid)
        }
        #expect(http.requests.isEmpty)
    }
}
