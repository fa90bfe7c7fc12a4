// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct ServiceSpeechToTextTests {
        static let clip = AudioClip(Speech.tone(.milliseconds(200)), encoding: .pcm(.speech))
        static let key = Secret("sk-test-123")

        static func elevenLabs(_ service: ScriptedHTTPTransport) throws -> ElevenLabsSpeechToText {
            let options = ElevenLabsSpeechToText.Options(
                language: "en",
                keyterms: ["Riff", "tmux"],
                allowsLogging: false
            )
            return try ElevenLabsSpeechToText(
                key: key,
                options: options,
                baseURL: "https://voice.example/api/",
                transport: service
            )
        }

        static func openAI(_ service: ScriptedHTTPTransport) throws -> OpenAISpeechToText {
            try OpenAISpeechToText(
                key: key,
                options: .init(model: "whisper-1", language: "en", prompt: "Riff"),
                transport: service
            )
        }

        static func makeBoth() -> [@Sendable (ScriptedHTTPTransport) throws -> any SpeechToText] {
            [{ try elevenLabs($0) }, { try openAI($0) }]
        }

        @Test func `an answer of nothing but marks is an empty transcript`() async throws {
            for make in Self.makeBoth() {
                let service = ScriptedHTTPTransport([
                    .json(#"{"text":" [BLANK_AUDIO]\n"}"#), .json(#"{"text":"(laughter)"}"#),
                    .json(#"{"text":"set [a] (b)"}"#),
                ])
                let engine = try make(service)
                #expect(try await engine.transcribe(Self.clip).text.isEmpty)
                #expect(try await engine.transcribe(Self.clip).text.isEmpty)
                #expect(try await engine.transcribe(Self.clip).text == "set [a] (b)")
            }
        }

        /// The parts of a form, as a server would find them.
        static func parts(_ sent: ScriptedHTTPTransport.Request) throws -> [(head: String, body: String)] {
            let type = try #require(sent.head.headerFields[.contentType])
            let boundary = try #require(type.split(separator: "boundary=").last.map(String.init))
            let latin = String(sent.body.map { Character(Unicode.Scalar($0)) })
            var pieces = latin.components(separatedBy: "--" + boundary)
            #expect(pieces.removeFirst().isEmpty)
            #expect(pieces.removeLast() == "--\r\n")
            return pieces.map { piece in
                let halves = String(piece.unicodeScalars.dropFirst(2).dropLast(2))
                guard let split = halves.range(of: "\r\n\r\n") else { return (String(halves), "") }
                return (String(halves[..<split.lowerBound]), String(halves[split.upperBound...]))
            }
        }

        @Test func `ElevenLabs gets its fields and raw samples`() async throws {
            let service = ScriptedHTTPTransport([.json(#"{"language_code":"eng","text":"hello","words":[]}"#)])
            let transcript = try await Self.elevenLabs(service).transcribe(Self.clip)
            #expect(transcript == Transcript(text: "hello", language: "eng"))
            let sent = try #require(service.requests.first)
            #expect(sent.head.path == "/api/v1/speech-to-text?enable_logging=false")
            #expect(sent.head.authority == "voice.example")
            #expect(sent.head.headerFields[try #require(HTTPField.Name("xi-api-key"))] == "sk-test-123")
            let parts = try Self.parts(sent)
            let fields = parts.dropLast().map { "\($0.head.components(separatedBy: "name=").last ?? "")=\($0.body)" }
            #expect(
                fields == [
                    "\"model_id\"=scribe_v2", "\"tag_audio_events\"=false", "\"timestamps_granularity\"=none",
                    "\"file_format\"=pcm_s16le_16", "\"language_code\"=en", "\"keyterms\"=Riff", "\"keyterms\"=tmux",
                ]
            )
            let file = try #require(parts.last)
            #expect(file.head.contains("name=\"file\"; filename=\"audio.pcm\""))
            #expect(file.body.unicodeScalars.map { UInt8($0.value) } == Self.clip.bytes)
        }

        @Test func `OpenAI gets its fields and a WAV file with its extension`() async throws {
            let service = ScriptedHTTPTransport([.json(#"{"text":"hello"}"#)])
            #expect(try await Self.openAI(service).transcribe(Self.clip) == Transcript(text: "hello"))
            let sent = try #require(service.requests.first)
            #expect(sent.head.path == "/v1/audio/transcriptions")
            #expect(sent.head.headerFields[.authorization] == "Bearer sk-test-123")
            let parts = try Self.parts(sent)
            #expect(parts.dropLast().map(\.body) == ["whisper-1", "json", "en", "Riff"])
            let file = try #require(parts.last)
            #expect(file.head.contains("filename=\"audio.wav\"\r\nContent-Type: audio/wav"))
            #expect(try WAVReader.read(file.body.unicodeScalars.map { UInt8($0.value) }).samples == Self.clip.bytes)
        }

        @Test func `a packed clip is a FLAC file to both, and nothing is lost of it`() async throws {
            let wav = try Self.clip.asFile()
            for make in Self.makeBoth() {
                for clip in [Self.clip, wav] {
                    let service = ScriptedHTTPTransport([.json(#"{"text":"hello"}"#)])
                    let recognizer = EncodingSpeechToText(try make(service), with: FLACClipEncoder())
                    #expect(try await recognizer.transcribe(clip).text == "hello")
                    let sent = try #require(service.requests.first)
                    let file = try #require(try Self.parts(sent).last)
                    #expect(file.head.contains("filename=\"audio.flac\"\r\nContent-Type: audio/flac"))
                    let bytes = file.body.unicodeScalars.map { UInt8($0.value) }
                    #expect(bytes == (try FLACEncoder.file(Self.clip.bytes, format: .speech)))
                    #expect(bytes.count < Self.clip.bytes.count)
                }
            }
            // A Riff server takes no FLAC, and is not asked to.
            let http = ScriptedHTTPTransport()
            let riff = RiffClient(
                server: try HTTPBaseURL("http://127.0.0.1:1"),
                secret: try RiffFixtures.secret(),
                http: http
            )
            let error = await #expect(throws: VoiceError.self) {
                try await EncodingSpeechToText(riff, with: FLACClipEncoder()).transcribe(Self.clip)
            }
            #expect(error?.code == .unsupportedAudio)
            #expect(http.requests.isEmpty)
        }

        @Test func `words to expect go where each service takes them, beside its own`() async throws {
            let scribe = ScriptedHTTPTransport([.json(#"{"text":"hello"}"#)])
            _ = try await Self.elevenLabs(scribe).transcribe(Self.clip, expecting: ["Sven", "tmux"])
            let terms = try Self.parts(try #require(scribe.requests.first)).filter { $0.head.contains("\"keyterms\"") }
            #expect(terms.map(\.body) == ["Riff", "tmux", "Sven"])
            let whisper = ScriptedHTTPTransport([.json(#"{"text":"hello"}"#)])
            _ = try await Self.openAI(whisper).transcribe(Self.clip, expecting: ["Sven", "tmux"])
            let prompt = try Self.parts(try #require(whisper.requests.first)).filter { $0.head.contains("\"prompt\"") }
            #expect(prompt.map(\.body) == ["Riff Sven, tmux"])
            // Nothing to load over HTTP, and nothing is sent for it.
            let told = Told()
            try await Self.openAI(whisper).prepare { told.add($0) }
            #expect(told.all == [.ready])
            #expect(whisper.requests.count == 1)
        }

        @Test(arguments: [
            (
                401, #"{"detail":{"status":"invalid_api_key","message":"secret"}}"#,
                VoiceError.Code.transcriptionUnauthorized
            ),
            (401, #"{"detail":{"status":"quota_exceeded","message":"secret"}}"#, .transcriptionQuotaExceeded),
            (429, #"{"detail":{"status":"too_many_concurrent_requests"}}"#, .transcriptionRateLimited),
            (429, #"{"detail":{"status":"system_busy"}}"#, .transcriptionRateLimited),
            (422, #"{"detail":[{"loc":["body","file",0],"msg":"secret","type":"missing"}]}"#, .transcriptionRejected),
            (400, #"{"detail":"secret text"}"#, .transcriptionRejected),
            (413, "<html>secret</html>", .transcriptionTooLarge), (500, "", .transcriptionUnavailable),
            (503, #"{"detail":{"status":"x y\nz"}}"#, .transcriptionUnavailable), (302, "", .transcriptionMalformed),
            (200, "<html>secret</html>", .transcriptionMalformed), (200, #"{"words":[]}"#, .transcriptionMalformed),
        ])
        func `each error of ElevenLabs has its code`(status: Int, body: String, code: VoiceError.Code) async throws {
            let service = ScriptedHTTPTransport([.json(body, status: .init(code: status))])
            let error = await #expect(throws: VoiceError.self) {
                try await Self.elevenLabs(service).transcribe(Self.clip)
            }
            #expect(error?.code == code)
            #expect(error?.message.contains("secret") == false)
            #expect(error?.message.contains("sk-test") == false)
            #expect(service.requests.count == 1)
        }

        @Test(arguments: [
            (
                401, #"{"error":{"message":"secret","type":"invalid_request_error","code":"invalid_api_key"}}"#,
                VoiceError.Code.transcriptionUnauthorized
            ),
            (
                429, #"{"error":{"message":"secret","type":"insufficient_quota","code":"insufficient_quota"}}"#,
                .transcriptionQuotaExceeded
            ),
            (
                429, #"{"error":{"message":"secret","type":"requests","code":"rate_limit_exceeded"}}"#,
                .transcriptionRateLimited
            ),
            (
                404, #"{"error":{"message":"secret","type":"x","param":null,"code":"model_not_found"}}"#,
                .transcriptionRejected
            ),
            (
                400, #"{"error":{"message":"secret","type":"invalid_request_error","param":"file","code":null}}"#,
                .transcriptionRejected
            ),
            (400, #"{"error":{"code":400}}"#, .transcriptionRejected), (413, "", .transcriptionTooLarge),
            (500, "secret", .transcriptionUnavailable), (200, "{}", .transcriptionMalformed),
        ])
        func `each error of OpenAI has its code`(status: Int, body: String, code: VoiceError.Code) async throws {
            let service = ScriptedHTTPTransport([.json(body, status: .init(code: status))])
            let error = await #expect(throws: VoiceError.self) { try await Self.openAI(service).transcribe(Self.clip) }
            #expect(error?.code == code)
            #expect(error?.message.contains("secret") == false)
            #expect(service.requests.count == 1)
        }

        @Test func `the other Scribe is tried where the first is not known, and only then`() async throws {
            let unknown = #"{"detail":{"status":"invalid_model_id"}}"#
            let service = ScriptedHTTPTransport([.json(unknown, status: .init(code: 400)), .json(#"{"text":"ok"}"#)])
            #expect(try await Self.elevenLabs(service).transcribe(Self.clip).text == "ok")
            #expect(
                service.requests.map { String(decoding: $0.body, as: UTF8.self).contains("\r\n\r\nscribe_v1\r\n") } == [
                    false, true,
                ]
            )
        }

        @Test func `audio is sent again only where it cannot have arrived`() async throws {
            for make in Self.makeBoth() {
                let service = ScriptedHTTPTransport([
                    .failure(TransportError(.httpNeverConnected, "scripted")), .json(#"{"text":"ok"}"#),
                ])
                #expect(try await make(service).transcribe(Self.clip).text == "ok")
                #expect(service.requests.count == 2)
                let down = ScriptedHTTPTransport([
                    .failure(TransportError(.httpNeverConnected, "scripted")),
                    .failure(TransportError(.httpNeverConnected, "scripted")),
                ])
                await #expect(throws: TransportError.self) { try await make(down).transcribe(Self.clip) }
                #expect(down.requests.count == 2)
                for code in [TransportError.Code.timeout, .connectionLost, .tlsFailed, .httpMalformed] {
                    let service = ScriptedHTTPTransport([.failure(TransportError(code, "scripted"))])
                    await #expect(throws: TransportError.self) { try await make(service).transcribe(Self.clip) }
                    #expect(service.requests.count == 1)
                }
                await #expect(throws: CancellationError.self) {
                    try await make(ScriptedHTTPTransport([.failure(CancellationError())])).transcribe(Self.clip)
                }
            }
        }

        @Test func `too much is refused before a byte is sent, and next to nothing is nothing`() async throws {
            let service = ScriptedHTTPTransport()
            let small = try OpenAISpeechToText(key: nil, limitBytes: 100, transport: service)
            let error = await #expect(throws: VoiceError.self) { try await small.transcribe(Self.clip) }
            #expect(error?.code == .transcriptionTooLarge)
            let short = AudioClip(Speech.tone(.milliseconds(99)), encoding: .pcm(.speech))
            #expect(try await Self.openAI(service).transcribe(short).isEmpty)
            #expect(try await Self.elevenLabs(service).transcribe(AudioClip([], encoding: .pcm(.speech))).isEmpty)
            #expect(service.requests.isEmpty)
        }

        @Test(arguments: ["", "a b", "key\r\nX-Other: 1", "sch\u{FC}ssel"])
        func `a key that is none is refused before a byte is sent`(key: String) async throws {
            let service = ScriptedHTTPTransport()
            let recognizer = try OpenAISpeechToText(key: Secret(key), transport: service)
            let error = await #expect(throws: VoiceError.self) { try await recognizer.transcribe(Self.clip) }
            #expect(error?.code == .transcriptionUnauthorized)
            #expect(service.requests.isEmpty)
        }

        @Test(arguments: [
            "https://h", "https://h/", "https://h/v1", "https://h/v1/", "https://h/v1/audio/transcriptions",
        ])
        func `an address ends with the version or not, and a message says the whole path`(
            address: String
        ) async throws {
            let service = ScriptedHTTPTransport([.json("{}", status: .notFound), .json("{}", status: .notFound)])
            let recognizer = try OpenAISpeechToText(key: nil, baseURL: address, transport: service)
            var error = await #expect(throws: VoiceError.self) { try await recognizer.transcribe(Self.clip) }
            #expect(error?.code == .transcriptionRejected)
            #expect(error?.message.contains("POST https://h/v1/audio/transcriptions") == true)
            let voice = try OpenAITextToSpeech(key: nil, baseURL: address, transport: service)
            error = await #expect(throws: VoiceError.self) { try await voice.synthesize("hi") { _, _ in } }
            #expect(error?.message.contains("POST https://h/v1/audio/speech") == true)
            #expect(service.requests.map(\.head.path) == ["/v1/audio/transcriptions", "/v1/audio/speech"])
        }

        @Test(arguments: [
            "", "voice.example", "ftp://x", "https://", "https://u:p@x", "https://x/?q", "https://x y", "https://:1",
        ])
        func `an address that is none is refused`(address: String) {
            let error = #expect(throws: VoiceError.self) {
                try OpenAISpeechToText(key: nil, baseURL: address, transport: ScriptedHTTPTransport())
            }
            #expect(error?.code == .serviceAddressInvalid)
        }
    }
}
