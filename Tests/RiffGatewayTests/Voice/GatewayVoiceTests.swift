// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffGateway
import RiffTesting
import RiffTransport
import RiffVoice
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct GatewayVoiceTests {
    @Test func `what is offered is told, or that there is nothing`() async throws {
        let (gateway, _) = try GatewayFixtures.gateway(["get /api/voice/capabilities", "capabilities_no_voice"])
        let offer = try await gateway.voice()
        #expect(offer.recognition?.limitBytes == 25 * 1_048_576 && offer.recognition?.longest == .seconds(120))
        #expect(offer.synthesis?.voices == ["alloy", "echo", "fable", "onyx", "nova", "shimmer"])
        #expect(offer.synthesis?.standardVoice == "nova" && offer.synthesis?.provider == "openai")
        #expect(try await gateway.voice() == VoiceOffer())
        let (newest, _) = try GatewayFixtures.gateway(["voice_caps"], in: GatewayFixtures.files[1])
        let both = try await newest.voice()
        #expect(both.recognition?.providers == ["openai"] && both.synthesis?.providers == ["openai"])
    }

    @Test func `nothing is said where nothing speaks, and only a voice that is there`() async throws {
        let http = ScriptedHTTPTransport()
        let gateway = try GatewayFixtures.gateway(http)
        let voices = VoiceOffer(synthesis: .init(voices: ["nova"]))
        for (offer, code) in [
            (VoiceOffer(recognition: .init()), GatewayError.Code.voiceUnavailable), (voices, .voiceUnknown),
        ] {
            let error = await #expect(throws: GatewayError.self) {
                try await GatewayVoice(gateway, offer: offer, voice: "rachel").speak("hi") { _ in }
            }
            #expect(error?.code == code)
        }
        try await GatewayVoice(gateway, offer: voices, voice: "nova").speak(" \n") { _ in }
        #expect(http.requests.isEmpty)
    }

    @Test(arguments: [
        ("synth_bad_voice", GatewayError.Code.requestRefused), ("synth_upstream_error", .gatewayFailed),
        ("synth_4097", .requestRefused), ("no_provider /api/voice/synthesize", .voiceUnavailable),
        ("noauth /api/providers", .unauthorized),
    ])
    func `every refusal to speak has its error`(name: String, code: GatewayError.Code) async throws {
        let (gateway, _) = try GatewayFixtures.gateway([name])
        let error = await #expect(throws: GatewayError.self) { try await GatewayVoice(gateway).speak("x") { _ in } }
        #expect(error?.code == code)
    }

    @Test func `a service behind the gateway that takes no more is told as that`() async throws {
        let text = #"{"error":"OpenAI TTS error (429): {\"error\":\"slow down\"}"}"#
        let http = ScriptedHTTPTransport([.json(text, status: .internalServerError)])
        let error = await #expect(throws: GatewayError.self) {
            try await GatewayVoice(GatewayFixtures.gateway(http)).speak("x") { _ in }
        }
        #expect(error?.code == .rateLimited && error?.status == 500 && error?.recovery == .retry)
    }

    @Test(arguments: [(4095, 1), (4096, 1), (4097, 2), (8192, 2), (8193, 3)])
    func `what fits into a request is one`(count: Int, requests: Int) async throws {
        for letter in ["x", "\u{1F600}"] {
            let text = String(repeating: letter, count: count / letter.utf16.count)
            let http = ScriptedHTTPTransport(try (0..<4).map { _ in try GatewayFixtures.reply("synth_4096") })
            try await GatewayVoice(try GatewayFixtures.gateway(http)).speak(text) { _ in }
            let pieces = try http.requests.map { try JSONValue(parsing: $0.body)["text"]?.text ?? "" }
            #expect(pieces.joined() == text && pieces.allSatisfy { $0.utf16.count <= 4096 })
            #expect(pieces.count == (text.utf16.count + 4095) / 4096)
            if letter == "x" { #expect(pieces.count == requests) }
        }
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
        #expect(pieces.joined(separator: " ") == text)
        #expect(bodies[0]["speed"]?.double == 4)
    }

    /// Unpacks nothing: a tone of a second in the place of each file.
    private struct Decoder: AudioClipDecoder {
        let clips = Signal()

        final class Signal: Sendable {
            let encodings = Mutex<[AudioClip.Encoding]>([])
        }

        func decode(_ clip: AudioClip) async throws -> AudioClip {
            clips.encodings.withLock { $0.append(clip.encoding) }
            return AudioClip([UInt8](repeating: 7, count: 32_000), encoding: .pcm(.speech))
        }
    }

    @Test func `speech is unpacked, and delivered in tenths of a second`() async throws {
        let decoder = Decoder()
        let (gateway, _) = try GatewayFixtures.gateway(["synth_ok"])
        let sizes = Mutex<[Int]>([])
        let voice = GatewayTextToSpeech(GatewayVoice(gateway), decoder: decoder, format: .speech)
        try await voice.synthesize("Hello") { bytes, format in
            #expect(format == .speech)
            sizes.withLock { $0.append(bytes.count) }
        }
        #expect(decoder.clips.encodings.withLock { $0 } == [.mp3])
        #expect(sizes.withLock { $0 } == Array(repeating: 3_200, count: 10))
        let (other, _) = try GatewayFixtures.gateway(["synth_ok"])
        let stop = await #expect(throws: CancellationError.self) {
            try await GatewayTextToSpeech(GatewayVoice(other), decoder: decoder).synthesize("x") { _, _ in
                throw CancellationError()
            }
        }
        #expect(stop != nil)
    }
}
