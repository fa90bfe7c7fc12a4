// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing
import VoiceTestSupport

@Suite(.timeLimit(.minutes(5))) struct ElevenLabsTextToSpeechTests {
    static func audio(_ bytes: [UInt8], type: String = "audio/pcm") -> ScriptedHTTPTransport.Reply {
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: type])
        let middle = bytes.count / 2 | 1
        return .response(head, chunks: [Array(bytes[..<middle]), Array(bytes[middle...])])
    }

    static func make(_ service: any HTTPTransport, limitBytes: Int = 1 << 20) throws -> ElevenLabsTextToSpeech {
        try ElevenLabsTextToSpeech(
            key: Secret("sk-test-123"),
            options: .init(language: "en", sampleRate: 16_000),
            baseURL: "https://voice.example/api",
            limitBytes: limitBytes,
            transport: service
        )
    }

    @Test(arguments: TextToSpeechConformance.checks)
    func `it keeps the rules`(check: ConformanceCheck<TextToSpeechConformance>) async throws {
        try await check.run(
            TextToSpeechConformance {
                try ElevenLabsTextToSpeech(key: Secret("sk"), transport: SpeakingService())
            }
        )
    }

    @Test func `the request is as the reference has it, and the samples are whole wherever they are cut`() async throws
    {
        let tone = Speech.tone(.milliseconds(300))
        let service = ScriptedHTTPTransport([Self.audio(tone)])
        let clip = try await Self.make(service).clip(of: "Say \"this\".")
        #expect(clip == AudioClip(tone, encoding: .pcm(.speech)))
        let sent = try #require(service.requests.first)
        #expect(sent.head.method == .post)
        #expect(sent.head.path == "/api/v1/text-to-speech/21m00Tcm4TlvDq8ikWAM/stream?output_format=pcm_16000")
        #expect(sent.head.headerFields[try #require(HTTPField.Name("xi-api-key"))] == "sk-test-123")
        let expected: JSONObject = [
            "text": .string("Say \"this\"."), "model_id": .string("eleven_multilingual_v2"),
            "language_code": .string("en"),
        ]
        #expect(try JSONValue(parsing: sent.body) == .object(expected))
    }

    @Test(arguments: [
        (401, #"{"detail":{"status":"invalid_api_key","message":"secret"}}"#, VoiceError.Code.synthesisUnauthorized),
        (401, #"{"detail":{"status":"quota_exceeded"}}"#, .synthesisQuotaExceeded),
        (429, #"{"detail":{"status":"too_many_concurrent_requests"}}"#, .synthesisRateLimited),
        (404, #"{"detail":{"status":"voice_not_found"}}"#, .synthesisRejected),
        (422, #"{"detail":[{"loc":["body","text"],"msg":"secret"}]}"#, .synthesisRejected),
        (503, "", .synthesisUnavailable), (302, "", .synthesisMalformed),
        (200, #"{"secret":"no audio"}"#, .synthesisMalformed), (200, "", .synthesisMalformed),
    ])
    func `each error has its code, and shows no payload`(status: Int, body: String, code: VoiceError.Code) async throws
    {
        let service = ScriptedHTTPTransport([.json(body, status: .init(code: status))])
        let error = await #expect(throws: VoiceError.self) { _ = try await Self.make(service).clip(of: "hello") }
        #expect(error?.code == code)
        #expect(error?.message.contains("secret") == false && error?.message.contains("sk-test") == false)
        #expect(service.requests.count == 1)
    }

    @Test func `half a sample, too much audio, too long a text and a strange voice are errors`() async throws {
        let odd = ScriptedHTTPTransport([Self.audio([1, 2, 3])])
        var error = await #expect(throws: VoiceError.self) { _ = try await Self.make(odd).clip(of: "hello") }
        #expect(error?.code == .synthesisMalformed)
        let much = ScriptedHTTPTransport([Self.audio([UInt8](repeating: 0, count: 100))])
        error = await #expect(throws: VoiceError.self) {
            _ = try await Self.make(much, limitBytes: 99).clip(of: "hello")
        }
        #expect(error?.code == .synthesisTooLarge)
        let silent = ScriptedHTTPTransport()
        error = await #expect(throws: VoiceError.self) {
            _ = try await Self.make(silent).clip(of: String(repeating: "a", count: 10_001))
        }
        #expect(error?.code == .synthesisTooLarge)
        #expect(silent.requests.isEmpty)
        for voice in ["", "../x", "a b", "a?b", "ä"] {
            error = #expect(throws: VoiceError.self) {
                try ElevenLabsTextToSpeech(key: Secret("k"), options: .init(voice: voice), transport: silent)
            }
            #expect(error?.code == .serviceAddressInvalid)
        }
    }
}
