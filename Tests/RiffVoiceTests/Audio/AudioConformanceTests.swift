// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    /// The rules of the two seams, on everything that implements them.
    @Suite(.timeLimit(.minutes(5)))
    struct AudioConformanceTests {
        static let samples = Speech.tone(.milliseconds(700))

        // MARK: Sources

        static let sources: [(name: String, suite: @Sendable () throws -> AudioSourceConformance)] = [
            ("memory", { AudioSourceConformance(giving: samples) { MemoryAudioSource(samples) } }),
            (
                "pushed",
                {
                    AudioSourceConformance(giving: samples, endless: { MemoryAudioSource() }) {
                        let source = MemoryAudioSource()
                        for start in stride(from: 0, to: samples.count, by: 333) {
                            try await source.push(Array(samples[start..<min(start + 333, samples.count)]))
                        }
                        source.finish()
                        return source
                    }
                }
            ),
            ("scripted", { AudioSourceConformance(giving: samples) { ScriptedAudioSource([.frames(samples)]) } }),
            (
                "WAV file",
                {
                    let speech = try Speech.file("goforward").samples()
                    return AudioSourceConformance(giving: speech) { WAVFileSource(Speech.path("goforward")) }
                }
            ),
            (
                "command",
                {
                    let speech = try Speech.file("goforward").bytes
                    // The file's 44 bytes of header are whole samples too.
                    let silent: AudioSourceConformance.Factory = {
                        CommandAudioSource(AudioCommand("sleep", ["60"], usesDevice: true))
                    }
                    return AudioSourceConformance(giving: speech, endless: silent) {
                        CommandAudioSource(AudioCommand("cat", [Speech.path("goforward")]))
                    }
                }
            ),
            (
                "converted",
                {
                    AudioSourceConformance(giving: samples, endless: { ConvertedAudioSource(MemoryAudioSource()) }) {
                        ConvertedAudioSource(MemoryAudioSource(samples))
                    }
                }
            ),
        ]

        @Test(arguments: sources.map(\.name), AudioSourceConformance.checks)
        func `every source keeps the rules`(
            name: String,
            check: ConformanceCheck<AudioSourceConformance>
        ) async throws {
            let suite = try #require(Self.sources.first { $0.name == name }).suite
            try await check.run(suite())
        }

        // MARK: Sinks

        enum Sink: String, CaseIterable, Sendable, CustomTestStringConvertible {
            case memory, wav, caf, command, slowCommand, wavCommand
            var testDescription: String { rawValue }
        }

        static let formats = [AudioFormat.speech, AudioFormat(sampleRate: 48_000, channels: 2, sample: .float32)]

        static func make(
            _ kind: Sink,
            in folder: String
        ) -> (sink: any AudioSink, arrived: @Sendable () async throws -> [UInt8]) {
            let path = "\(folder)/\(UUID().uuidString)"
            switch kind {
            case .memory:
                let sink = MemoryAudioSink()
                return (sink, { await sink.clip?.bytes ?? [] })
            case .wav:
                return (AudioFileSink(path), { try WAVReader.read(AudioFolder.contents(path)).samples })
            case .caf:
                return (AudioFileSink(path, as: .caf), { try CAFReader.read(AudioFolder.contents(path)).samples })
            case .command, .slowCommand, .wavCommand:
                // One that is slow to read: its pipe, and then the queue before it, fill up.
                let script = kind == .slowCommand ? "sleep 0.3; cat > \"$1\"" : "cat > \"$1\""
                let form: AudioCommand.Form = kind == .wavCommand ? .wav : .raw
                let sink = CommandAudioSink {
                    AudioCommand("sh", ["-c", script, "sh", path], format: $0, form: form)
                }
                return (
                    sink,
                    {
                        let bytes = try AudioFolder.contents(path)
                        return kind == .wavCommand ? try WAVReader.read(bytes).samples : bytes
                    }
                )
            }
        }

        @Test(arguments: Sink.allCases, AudioSinkConformance.checks)
        func `every sink keeps the rules`(kind: Sink, check: ConformanceCheck<AudioSinkConformance>) async throws {
            try await AudioFolder.with { folder in
                for format in Self.formats {
                    try await check.run(AudioSinkConformance(format: format) { Self.make(kind, in: folder) })
                }
            }
        }

        // MARK: The checks themselves

        @Test func `a source that loses a frame, and a sink that plays one twice, are found`() async throws {
            let source = AudioSourceConformance(giving: Self.samples) { MemoryAudioSource(Self.samples.dropLast(2)) }
            let lost = await #expect(throws: ConformanceFailure.self) { try await source.runAll() }
            #expect(lost?.check == "givesEveryFrame()")
            let sink = AudioSinkConformance {
                let sink = MemoryAudioSink()
                return (sink, { await (sink.clip?.bytes ?? []) + [0, 0] })
            }
            let doubled = await #expect(throws: ConformanceFailure.self) { try await sink.runAll() }
            #expect(doubled?.check == "playsEveryFrame()")
        }
    }
}
