// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffGateway
import RiffTesting
import RiffTransport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct GatewayVoiceTests {
    private static let clip = AudioClip(
        [UInt8](repeating: 1, count: 3_200),
        encoding: .pcm(AudioFormat(sampleRate: 16_000))
    )

    @Test func `what is offered is told, or that there is nothing`() async throws {
        let (gateway, _) = try GatewayFixtures.gateway(["get /api/voice/capabilities"])
        let offer = try await gateway.voice()
        #expect(offer.recognition?.limitBytes == 25 * 1_048_576 && offer.recognition?.longest == .seconds(120))
        #expect(offer.synthesis?.voices == ["alloy", "echo", "fable", "onyx", "nova", "shimmer"])
        #expect(offer.synthesis?.standardVoice == "nova")
        let none = ScriptedHTTPTransport([.json(#"{"stt":{"available":false},"tts":{"available":false}}"#)])
        let nothing = try await GatewayFixtures.gateway(none).voice()
        #expect(nothing.recognition == nil && nothing.synthesis == nil)
    }

    @Test func `a clip is sent as a form, with its language, and becomes text`() async throws {
        let (gateway, http) = try GatewayFixtures.gateway(["transcribe_ok"])
        let transcript = try await GatewaySpeechToText(gateway, language: "da").transcribe(Self.clip)
        #expect(transcript.text == "hello gateway" && transcript.language == "en")
        let request = try #require(http.requests.first)
        #expect(request.head.headerFields[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
        let body = String(decoding: request.body, as: UTF8.self)
        #expect(body.contains("name=\"language\"\r\n\r\nda\r\n") && body.contains("filename=\"audio.wav\""))
    }

    @Test func `what the gateway would cut or refuse is not sent`() async throws {
        let http = ScriptedHTTPTransport()
        let gateway = try GatewayFixtures.gateway(http)
        let offer = VoiceOffer.Recognition(model: nil, longest: .seconds(1), limitBytes: 1000)
        for (clip, offer, code) in [
            (AudioClip([1, 2], encoding: .wav), nil, GatewayError.Code.audioTooShort),
            (Self.clip, offer, .audioTooLarge),
        ] {
            let error = await #expect(throws: GatewayError.self) {
                try await GatewaySpeechToText(gateway, offer: offer).transcribe(clip)
            }
            #expect(error?.code == code)
        }
        let voices = VoiceOffer.Synthesis(model: nil, voices: ["nova"], standardVoice: nil)
        let error = await #expect(throws: GatewayError.self) {
            try await GatewayVoice(gateway, offer: voices, voice: "rachel").speak("hi") { _ in }
        }
        #expect(error?.code == .voiceUnknown)
        #expect(http.requests.isEmpty)
    }

    @Test func `every refusal of speech has its error`() async throws {
        for (name, code) in [
            ("transcribe_small", GatewayError.Code.requestRefused), ("synth_bad_voice", .requestRefused),
            ("synth_upstream_error", .gatewayFailed),
        ] {
            let (gateway, _) = try GatewayFixtures.gateway([name])
            let error = await #expect(throws: GatewayError.self) {
                try await GatewayVoice(gateway).speak("x") { _ in }
            }
            #expect(error?.code == code, "\(name)")
        }
        let none = ScriptedHTTPTransport([
            .json(#"{"error":"No STT provider configured"}"#, status: .serviceUnavailable)
        ])
        let error = await #expect(throws: GatewayError.self) {
            try await GatewaySpeechToText(GatewayFixtures.gateway(none)).transcribe(Self.clip)
        }
        #expect(error?.code == .voiceUnavailable && error?.answer?.message == "No STT provider configured")
    }

    @Test func `a long text is spoken in pieces that fit, none lost`() async throws {
        let sentence = "This is a sentence with some words in it. "
        let text = String(repeating: sentence, count: 300) + "😀👨‍👩‍👧‍👦 end"
        let http = ScriptedHTTPTransport(try (0..<10).map { _ in try GatewayFixtures.reply("synth_ok") })
        let files = Mutex(0)
        try await GatewayVoice(try GatewayFixtures.gateway(http), speed: 9).speak(text) { clip in
            #expect(clip.encoding == .mp3)
            files.withLock { $0 += 1 }
        }
        let bodies = try http.requests.map { try JSONValue(parsing: $0.body) }
        let pieces = bodies.compactMap { $0["text"]?.text }
        #expect(pieces.count == files.withLock { $0 } && pieces.count == 4)
        #expect(pieces.allSatisfy { $0.utf16.count <= 4096 })
        #expect(pieces.joined(separator: " ") == text)
        #expect(bodies[0]["speed"]?.double == 4)
        let long = String(repeating: "x", count: 9_000)
        let other = ScriptedHTTPTransport(try (0..<3).map { _ in try GatewayFixtures.reply("synth_ok") })
        try await GatewayVoice(try GatewayFixtures.gateway(other)).speak(long) { _ in }
        #expect(try other.requests.map { try JSONValue(parsing: $0.body)["text"]?.text ?? "" }.joined() == long)
    }
}
