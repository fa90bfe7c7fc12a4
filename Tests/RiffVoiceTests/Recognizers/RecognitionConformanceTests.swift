// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffServer
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    /// The rules of the seams of recognition, on everything that implements them.
    @Suite(.timeLimit(.minutes(10)))
    struct RecognitionConformanceTests {
        // MARK: Clips

        static let services: [(name: String, make: @Sendable () throws -> any SpeechToText)] = [
            ("scripted", { ScriptedSpeechToText { clip, _ in try ListeningService.transcript(of: clip) } }),
            ("ElevenLabs", { try ElevenLabsSpeechToText(key: Secret("sk"), transport: ListeningService()) }),
            ("OpenAI", { try OpenAISpeechToText(key: Secret("sk"), transport: ListeningService()) }),
            (
                "OpenAI, packed",
                {
                    let service = try OpenAISpeechToText(key: Secret("sk"), transport: ListeningService())
                    return EncodingSpeechToText(service, with: FLACClipEncoder())
                }
            ),
            ("Riff", { try riff() }),
        ]

        /// A client of our own server, whose recognizer is the scripted one.
        static func riff() throws -> RiffClient {
            let engine = ScriptedSpeechToText { clip, _ in try ListeningService.transcript(of: clip) }
            let configuration = ServerConfiguration(secret: try RiffFixtures.secret(), exposure: .network)
            let server = try VoiceServer(configuration, recognizer: engine) { _ in }
            return RiffClient(
                server: try HTTPBaseURL("http://127.0.0.1:8902"),
                secret: try RiffFixtures.secret(),
                http: BridgedTransport(server: server)
            )
        }

        @Test(arguments: services.map(\.name), SpeechToTextConformance.checks)
        func `clips are recognized`(name: String, check: ConformanceCheck<SpeechToTextConformance>) async throws {
            let make = try #require(Self.services.first { $0.name == name }).make
            let speech = try Speech.file("austen_0880").samples()
            try await check.run(
                SpeechToTextConformance(hearing: speech, isRight: { $0 == "heard" }) { try make() }
            )
        }

        @Test(.enabled(if: MoonshineInstallation.find() != nil))
        func `clips are recognized by the real engine`() async throws {
            let engine = try MoonshineSpeechToTextTests.makeRecognizer()
            let speech = try Speech.file("austen_0880").samples()
            // It may take as long as the audio, and other tests take the processor meanwhile.
            let limit = Duration.seconds(150)
            try await SpeechToTextConformance(hearing: speech, limit: limit, isRight: Self.isAusten) { engine }.runAll()
            await engine.unload()
        }

        // MARK: Turns

        @Test(arguments: SpeechRecognizerConformance.checks)
        func `turns are recognized`(check: ConformanceCheck<SpeechRecognizerConformance>) async throws {
            let pause = Speech.silence(.milliseconds(1_500))
            let speech = pause + (try Speech.file("austen_0880").samples()) + pause
            try await check.run(
                SpeechRecognizerConformance(hearing: speech, isRight: { $0 == "heard" }) {
                    try SegmentingRecognizer(ScriptedSpeechToText { _, _ in Transcript(text: "heard") })
                }
            )
        }

        @Test(.enabled(if: MoonshineInstallation.find() != nil))
        func `turns are recognized by the real engine`() async throws {
            let engine = try MoonshineSpeechToTextTests.makeRecognizer()
            let pause = Speech.silence(.milliseconds(1_500))
            let speech = pause + (try Speech.file("austen_0880").samples()) + pause
            let limit = Duration.seconds(150)
            let suite = SpeechRecognizerConformance(hearing: speech, limit: limit, isRight: Self.isAusten) {
                try SegmentingRecognizer(engine, options: SegmentingRecognizer.Options(partialInterval: nil))
            }
            try await suite.recognizes()
            try await suite.keepsTurnsApart()
            await engine.unload()
        }

        @Sendable static func isAusten(_ text: String) -> Bool {
            MoonshineSpeechToTextTests.words(text).joined(separator: " ") == "he was not an ill disposed young man"
        }
    }
}

/// A speech service that hears whether a clip is silent, and refuses what is no audio.
private struct ListeningService: HTTPTransport {
    static func transcript(of clip: AudioClip) throws -> Transcript {
        Transcript(text: try clip.samples().contains { $0 != 0 } ? "heard" : "")
    }

    func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
        var form: [UInt8] = []
        if case .stream(let chunks, _) = body { for try await chunk in chunks { form += chunk } }
        let reply: ScriptedHTTPTransport.Reply
        do {
            reply = .json("{\"text\":\"\(try Self.text(of: form))\"}")
        } catch is CoreError {
            reply = .json("{\"detail\":\"no audio\"}", status: .badRequest)
        }
        return try await ScriptedHTTPTransport([reply]).send(request, body: .bytes(form), deadlines: deadlines)
    }

    /// What is said in a form's file, which is the last of its parts.
    private static func text(of form: [UInt8]) throws -> String {
        let boundary = try #require(form.firstRange(of: Array("\r\n".utf8))).lowerBound
        let file = try #require(form.firstRange(of: Array("name=\"file\"".utf8)))
        let start = try #require(form[file.upperBound...].firstRange(of: Array("\r\n\r\n".utf8))).upperBound
        let bytes = Array(form[start..<(form.count - boundary - "\r\n--\r\n".utf8.count)])
        // No decoder of FLAC is in here; the packed silence is some bytes.
        if bytes.starts(with: Array("fLaC".utf8)) { return bytes.count > 2_000 ? "heard" : "" }
        let head = String(decoding: form[file.upperBound..<start], as: UTF8.self)
        let encoding: AudioClip.Encoding = head.contains("audio.pcm") ? .pcm(.speech) : .wav
        return try transcript(of: AudioClip(bytes, encoding: encoding)).text
    }
}
