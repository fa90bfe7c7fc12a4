// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffServer
import RiffTesting
import RiffTransport
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    /// N5: the long poll, client against server.
    @Suite(.timeLimit(.minutes(5)))
    struct RiffNarrationTests {
        private static func service(
            _ feed: GivenAnswers,
            voice: any TextToSpeech = ScriptedTextToSpeech(perCharacter: .milliseconds(10)),
            hold: Duration = .seconds(25),
            polls: Int = 16
        ) -> NarrationService {
            NarrationService(voice: voice, hold: hold, concurrentPolls: polls) { _ in feed }
        }

        private static func server(
            _ narration: NarrationService?,
            report: @escaping @Sendable (ServerError) -> Void = { _ in }
        ) throws -> VoiceServer {
            var configuration = ServerConfiguration(secret: try RiffFixtures.secret(), exposure: .network)
            configuration.allowsV1 = true
            return try VoiceServer(configuration, recognizer: nil, narration: narration, report: report)
        }

        private static func client(_ http: any HTTPTransport) throws -> RiffClient {
            RiffClient(
                server: try HTTPBaseURL("http://127.0.0.1:8902"),
                secret: try RiffFixtures.secret(),
                http: http,
                signature: .v1,
                wallClock: { 100 }
            )
        }

        private static func ask(_ server: VoiceServer, _ query: String, method: HTTPRequest.Method = .get) async throws
            -> ServerResponse
        {
            let request = try VoiceServerTests.request(
                [],
                method: method,
                path: "/riff/narrate-poll\(query)",
                format: nil
            )
            return try await server.respond(to: request)
        }

        @Test func `an answer has the names of the contract`() async throws {
            let feed = GivenAnswers()
            feed.give("It is green.", at: 7.5)
            let response = try await Self.ask(try Self.server(Self.service(feed)), "?after=1")
            let answer = try JSONValue(parsing: response.body)
            #expect(answer.object?.map(\.key).sorted() == ["audio_b64", "chars", "ts"])
            #expect(answer["ts"]?.double == 7.5 && answer["chars"]?.integer == 12)
            let audio = try #require(answer["audio_b64"]?.text.flatMap { Data(base64Encoded: $0) })
            #expect(AudioClip(file: [UInt8](audio))?.encoding == .wav)
        }

        @Test func `what is new begins by the server's clock`() async throws {
            let server = try Self.server(Self.service(GivenAnswers()))
            // This device's clock says 100.
            let begin = try await RiffAnswerFeed(Self.client(BridgedTransport(server: server))).beginning()
            #expect(abs(begin - Date().timeIntervalSince1970) < 60)
        }

        @Test func `an answer is waited for, spoken there, and heard here`() async throws {
            let feed = GivenAnswers()
            let client = try Self.client(BridgedTransport(server: try Self.server(Self.service(feed))))
            let answers = RiffAnswerFeed(client)
            async let first = answers.next(after: 100)
            feed.give("All tests pass.", at: 101.5)
            let answer = try await first
            #expect(answer.time == 101.5)
            guard case .speech(let clip) = answer.content else {
                Issue.record("\(answer.content)")
                return
            }
            #expect(clip.encoding == .wav)
            #expect(try clip.duration() == .milliseconds(150))
        }

        @Test func `nothing new is 204 after the hold, and asked again from the same time on`() async throws {
            let feed = GivenAnswers()
            let server = try Self.server(Self.service(feed, hold: .milliseconds(50)))
            let empty = try await Self.ask(server, "?after=5.25")
            #expect(empty.status == .noContent && empty.body.isEmpty)
            #expect(feed.asked.withLock { $0 } == [5.25])
            let clock = ManualClock(advancesItself: true)
            let answers = RiffAnswerFeed(try Self.client(BridgedTransport(server: server)), clock: clock)
            async let next = answers.next(after: 5.25)
            try await waitUntil { feed.asked.withLock({ $0.count }) >= 4 }
            feed.give("At last.", at: 6)
            #expect(try await next.time == 6)
            #expect(feed.asked.withLock { $0 }.allSatisfy { $0 == 5.25 })
            // A server that does not wait is not asked without a pause.
            #expect(clock.waits.contains(.seconds(1)))
        }

        @Test func `the project is a folder's name, and no path`() async throws {
            let asked = Mutex<[String?]>([])
            let feed = GivenAnswers()
            feed.give("Done.", at: 2)
            let service = NarrationService(voice: ScriptedTextToSpeech()) { project in
                asked.withLock { $0.append(project) }
                return feed
            }
            let server = try Self.server(service)
            let client = try Self.client(BridgedTransport(server: server))
            _ = try await RiffAnswerFeed(client, project: "/home/me/my proj").next(after: 1)
            _ = try await RiffAnswerFeed(client).next(after: 1)
            #expect(asked.withLock { $0 } == ["-home-me-my-proj", nil])
            for query in [
                "?after=1&cwd_slug=../../etc", "?after=1&cwd_slug=a%2Fb", "?after=x", "", "?after=inf", "?after=",
            ] {
                let refused = try await Self.ask(server, query)
                #expect(refused.status == .badRequest, "\(query)")
            }
        }

        @Test func `without a voice it is 503, with one that fails 502, and the host's log says why`() async throws {
            #expect(try await Self.ask(Self.server(nil), "?after=1").status == .serviceUnavailable)
            #expect(try await Self.ask(Self.server(nil), "?after=1", method: .post).status == .methodNotAllowed)
            let reports = Mutex<[String]>([])
            let feed = GivenAnswers()
            feed.give("Done.", at: 2)
            let mute = ScriptedTextToSpeech(failure: VoiceError(.serverUnreachable, "secret words"))
            let server = try Self.server(Self.service(feed, voice: mute)) { error in
                reports.withLock { $0.append(error.stableCode) }
            }
            let failed = try await Self.ask(server, "?after=1")
            #expect(failed.status == .badGateway)
            #expect(!String(decoding: failed.body, as: UTF8.self).contains("secret"))
            let broken = try Self.server(Self.service(GivenAnswers(failures: 1))) { error in
                reports.withLock { $0.append(error.stableCode) }
            }
            #expect(try await Self.ask(broken, "?after=1").status == .badGateway)
            #expect(reports.withLock { $0 } == ["server.narrationFailed", "server.narrationFailed"])
            let client = try Self.client(BridgedTransport(server: server))
            let error = await #expect(throws: VoiceError.self) { try await RiffAnswerFeed(client).next(after: 1) }
            #expect(error?.recovery != nil)
        }

        @Test func `a server that is busy with others says so, and an unsigned poll waits for nothing`() async throws {
            let server = try Self.server(Self.service(GivenAnswers(), polls: 0))
            let busy = try await Self.ask(server, "?after=1")
            #expect(busy.status == .serviceUnavailable && busy.headerFields[.retryAfter] == "2")
            let unsigned = try VoiceServerTests.request(
                [],
                method: .get,
                path: "/riff/narrate-poll?after=1",
                signature: String(repeating: "0", count: 64)
            )
            #expect(try await server.respond(to: unsigned).status == .unauthorized)
        }

        @Test(.enabled(if: SystemProgram.path("ffmpeg") != nil, "ffmpeg is not installed"))
        func `ffmpeg unpacks what a server spoke`() async throws {
            let clip = try Speech.file("cards_001")
            let flac = try await FLACClipEncoder().encode(clip)
            let plain = try await FFmpegClipDecoder(to: .speech).decode(flac)
            #expect(try plain.samples() == clip.samples())
            let broken = AudioClip([0xFF, 0xFB, 0, 0], encoding: .mp3)
            await #expect(throws: VoiceError.self) { try await FFmpegClipDecoder().decode(broken) }
        }

        @Test(.enabled(if: SystemProgram.path("ffmpeg") != nil, "ffmpeg is not installed"))
        func `an MP3 that a server spoke is unpacked`() async throws {
            try await AudioFolder.with { folder in
                let clip = try Speech.file("cards_001")
                let spoken = try clip.samples()
                let sink = CommandAudioSink { .ffmpeg(encodingTo: "\(folder)/spoken.mp3", from: $0) }
                try await sink.start(.speech)
                try await sink.write(spoken)
                try await sink.finish()
                let file = try #require(AudioClip(file: AudioFolder.contents("\(folder)/spoken.mp3")))
                #expect(file.encoding == .mp3 && file.bytes.count < spoken.count / 2)
                let plain = try await FFmpegClipDecoder(to: .speech).decode(file).samples()
                #expect(abs(plain.count - spoken.count) < 3_200, "within a tenth of a second")
                let levels = [spoken, plain].map { AudioLevel(of: $0, format: .speech).rms }
                #expect(abs(levels[0] - levels[1]) < 1)
            }
        }
    }
}
