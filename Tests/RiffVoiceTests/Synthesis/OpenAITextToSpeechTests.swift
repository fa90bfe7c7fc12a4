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

@Suite(.timeLimit(.minutes(5))) struct OpenAITextToSpeechTests {
    static let key = Secret("sk-test-123")
    static let wav = Result { try WAVWriter.file(Speech.tone(.milliseconds(300)), format: .speech) }

    static func audio(_ bytes: [UInt8], failure: (any Error)? = nil) -> ScriptedHTTPTransport.Reply {
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: "audio/wav"])
        let middle = bytes.count / 2 + 1
        return .response(head, chunks: [Array(bytes[..<middle]), Array(bytes[middle...])], failure: failure)
    }

    static func make(_ service: any HTTPTransport, limitBytes: Int = 1 << 20) throws -> OpenAITextToSpeech {
        try OpenAITextToSpeech(
            key: key,
            options: .init(model: "tts-1", voice: "nova", instructions: "calmly", speed: 1.25),
            baseURL: "https://voice.example/api",
            limitBytes: limitBytes,
            transport: service
        )
    }

    @Test(arguments: TextToSpeechConformance.checks)
    func `it keeps the rules`(check: ConformanceCheck<TextToSpeechConformance>) async throws {
        try await check.run(TextToSpeechConformance { try Self.make(SpeakingService()) })
    }

    @Test func `the request is as the reference has it`() async throws {
        let service = ScriptedHTTPTransport([Self.audio(try Self.wav.get())])
        let clip = try await Self.make(service).clip(of: "Say \"this\".")
        #expect(clip == AudioClip(Speech.tone(.milliseconds(300)), encoding: .pcm(.speech)))
        let sent = try #require(service.requests.first)
        #expect(sent.head.method == .post)
        #expect(sent.head.path == "/api/v1/audio/speech")
        #expect(sent.head.authority == "voice.example")
        #expect(sent.head.headerFields[.authorization] == "Bearer sk-test-123")
        #expect(sent.head.headerFields[.contentType] == "application/json")
        let expected: JSONObject = [
            "model": .string("tts-1"), "input": .string("Say \"this\"."), "voice": .string("nova"),
            "response_format": .string("wav"), "instructions": .string("calmly"), "speed": .number(1.25),
        ]
        #expect(try JSONValue(parsing: sent.body) == .object(expected))
    }

    @Test(arguments: [
        (401, #"{"error":{"code":"invalid_api_key","message":"secret"}}"#, VoiceError.Code.synthesisUnauthorized),
        (429, #"{"error":{"code":"insufficient_quota"}}"#, .synthesisQuotaExceeded),
        (429, #"{"error":{"type":"requests"}}"#, .synthesisRateLimited),
        (404, #"{"error":{"code":"model_not_found"}}"#, .synthesisRejected),
        (400, "secret", .synthesisRejected), (413, "", .synthesisTooLarge), (503, "", .synthesisUnavailable),
        (302, "", .synthesisMalformed), (200, #"{"secret":1}, which is no audio"#, .synthesisMalformed),
        (200, "", .synthesisMalformed),
    ])
    func `each error has its code, and shows no payload`(status: Int, body: String, code: VoiceError.Code) async throws
    {
        let service = ScriptedHTTPTransport([.json(body, status: .init(code: status))])
        let error = await #expect(throws: VoiceError.self) { _ = try await Self.make(service).clip(of: "hello") }
        #expect(error?.code == code)
        #expect(error?.message.contains("secret") == false && error?.message.contains("sk-test") == false)
        #expect(service.requests.count == 1, "what may have been billed is not sent again")
    }

    @Test func `it is sent again only where nothing was sent`() async throws {
        let refused = TransportError(.httpNeverConnected, "refused", recovery: .checkNetwork)
        let service = ScriptedHTTPTransport([.failure(refused), Self.audio(try Self.wav.get())])
        #expect(try await Self.make(service).clip(of: "hello") != nil)
        let lost = ScriptedHTTPTransport([.failure(TransportError(.connectionLost, "lost")), Self.audio([0, 0])])
        await #expect(throws: TransportError.self) { _ = try await Self.make(lost).clip(of: "hello") }
        #expect(lost.requests.count == 1)
    }

    @Test func `audio that is cut, too much, or lost on its way is no end`() async throws {
        let whole = try Self.wav.get()
        let cut = ScriptedHTTPTransport([Self.audio(Array(whole.dropLast(1_000)))])
        var error = await #expect(throws: VoiceError.self) { _ = try await Self.make(cut).clip(of: "hello") }
        #expect(error?.code == .synthesisMalformed)
        let much = ScriptedHTTPTransport([Self.audio(whole)])
        error = await #expect(throws: VoiceError.self) {
            _ = try await Self.make(much, limitBytes: whole.count - 1).clip(of: "hello")
        }
        #expect(error?.code == .synthesisTooLarge)
        let lost = ScriptedHTTPTransport([Self.audio(whole, failure: TransportError(.connectionLost, "lost"))])
        let failure = await #expect(throws: TransportError.self) { _ = try await Self.make(lost).clip(of: "hello") }
        #expect(failure?.code == .connectionLost)
    }

    @Test func `a text that is too long, or a key that is none, is not sent`() async throws {
        let service = ScriptedHTTPTransport()
        let long = String(repeating: "a", count: 4_097)
        var error = await #expect(throws: VoiceError.self) { _ = try await Self.make(service).clip(of: long) }
        #expect(error?.code == .synthesisTooLarge)
        let broken = try OpenAITextToSpeech(key: Secret("a b"), transport: service)
        error = await #expect(throws: VoiceError.self) { _ = try await broken.clip(of: "hello") }
        #expect(error?.code == .synthesisUnauthorized)
        #expect(service.requests.isEmpty)
    }
}
