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
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    /// The contract's variables, seen in what goes over a socket to the hosted service.
    @Suite(.timeLimit(.minutes(5)))
    struct ContractVariablesTests {
        /// A hosted service on a real socket, which keeps what it was sent.
        final class Service: Sendable {
            struct Request: Sendable {
                let target: String
                let key: String?
                let body: [UInt8]
            }

            private let state = Mutex<[Request]>([])
            var requests: [Request] { state.withLock(\.self) }

            func answer(to request: ServerRequest) async throws -> ServerResponse {
                var body: [UInt8] = []
                for try await chunk in request.body { body += chunk }
                let key = HTTPField.Name("xi-api-key").flatMap { request.headerFields[$0] }
                let target = request.query.map { "\(request.path)?\($0)" } ?? request.path
                state.withLock { [body] in $0.append(Request(target: target, key: key, body: body)) }
                if request.path == "/v1/speech-to-text" {
                    let isKnown = body.contains(Array("scribe_v1".utf8))
                    let answer: JSONValue =
                        isKnown ? ["text": "hello"] : ["detail": ["status": "invalid_model_id", "message": "no"]]
                    return ServerResponse(
                        status: isKnown ? .ok : .badRequest,
                        headerFields: [.contentType: "application/json"],
                        body: answer.bytes()
                    )
                }
                let samples = [UInt8](repeating: 0, count: 48_000)
                return ServerResponse(status: .ok, headerFields: [.contentType: "audio/pcm"], body: samples)
            }
        }

        private static func with(
            _ variables: [String: String],
            _ body: @Sendable (ServerConfiguration, String, Service, AsyncHTTPTransport) async throws -> Void
        ) async throws {
            var environment = variables
            environment["RIFF_SHARED_SECRET"] = RiffFixtures.keyHex
            let configuration = try ServerConfiguration.fromEnvironment(environment, exposure: .network)
            let service = Service()
            try await SocketServer.withServer({ try await service.answer(to: $0) }) { (socket) async throws in
                try await AsyncHTTPTransport.withTransport { (http) async throws in
                    try await body(configuration, "http://127.0.0.1:\(socket.port)", service, http)
                }
            }
        }

        @Test func `the recognizer gets the model of the variable, in a form with the file, and the fallback after it`()
            async throws
        {
            let variables = ["ELEVENLABS_API_KEY": "sk-key", "ELEVENLABS_STT_MODEL": "scribe_v9"]
            try await Self.with(variables) { (configuration, address, service, http) async throws in
                let recognizer = try #require(try configuration.recognizer(over: http, at: address))
                let clip = AudioClip(Array("RIFFxxxx".utf8), encoding: .wav)
                #expect(try await recognizer.transcribe(clip).text == "hello")
                let forms = service.requests.map { String(decoding: $0.body, as: UTF8.self) }
                #expect(forms.count == 2)
                #expect(forms[0].contains("name=\"model_id\"\r\n\r\nscribe_v9\r\n"))
                #expect(forms[0].contains("name=\"file\"; filename="))
                #expect(forms[0].contains("RIFFxxxx"))
                #expect(forms[1].contains("name=\"model_id\"\r\n\r\nscribe_v1\r\n"))
                #expect(service.requests.allSatisfy { $0.key == "sk-key" })
            }
        }

        @Test func `without a key there is no recognizer, no voice and no sender, and with others their defaults`()
            async throws
        {
            try await Self.with([:]) { (configuration, address, _, http) async throws in
                #expect(try configuration.recognizer(over: http, at: address) == nil)
                #expect(try configuration.narration(over: http, at: address) == nil)
                let sender = try await configuration.pushSender(title: "a", over: http)
                #expect(sender == nil)
            }
            let variables = ["ELEVENLABS_API_KEY": "k", "ELEVENLABS_STT_MODEL": " "]
            try await Self.with(variables) { (configuration, address, service, http) async throws in
                let recognizer = try #require(try configuration.recognizer(over: http, at: address))
                _ = try await recognizer.transcribe(AudioClip([1, 2], encoding: .wav))
                let first = String(decoding: try #require(service.requests.first).body, as: UTF8.self)
                #expect(first.contains("\r\n\r\nscribe_v2\r\n"))
            }
        }

        @Test(.enabled(if: SystemProgram.path("ffmpeg") != nil, "ffmpeg is not installed"))
        func `an answer is cut, spoken by the hosted voice of the variables and packed as MP3`() async throws {
            let folder = "riff-variables-\(UUID().uuidString.prefix(8))"
            let home = FileManager.default.homeDirectoryForCurrentUser.path(percentEncoded: false)
            let project = "\(home)/\(folder)/-work"
            try FileManager.default.createDirectory(atPath: project, withIntermediateDirectories: true)
            // Nothing else to clean up with.
            defer { try? FileManager.default.removeItem(atPath: "\(home)/\(folder)") }
            let words = (0..<200).map { "word\($0)" }.joined(separator: " ")
            let time = Date.now.formatted(.iso8601)
            let line = """
                {"type":"assistant","isSidechain":false,"timestamp":"\(time)","message":{"role":"assistant",\
                "stop_reason":"end_turn","content":[{"type":"text","text":"\(words)"}]}}

                """
            try line.write(toFile: "\(project)/a.jsonl", atomically: true, encoding: .utf8)
            let variables = [
                "ELEVENLABS_API_KEY": "sk-key", "RIFF_NARRATE_VOICE_ID": "voice42",
                "RIFF_NARRATE_TTS_MODEL": "eleven_v3", "NARRATE_MAX_CHARS": "100",
            ]
            try await Self.with(variables) { (configuration, address, service, http) async throws in
                let narration = try configuration.narration(over: http, at: address, transcripts: folder)
                let server = try VoiceServer(configuration, recognizer: nil, narration: narration)
                try await SocketServer.withServer({ try await server.respond(to: $0) }) { (socket) async throws in
                    let client = RiffClient(
                        server: try HTTPBaseURL("http://127.0.0.1:\(socket.port)"),
                        secret: configuration.secret,
                        http: http
                    )
                    let answer = try await RiffAnswerFeed(client).next(after: 0)
                    guard case .speech(let clip) = answer.content else {
                        Issue.record("\(answer)")
                        return
                    }
                    #expect(clip.encoding == .mp3)
                    let samples = try await FFmpegClipDecoder(to: .speech).decode(clip).samples()
                    // A second of sound, with what MP3 puts around it.
                    #expect((28_000...48_000).contains(samples.count), "\(samples.count)")
                }
                let request = try #require(service.requests.first)
                #expect(request.target.hasPrefix("/v1/text-to-speech/voice42/stream"))
                let body = try JSONValue(parsing: request.body)
                #expect(body["model_id"] == "eleven_v3")
                #expect((50...101).contains(body["text"]?.text?.count ?? 0))
            }
        }

        @Test func `an encoder that is missing or fails is told, and the answer with it`() async throws {
            let clip = AudioClip([UInt8](repeating: 0, count: 3200), encoding: .pcm(.speech))
            let missing = await #expect(throws: VoiceError.self) {
                try await FFmpegClipEncoder(bitRate: 64_000, program: "riff-no-such-program").encode(clip)
            }
            #expect(missing?.code == .audioEncoderFailed)
            #expect(missing?.recovery == .installProgram("ffmpeg"))
            let failing = await #expect(throws: VoiceError.self) {
                try await FFmpegClipEncoder(bitRate: 64_000, program: "false").encode(clip)
            }
            #expect(failing?.code == .audioEncoderFailed)
        }

        @Test(arguments: [
            ["NARRATE_MAX_CHARS": "many"], ["NARRATE_MAX_CHARS": "0"], ["NARRATE_MAX_CHARS": "-5"],
            ["NARRATE_MAX_CHARS": "99999999999999999999"], ["ELEVENLABS_STT_MODEL": "a b\r\nX: y"],
            ["RIFF_NARRATE_VOICE_ID": "../../v2"], ["APNS_KEY_ID": "KEY1234567"],
            ["APNS_KEY_ID": "a", "APNS_TEAM_ID": "b", "APNS_BUNDLE_ID": "c"],
        ])
        func `a variable that cannot be meant stops the start, by its name and without its value`(
            variables: [String: String]
        ) throws {
            var environment = variables
            environment["RIFF_SHARED_SECRET"] = RiffFixtures.keyHex
            let error = #expect(throws: ServerError.self) {
                _ = try ServerConfiguration.fromEnvironment(environment, exposure: .network)
            }
            #expect(error?.code == .invalidVariable)
            for value in variables.values where value.utf8.count > 3 {
                #expect(error?.message.contains(value) == false)
            }
        }

        @Test(.enabled(if: PushStandIn.isInstalled, "node or openssl is not installed"))
        func `the push key comes from a file that only this user may read`() async throws {
            try await PushStandIn.with { service in
                let path = "\(service.folder)/push.p8"
                let environment = [
                    "RIFF_SHARED_SECRET": RiffFixtures.keyHex, "APNS_KEY_ID": "KEY1234567",
                    "APNS_TEAM_ID": "TEAM123456", "APNS_BUNDLE_ID": "org.example.riff", "APNS_PRIVATE_KEY_PATH": path,
                ]
                let configuration = try ServerConfiguration.fromEnvironment(environment, exposure: .network)
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
                await #expect(throws: CoreError.self) {
                    try await configuration.pushSender(title: "Agent", over: service.http)
                }
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
                let address = try service.address
                let push = try #require(
                    try await configuration.pushSender(title: "Agent", over: service.http, production: address)
                )
                let records = try await PushSenderTests.registry(service, ["phone": "aa01"])
                let errors = try await push.tell("hi", of: PushSenderTests.turn("phone"), to: records.devices)
                #expect(errors.isEmpty)
                try "-----BEGIN PRIVATE KEY-----\nc2stc2VjcmV0\n-----END PRIVATE KEY-----\n".write(
                    toFile: path,
                    atomically: false,
                    encoding: .utf8
                )
                let broken = await #expect(throws: ServerError.self) {
                    try await configuration.pushSender(title: "Agent", over: service.http)
                }
                #expect(broken?.code == .invalidPushKey)
                #expect(broken?.message.contains("c2stc2VjcmV0") == false)
            }
        }
    }
}
