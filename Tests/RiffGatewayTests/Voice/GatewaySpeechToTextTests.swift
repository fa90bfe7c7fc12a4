// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffGateway
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct GatewaySpeechToTextTests {
    /// So many bytes of a WAV file.
    private static func wav(_ count: Int) throws -> AudioClip {
        AudioClip(try WAVWriter.file([UInt8](repeating: 1, count: count - 44), format: .speech), encoding: .wav)
    }

    private static let clip = AudioClip([UInt8](repeating: 1, count: 3_200), encoding: .pcm(.speech))

    @Test func `a clip is sent as a form, with its language, and becomes text`() async throws {
        let (gateway, http) = try GatewayFixtures.gateway(["transcribe_ok", "transcribe_lang_da_before_file"])
        let transcript = try await GatewaySpeechToText(gateway).transcribe(Self.clip)
        #expect(transcript.text == "hello gateway" && transcript.language == "en")
        #expect(try await GatewaySpeechToText(gateway, language: "da").transcribe(Self.clip).language == "da")
        for (request, language) in zip(http.requests, ["en", "da"]) {
            #expect(request.head.headerFields[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
            let body = String(decoding: request.body, as: UTF8.self)
            #expect(
                body.contains("name=\"language\"\r\n\r\n\(language)\r\n") && body.contains("filename=\"audio.wav\"")
            )
            #expect(request.body.firstRange(of: try Self.clip.asFile().bytes) != nil)
        }
    }

    @Test func `how long the clip is, where the gateway says it`() async throws {
        for (duration, expected) in [
            ("1.5", Duration.seconds(1.5)), ("1e300", .seconds(1e9)), ("-1", nil), ("null", nil),
        ] {
            let http = ScriptedHTTPTransport([.json(#"{"text":"x","language":"en","duration":\#(duration)}"#)])
            let gateway = try GatewayFixtures.gateway(http)
            #expect(try await GatewaySpeechToText(gateway).recognize(Self.clip).duration == expected)
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sox")))
    func `a file that sox made is taken as it is`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "riff-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "tone.wav")
        let sox = Process()
        sox.executableURL = URL(filePath: "/usr/bin/sox")
        sox.arguments = ["-n", "-r", "16000", "-c", "1", "-b", "16", file.path, "synth", "1", "sine", "440"]
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            sox.terminationHandler = { _ in done.resume() }
            do { try sox.run() } catch { done.resume(throwing: error) }
        }
        let bytes = try Array(Data(contentsOf: file))
        let clip = try #require(AudioClip(file: bytes))
        #expect(clip.encoding == .wav)
        #expect(try clip.duration() == .seconds(1))
        let (gateway, http) = try GatewayFixtures.gateway(["transcribe_ok"])
        #expect(try await GatewaySpeechToText(gateway).transcribe(clip).text == "hello gateway")
        #expect(http.requests.first?.body.firstRange(of: bytes) != nil)
    }

    private static let none = VoiceOffer(synthesis: .init())

    @Test func `what the gateway would cut or refuse is not sent`() async throws {
        let http = ScriptedHTTPTransport()
        let gateway = try GatewayFixtures.gateway(http)
        let most = 25 * 1_048_576
        let second = VoiceOffer(recognition: .init(longest: .seconds(1)))
        let small = VoiceOffer(recognition: .init(limitBytes: 1000))
        let cases: [(AudioClip, VoiceOffer?, GatewayError.Code)] = [
            (AudioClip([1, 2], encoding: .wav), nil, .audioTooShort), (try Self.wav(99), nil, .audioTooShort),
            (AudioClip([UInt8](repeating: 1, count: most + 1), encoding: .m4a), nil, .audioTooLarge),
            (Self.clip, small, .audioTooLarge), (try Self.wav(1002), small, .audioTooLarge),
            (try Self.wav(44 + 32_002), second, .audioTooLong),
            (AudioClip([UInt8](repeating: 1, count: 32_002), encoding: .pcm(.speech)), second, .audioTooLong),
            (try Self.wav(44 + 121 * 32_000), nil, .audioTooLong), (Self.clip, Self.none, .voiceUnavailable),
        ]
        for (clip, offer, code) in cases {
            let error = await #expect(throws: GatewayError.self) {
                try await GatewaySpeechToText(gateway, offer: offer).transcribe(clip)
            }
            #expect(error?.code == code)
        }
        #expect(http.requests.isEmpty)
    }

    @Test func `what is just small enough, short enough and large enough is sent`() async throws {
        let limits = VoiceOffer(recognition: .init(longest: .seconds(1), limitBytes: 32_044))
        let most = AudioClip([UInt8](repeating: 1, count: 25 * 1_048_576), encoding: .m4a)
        for (clip, offer) in [
            (try Self.wav(100), nil), (try Self.wav(44 + 32_000), limits), (most, nil),
            (try Self.wav(44 + 120 * 32_000), nil),
        ] as [(AudioClip, VoiceOffer?)] {
            let (gateway, http) = try GatewayFixtures.gateway(["transcribe_ok"])
            _ = try await GatewaySpeechToText(gateway, offer: offer).transcribe(clip)
            #expect(http.requests.count == 1)
        }
    }

    @Test func `what says to be a WAV file is read before it is sent`() async throws {
        let http = ScriptedHTTPTransport()
        let gateway = try GatewayFixtures.gateway(http)
        let whole = try Self.wav(200).bytes
        for (bytes, code) in [
            ([UInt8](repeating: 65, count: 200), CoreError.Code.audioMalformed),
            (Array(whole.prefix(20)) + [UInt8](repeating: 0xFF, count: 180), .audioUnsupported),
            (Array("RIFF....WAVELIST".utf8) + [0xFF, 0xFF, 0, 0] + [UInt8](repeating: 0, count: 180), .audioTruncated),
        ] {
            let error = await #expect(throws: CoreError.self) {
                try await GatewaySpeechToText(gateway).transcribe(AudioClip(bytes, encoding: .wav))
            }
            if code == .audioUnsupported { #expect(error != nil) } else { #expect(error?.code == code) }
        }
        #expect(http.requests.isEmpty)
    }

    @Test(arguments: [
        ("transcribe_small", GatewayError.Code.requestRefused, "No audio data received"),
        (
            "transcribe_upstream_error", .rateLimited,
            #"OpenAI STT error (429): {"error":{"message":"upstream said no"}}"#
        ),
        ("no_provider /api/voice/transcribe", .voiceUnavailable, "No STT provider configured"),
    ])
    func `every refusal to recognize has its error and its words`(
        name: String,
        code: GatewayError.Code,
        words: String
    ) async throws {
        let (gateway, _) = try GatewayFixtures.gateway([name])
        let error = await #expect(throws: GatewayError.self) {
            try await GatewaySpeechToText(gateway).transcribe(Self.clip)
        }
        #expect(error?.code == code && error?.answer?.message == words)
    }

    @Test(arguments: [
        ("text/html", "<html>", GatewayError.Code.unsupported), ("application/json", #"{"text":"#, .answerMalformed),
        ("application/json", "{}", .answerMalformed),
    ])
    func `an answer that is no transcript is an error`(
        type: String,
        text: String,
        code: GatewayError.Code
    ) async throws {
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: type])
        let http = ScriptedHTTPTransport([.response(head, chunks: [Array(text.utf8)])])
        let error = await #expect(throws: GatewayError.self) {
            try await GatewaySpeechToText(GatewayFixtures.gateway(http)).transcribe(Self.clip)
        }
        #expect(error?.code == code)
    }
}
