// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffTesting
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    /// Offline dictation of recordings by the real engine, live, where it is installed.
    ///
    /// The engine loses memory with each clip, so that CI has two short ones. `RIFF_DICTATION=all` runs the recordings
    /// of `../shared/audio`, or of the folder in `RIFF_AUDIO`, clean and under noise; `RIFF_DICTATION=clean,10` some of
    /// it.
    @Suite(.serialized, .enabled(if: MoonshineInstallation.find() != nil), .timeLimit(.minutes(20)))
    struct DictationFiguresTests {
        /// What the recognizer told of a recording.
        struct Outcome {
            var errors = WordErrors()
            /// Words of lines that lie where nobody speaks.
            var invented = 0
            var heard = ""
        }

        static func recognize(_ recording: NoisyRecording, by recognizer: SegmentingRecognizer) async throws -> Outcome
        {
            let told = Mutex(TranscriptAccumulator())
            try await recognizer.recognize(MemoryAudioSource(recording.frames)) { event in
                switch event {
                case .line(let line): told.withLock { _ = $0.update(line) }
                case .failed(let failure): throw failure.error
                case .speechStarted, .speechEnded: break
                }
            }
            let transcript = told.withLock { $0 }
            #expect(transcript.isComplete)
            let inPlace = transcript.lines.filter {
                $0.start <= recording.spoken.upperBound && $0.start + $0.duration >= recording.spoken.lowerBound
            }
            let text = inPlace.map(\.text).joined(separator: " ")
            return Outcome(
                errors: WordErrors(heard: text, said: recording.words),
                invented: WordErrors.words(transcript.text).count - WordErrors.words(text).count,
                heard: transcript.text
            )
        }

        @Test func `speech is dictated live, between stretches of silence in which nothing is invented`() async throws {
            let engine = try MoonshineSpeechToTextTests.makeRecognizer()
            let clip = ("austen_0880", "he was not an ill disposed young man", try Speech.file("austen_0880").floats())
            let recording = NoisyRecording(clip, margin: 3, noise: nil, seed: 0)
            let outcome = try await Self.recognize(recording, by: SegmentingRecognizer(engine))
            #expect(outcome.errors.count == 0, "\(outcome.heard)")
            #expect(outcome.invented == 0)
            await engine.unload()
        }

        @Test func `in noise nothing is invented where nobody speaks`() async throws {
            let engine = try MoonshineSpeechToTextTests.makeRecognizer()
            let options = SegmentingRecognizer.Options(partialInterval: nil)
            let recognizer = try SegmentingRecognizer(engine, options: options)
            let clip = ("goforward", "go forward ten meters", try Speech.file("goforward").floats())
            let recording = NoisyRecording(clip, margin: 5, noise: (.fan, 10), seed: 4)
            let outcome = try await Self.recognize(recording, by: recognizer)
            #expect(outcome.invented == 0, "\(outcome.heard)")
            #expect(outcome.errors.count <= 1, "\(outcome.heard)")
            await engine.unload()
        }

        // MARK: The whole set

        static let conditions: [String] = {
            let asked = ProcessInfo.processInfo.environment["RIFF_DICTATION"] ?? ""
            let all = ["clean", "20", "10", "5", "0"]
            return asked == "all" ? all : asked.split(separator: ",").map { String($0) }.filter { all.contains($0) }
        }()

        static let folder: String = {
            let root = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            return ProcessInfo.processInfo.environment["RIFF_AUDIO"] ?? root.path + "/../shared/audio"
        }()

        @Test(.enabled(if: !conditions.isEmpty, "RIFF_DICTATION asks for it"), arguments: conditions)
        func `the recordings are dictated`(condition: String) async throws {
            guard let clips = try NoisyRecording.clips(in: Self.folder) else {
                print("There are no recordings in \(Self.folder): nothing was dictated.")
                return
            }
            let engine = try MoonshineSpeechToTextTests.makeRecognizer()
            let recognizer = try SegmentingRecognizer(
                engine,
                options: SegmentingRecognizer.Options(partialInterval: nil)
            )
            let noises: [SyntheticSound.Kind] = [.white, .pink, .fan, .cars]
            var (errors, invented, table) = (WordErrors(), 0, "")
            for (number, clip) in clips.enumerated() {
                let noise = Float(condition).map { (noises[number % 4], $0) }
                let recording = NoisyRecording(clip, margin: 5, noise: noise, seed: UInt64(number))
                let outcome = try await Self.recognize(recording, by: recognizer)
                errors += outcome.errors
                invented += outcome.invented
                let over = noise.map { $0.0.rawValue } ?? "silence"
                table += "  \(clip.name) (\(over)): \(outcome.errors.count)/\(outcome.errors.words) \(outcome.heard)\n"
            }
            await engine.unload()
            let rate = String(format: "%.1f", errors.rate * 100)
            print(
                "\(condition): word error rate \(rate) % (\(errors.count) of \(errors.words): \(errors.replaced) replaced, "
                    + "\(errors.missing) missing, \(errors.added) added), \(invented) words where nobody speaks\n\(table)"
            )
            #expect(invented == 0)
            if condition == "clean" { #expect(errors.rate <= 0.05) }
        }
    }
}

@Suite struct WordErrorsTests {
    @Test(arguments: [
        ("Ten of clubs.", "ten of clubs", 0), ("10 of cloves", "ten of clubs", 1), ("", "a b c", 3), ("a b c", "", 3),
        ("a x b", "a b", 1), ("b", "a b", 1), ("Mr. John's cold-hearted", "mister johns cold hearted", 0),
    ])
    func `words that were heard wrong are counted`(heard: String, said: String, count: Int) {
        let errors = WordErrors(heard: heard, said: said)
        #expect(errors.count == count)
        #expect(errors.words == said.split(separator: " ").count)
    }
}
