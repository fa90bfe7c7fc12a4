// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffTesting
import RiffVoice
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    /// Files written here, read by programs that others wrote, and the other way round.
    @Suite(.timeLimit(.minutes(5)))
    struct ForeignAudioToolsTests {
        enum Container: String, CaseIterable, Sendable { case wav, caf }
        enum End: CaseIterable, Sendable { case finished, killed }

        static let formats = [
            AudioFormat.speech, AudioFormat(sampleRate: 44_100, channels: 2),
            AudioFormat(sampleRate: 48_000, sample: .float32),
            AudioFormat(sampleRate: 24_000, channels: 2, sample: .float32),
        ]

        /// Frames that no rate here divides into whole seconds.
        static let frames = 12_347

        static func write(_ container: Container, _ format: AudioFormat, to path: String, _ end: End) throws {
            let samples = CAFTests.samples(format, frames: frames)
            let pieces = stride(from: 0, to: samples.count, by: 800 * format.bytesPerFrame).map {
                Array(samples[$0..<min($0 + 800 * format.bytesPerFrame, samples.count)])
            }
            switch container {
            case .wav:
                var writer = try WAVFileWriter(path: path, format: format)
                for piece in pieces { try writer.append(piece) }
                if end == .finished { try writer.finish() }
            case .caf:
                var writer = try CAFFileWriter(path: path, format: format)
                for piece in pieces { try writer.append(piece) }
                if end == .finished { try writer.finish() }
            }
        }

        /// Floats may differ by a step of 16 bits: libsndfile, through which sox reads CAF, scales them so that their
        /// peak is 32,767 of 32,768.
        static func isSame(_ samples: [UInt8], _ expected: [UInt8], _ format: AudioFormat) -> Bool {
            if format.sample == .int16 { return samples == expected }
            let pairs = zip(ResamplerTests.floats(samples), ResamplerTests.floats(expected))
            return samples.count == expected.count && pairs.allSatisfy { abs($0 - $1) < 1e-4 }
        }

        @Test(.enabled(if: SystemProgram.path("sox") != nil), arguments: Container.allCases, End.allCases)
        func `sox reads every format with its exact length, also from a recorder that was killed`(
            container: Container,
            end: End
        ) async throws {
            try await AudioFolder.with { folder in
                for (index, format) in Self.formats.enumerated() {
                    let path = "\(folder)/\(index).\(container.rawValue)"
                    try Self.write(container, format, to: path, end)
                    func ask(_ option: String) async throws -> String {
                        try await SystemProgram.run("sox", ["--info", option, path]).output
                            .trimmingCharacters(in: .whitespacesAndNewlines)
                    }
                    #expect(try await ask("-s") == "\(Self.frames)")
                    #expect(try await ask("-r") == "\(format.sampleRate)")
                    #expect(try await ask("-c") == "\(format.channels)")
                    let raw = "\(folder)/\(index).raw"
                    let encoding =
                        format.sample == .int16 ? ["-e", "signed", "-b", "16"] : ["-e", "float", "-b", "32"]
                    let (status, said) = try await SystemProgram.run("sox", ["-D", path] + encoding + [raw])
                    #expect(status == 0, "\(said)")
                    let samples = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
                    #expect(Self.isSame(samples, CAFTests.samples(format, frames: Self.frames), format))
                }
            }
        }

        @Test(.enabled(if: SystemProgram.path("ffmpeg") != nil), arguments: Container.allCases, End.allCases)
        func `ffmpeg reads every format, sample by sample, also from a recorder that was killed`(
            container: Container,
            end: End
        ) async throws {
            try await AudioFolder.with { folder in
                for (index, format) in Self.formats.enumerated() {
                    let path = "\(folder)/\(index).\(container.rawValue)"
                    try Self.write(container, format, to: path, end)
                    let raw = "\(folder)/\(index).raw"
                    let codec = format.sample == .int16 ? "s16le" : "f32le"
                    let (status, said) = try await SystemProgram.run(
                        "ffmpeg",
                        ["-hide_banner", "-nostdin", "-i", path, "-f", codec, raw]
                    )
                    #expect(status == 0)
                    #expect(said.contains("Audio: pcm_\(codec)"))
                    #expect(said.contains(" \(format.sampleRate) Hz, \(format.channels == 1 ? "mono" : "stereo")"))
                    let samples = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
                    #expect(samples == CAFTests.samples(format, frames: Self.frames))
                }
            }
        }

        @Test(
            .enabled(if: SystemProgram.path("sox") != nil),
            arguments: [["-e", "signed", "-b", "16"], ["-e", "signed", "-b", "24"], ["-e", "float", "-b", "32"]],
            ["-L", "-B"]
        )
        func `sox's own CAF files are read`(encoding: [String], order: String) async throws {
            try await AudioFolder.with { folder in
                let format = AudioFormat.speech
                let own = "\(folder)/own.wav"
                try Self.write(.wav, format, to: own, .finished)
                let path = "\(folder)/theirs.caf"
                let (status, said) = try await SystemProgram.run("sox", ["-D", own] + encoding + [order, path])
                #expect(status == 0, "\(said)")
                let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
                let read = try CAFReader.read(file, as: format)
                #expect(Self.isSame(read.samples, CAFTests.samples(format, frames: Self.frames), format))
            }
        }
    }
}
