// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffServer
import RiffTransport
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct VoiceServerTests {
        struct Broken: Error, CustomStringConvertible {
            var description: String { "api key sk-inner-secret" }
        }

        static func make(
            _ recognizer: (any SpeechToText)? = FakeRecognizer.reading,
            clock: any Clock<Duration> = ContinuousClock(),
            concurrentClips: Int = 8,
            report: @escaping @Sendable (ServerError) -> Void = { _ in }
        ) throws -> VoiceServer {
            var configuration = ServerConfiguration(secret: try RiffFixtures.secret(), exposure: .network)
            configuration.concurrentClips = concurrentClips
            configuration.allowsV1 = true
            return try VoiceServer(configuration, recognizer: recognizer, clock: clock, report: report)
        }

        /// A signed request, with what is to be wrong about it.
        static func request(
            _ body: [UInt8] = Array("TEXT:hello".utf8),
            method: HTTPRequest.Method = .post,
            path: String = "/riff/transcribe-only",
            format: String? = "wav",
            device: String? = nil,
            signature: String? = nil
        ) throws -> ServerRequest {
            var fields = HTTPFields()
            fields[.riffSignature] = try signature ?? RequestSignature(of: body, with: RiffFixtures.secret()).value
            fields[.riffAudioFormat] = format
            fields[.riffDeviceID] = device
            return ServerRequest(
                method,
                path,
                headerFields: fields,
                body: BodyChunks(chunks: body.isEmpty ? [] : [body])
            )
        }

        static func text(_ response: ServerResponse) -> String { String(decoding: response.body, as: UTF8.self) }

        @Test func `the recorded exchanges are answered as recorded`() async throws {
            for exchange in try RiffFixtures.exchanges() {
                var fields = HTTPFields()
                for (name, value) in exchange.request.headers { fields[try #require(HTTPField.Name(name))] = value }
                let body = Array(exchange.request.body.utf8)
                let request = ServerRequest(
                    try #require(HTTPRequest.Method(exchange.request.method)),
                    exchange.request.path,
                    headerFields: fields,
                    body: BodyChunks(chunks: body.map { [$0] })
                )
                let response = try await Self.make().respond(to: request)
                #expect(response.status.code == exchange.response.status, "\(exchange)")
                let pairs = exchange.response.body.map { "{\"\($0.key)\":\"\($0.value)\"}" }
                #expect([Self.text(response)] == pairs, "\(exchange)")
                #expect(response.headerFields[.contentType] == "application/json")
            }
        }

        @Test func `a signature that is missing, of another body or of another key is 401 whatever the path`()
            async throws
        {
            let other = try RequestSignature(of: [9], with: RiffFixtures.secret()).value
            let foreign = RequestSignature(of: Array("TEXT:hello".utf8), with: try RiffSecret(hex: "")).value
            let heard = Mutex(false)
            let server = try Self.make(
                FakeRecognizer { _ in
                    heard.withLock { $0 = true }
                    return Transcript(text: "")
                }
            )
            for path in ["/riff/transcribe-only", "/riff/health", "/elsewhere"] {
                for signature in [other, foreign, "", "\u{e9}"] {
                    let response = try await server.respond(to: Self.request(path: path, signature: signature))
                    #expect(response.status == .unauthorized)
                    #expect(Self.text(response) == #"{"error":"unauthorized"}"#)
                }
            }
            let wasHeard = heard.withLock { $0 }
            #expect(!wasHeard)
        }

        @Test func `nothing of an unsigned body is read`() async throws {
            let taken = BodyChunks.Count()
            let body = BodyChunks(chunks: [[1, 2, 3]], taken: taken)
            let request = ServerRequest(.post, "/riff/transcribe-only", headerFields: [:], body: body)
            #expect(try await Self.make().respond(to: request).status == .unauthorized)
            #expect(taken.bytes == 0)
        }

        @Test func `a body past 25 MB is 413 and reading stops there`() async throws {
            let taken = BodyChunks.Count()
            let chunk = [UInt8](repeating: 7, count: 1 << 20)
            let body = BodyChunks(chunks: Array(repeating: chunk, count: 100), taken: taken)
            var fields: HTTPFields = [.riffAudioFormat: "wav", .riffSignature: "x"]
            let server = try Self.make()
            let target = "/riff/transcribe-only"
            let streamed = ServerRequest(.post, target, headerFields: fields, body: body)
            #expect(try await server.respond(to: streamed).status == .contentTooLarge)
            #expect(taken.bytes == 26 << 20)
            fields[.contentLength] = "26214401"
            let announced = ServerRequest(.post, target, headerFields: fields, body: body)
            #expect(try await server.respond(to: announced).status == .contentTooLarge)
            #expect(taken.bytes == 26 << 20)
        }

        @Test func `exactly 25 MB is taken`() async throws {
            let server = try Self.make(FakeRecognizer { Transcript(text: "\($0.bytes.count)") })
            let response = try await server.respond(to: Self.request([UInt8](repeating: 7, count: 26_214_400)))
            #expect(Self.text(response) == #"{"transcript":"26214400"}"#)
        }

        @Test func `an empty body, a bad format and a bad id are 400`() async throws {
            let server = try Self.make()
            for request in [
                try Self.request([]), try Self.request(format: "mp3"), try Self.request(format: nil),
                try Self.request(device: "../x"), try Self.request(device: String(repeating: "a", count: 65)),
            ] {
                #expect(try await server.respond(to: request).status == .badRequest)
            }
        }

        @Test func `another method is 405 and says which one is meant`() async throws {
            let response = try await Self.make().respond(to: Self.request([], method: .get))
            #expect(response.status == .methodNotAllowed)
            #expect(response.headerFields[.allow] == "POST")
        }

        @Test func `no recognizer is 503, and health is still 200`() async throws {
            let server = try Self.make(nil)
            #expect(try await server.respond(to: Self.request()).status == .serviceUnavailable)
            #expect(try await server.respond(to: Self.request([], method: .get, path: "/riff/health")).status == .ok)
        }

        @Test func `a recognizer that fails is 502, and nothing of it leaks`() async throws {
            let reported = Mutex<[ServerError]>([])
            let server = try Self.make(FakeRecognizer { _ in throw Broken() }) { error in
                reported.withLock { $0.append(error) }
            }
            let response = try await server.respond(to: Self.request())
            #expect(response.status == .badGateway)
            #expect(Self.text(response) == #"{"error":"transcription failed"}"#)
            let errors = reported.withLock { $0 }
            #expect(errors.map(\.code) == [.recognizerFailed])
            #expect(!errors.description.contains(RiffFixtures.keyHex))
            #expect(!errors.map(\.message).joined().contains("sk-inner"))
        }

        @Test func `a recognizer that is too slow is 502, and is cancelled`() async throws {
            // A clock whose sleep returns at once when it is the recognizer's 30 s.
            let server = try Self.make(
                FakeRecognizer { _ in
                    try await ContinuousClock().sleep(for: .seconds(600))
                    return Transcript(text: "late")
                },
                clock: SkippingClock(skips: .seconds(30))
            )
            let response = try await server.respond(to: Self.request())
            #expect(response.status == .badGateway)
            #expect(Self.text(response) == #"{"error":"transcription timeout"}"#)
        }

        @Test func `a body that does not come is 408`() async throws {
            let (stream, _) = ByteStream.makeStream()
            let server = try Self.make(clock: SkippingClock(skips: .seconds(120)))
            let fields: HTTPFields = [.riffSignature: "x"]
            let request = ServerRequest(.post, "/riff/transcribe-only", headerFields: fields, body: stream)
            #expect(try await server.respond(to: request).status == .requestTimeout)
        }

        @Test func `more clips than are taken at a time are 503 with Retry-After`() async throws {
            let (started, starts) = AsyncStream<Void>.makeStream()
            let (stream, writer) = ByteStream.makeStream()
            let server = try Self.make(
                FakeRecognizer { _ in
                    starts.yield()
                    _ = try await stream.collect(upTo: 10)
                    return Transcript(text: "first")
                },
                concurrentClips: 1
            )
            let first = Task { try await server.respond(to: Self.request()) }
            for await _ in started { break }
            let second = try await server.respond(to: Self.request())
            #expect(second.status == .serviceUnavailable)
            #expect(second.headerFields[.retryAfter] == "2")
            writer.finish()
            #expect(try await first.value.status == .ok)
        }

        @Test func `client and server understand each other`() async throws {
            let bridge = BridgedTransport(server: try Self.make())
            let client = try RelayClient.make(bridge)
            #expect(try await client.transcribe(RelayClient.clip).text == "type this")
            #expect(try await client.health().status == "ok")
            let stranger = RiffClient(
                server: try HTTPBaseURL("localhost:1"),
                secret: try RiffSecret(hex: String(repeating: "ab", count: 32)),
                http: bridge
            )
            let error = await #expect(throws: VoiceError.self) { _ = try await stranger.health() }
            #expect(error?.code == .wrongSecret)
        }
    }
}

/// Sleeps of one length return at once; all others last until they are cancelled.
struct SkippingClock: Clock {
    let skips: Duration
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let length = ContinuousClock.now.duration(to: deadline)
        if length > skips - .seconds(5), length <= skips { return }
        try await ContinuousClock().sleep(until: deadline)
    }
}
