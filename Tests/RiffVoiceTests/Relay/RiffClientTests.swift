// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffHTTP
import RiffServer
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct RiffClientTests {
        @Test(arguments: ["nan", "-nan", "inf", "-inf", "1e999", "", "soon"])
        func `a server's time that is no number is none`(text: String) async throws {
            var head = HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"])
            head.headerFields[.riffTimestamp] = text
            let http = ScriptedHTTPTransport([.response(head, chunks: [Array(#"{"status":"ok"}"#.utf8)])])
            #expect(try await RelayClient.make(http).health().time == nil)
        }

        @Test func `the recorded exchanges are asked and understood`() async throws {
            for exchange in try RiffFixtures.exchanges() where exchange.response.status == 200 {
                let body = exchange.response.body.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",")
                let http = ScriptedHTTPTransport([.json("{\(body)}")])
                let client = try RelayClient.make(http)
                if exchange.request.method == "GET" {
                    #expect(try await client.health().status == exchange.response.body["status"])
                } else {
                    let clip = AudioClip(Array(exchange.request.body.utf8), encoding: .m4a)
                    #expect(try await client.transcribe(clip).text == exchange.response.body["transcript"])
                }
                let sent = try #require(http.requests.first)
                #expect(sent.head.method.rawValue == exchange.request.method)
                #expect(sent.head.path == exchange.request.path)
                #expect(String(decoding: sent.body, as: UTF8.self) == exchange.request.body)
                for (name, value) in exchange.request.headers where name != "X-Riff-Session-Id" {
                    #expect(sent.head.headerFields[try #require(HTTPField.Name(name))] == value)
                }
            }
        }

        @Test func `the deadlines are 1,5 s to connect, 95 s of silence and 150 s in all`() async throws {
            let http = ScriptedHTTPTransport([.json(#"{"status":"ok"}"#)])
            _ = try await RelayClient.make(http).health()
            let expected = HTTPDeadlines(connect: .milliseconds(1500), idle: .seconds(95), total: .seconds(150))
            #expect(http.requests.map(\.deadlines) == [expected])
        }

        @Test(arguments: [
            (400, "requestRefused", nil), (401, "wrongSecret", Recovery.openSettings(.riffSecret)),
            (404, "notRiffServer", .openSettings(.riffServer)), (413, "audioTooLarge", nil),
            (502, "recognitionFailed", .retry), (503, "recognitionUnavailable", nil),
            (504, "recognitionTimeout", .retry), (500, "serverFailed", .retry), (302, "serverFailed", .retry),
            (204, "serverFailed", .retry),
        ])
        func `every status has its own error`(status: Int, code: String, recovery: Recovery?) async throws {
            let http = ScriptedHTTPTransport([.json(#"{"error":"secret inside"}"#, status: .init(code: status))])
            let error = await #expect(throws: VoiceError.self) {
                _ = try await RelayClient.make(http).transcribe(RelayClient.clip)
            }
            #expect(error?.stableCode == "voice.\(code)")
            #expect(error?.recovery == recovery)
            #expect(error?.localizedDescription == error?.message)
            #expect(error?.message.contains("secret inside") == false)
            #expect(http.requests.count == 1)
        }

        @Test func `503 with Retry-After is a busy server`() async throws {
            let head = HTTPResponse(status: .serviceUnavailable, headerFields: [.retryAfter: "2"])
            let http = ScriptedHTTPTransport([.response(head, chunks: [])])
            let error = await #expect(throws: VoiceError.self) {
                _ = try await RelayClient.make(http).transcribe(RelayClient.clip)
            }
            #expect(error?.code == .serverBusy)
        }

        @Test(arguments: [
            ("text/html", "<html>"), ("application/json", "{"), ("application/json", "{}"), ("application/json", "[1]"),
            ("application/json", #"{"transcript":7}"#), ("", #"{"transcript":"x"}"#),
        ])
        func `200 that is no transcript is not a Riff server`(type: String, body: String) async throws {
            let head = HTTPResponse(status: .ok, headerFields: [.contentType: type])
            let http = ScriptedHTTPTransport([.response(head, chunks: [Array(body.utf8)])])
            let error = await #expect(throws: VoiceError.self) {
                _ = try await RelayClient.make(http).transcribe(RelayClient.clip)
            }
            #expect(error?.code == .notRiffServer)
        }

        @Test func `unknown members and parameters of the media type are ignored`() async throws {
            let head = HTTPResponse(status: .ok, headerFields: [.contentType: "Application/JSON ; charset=utf-8"])
            let http = ScriptedHTTPTransport([.response(head, chunks: [Array(#"{"a":1,"transcript":"é"}"#.utf8)])])
            #expect(try await RelayClient.make(http).transcribe(RelayClient.clip).text == "é")
        }

        @Test(arguments: [
            (TransportError.Code.httpNeverConnected, 2, "serverUnreachable"), (.timeout, 1, "serverTimeout"),
            (.connectionLost, 1, "serverConnectionLost"), (.tlsFailed, 1, "serverUnreachable"),
            (.httpMalformed, 1, "notRiffServer"),
        ])
        func `only what never connected is tried again`(code: TransportError.Code, tries: Int, shown: String)
            async throws
        {
            let failure = ScriptedHTTPTransport.Reply.failure(TransportError(code, "scripted"))
            let http = ScriptedHTTPTransport([failure, failure, failure])
            let error = await #expect(throws: VoiceError.self) {
                _ = try await RelayClient.make(http).transcribe(RelayClient.clip)
            }
            #expect(error?.code.rawValue == shown)
            #expect(http.requests.count == tries)
        }

        @Test func `what cannot be taken is refused before anything is sent`() async throws {
            let http = ScriptedHTTPTransport()
            let tooMany = [UInt8](repeating: 0, count: RiffContract.audioLimitBytes + 1)
            for (clip, code) in [
                (AudioClip(tooMany, encoding: .wav), VoiceError.Code.audioTooLarge),
                (AudioClip([], encoding: .wav), .emptyAudio),
                (AudioClip([], encoding: .pcm(.speech)), .emptyAudio),
            ] {
                let error = await #expect(throws: VoiceError.self) {
                    _ = try await RelayClient.make(http).transcribe(clip)
                }
                #expect(error?.code == code)
            }
            #expect(http.requests.isEmpty)
        }

        @Test func `what a recorder recorded is sent as a WAV file`() async throws {
            let http = ScriptedHTTPTransport([.json(#"{"transcript":"yes"}"#)])
            let samples = AudioClip([1, 2, 3, 4], encoding: .pcm(.speech))
            #expect(try await RelayClient.make(http).transcribe(samples).text == "yes")
            let sent = try #require(http.requests.first)
            #expect(sent.head.headerFields[.contentType] == "audio/wav")
            #expect(sent.body == (try samples.asFile().bytes))
        }

        @Test func `cancellation comes out as it is`() async throws {
            let http = ScriptedHTTPTransport([.never])
            let client = try RelayClient.make(http)
            let task = Task { try await client.transcribe(RelayClient.clip) }
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
        }

        #if HTTPClient
        @Test func `a server that says nothing gets the request exactly once`() async throws {
            try await RawHTTPServer.withServer([.readHead, .readBody(14), .awaitClose]) { server in
                try await AsyncHTTPTransport.withTransport { http in
                    let timing = RiffClient.Timing(silence: .seconds(1))
                    let client = try RelayClient.make(http, port: server.port, timing: timing)
                    let error = await #expect(throws: VoiceError.self) {
                        _ = try await client.transcribe(RelayClient.clip)
                    }
                    #expect(error?.code == .serverTimeout)
                    try await server.closed()
                    #expect(server.connectionCount == 1)
                    let sent = String(decoding: server.received(), as: UTF8.self)
                    #expect(sent.split(separator: "POST ", omittingEmptySubsequences: false).count == 2)
                    #expect(!sent.contains(RiffFixtures.keyHex))
                }
            }
        }

        @Test func `a connection that was never made is tried once more, and then works`() async throws {
            let answer =
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 18\r\n\r\n{\"transcript\":\"x\"}"
            try await RawHTTPServer.withServer([.readHead, .readBody(14), .send(answer), .awaitClose]) { server in
                try await LoopbackPort.withFullBacklog { cold in
                    try await AsyncHTTPTransport.withTransport { http in
                        let waking = WakingTransport(http: http, cold: cold, warm: server.port)
                        let client = try RelayClient.make(waking, timing: .init(connect: .seconds(4)))
                        #expect(try await client.transcribe(RelayClient.clip).text == "x")
                        #expect(waking.sends.value == 2)
                        #expect(server.connectionCount == 1)
                    }
                }
            }
        }
        #endif
    }
}
