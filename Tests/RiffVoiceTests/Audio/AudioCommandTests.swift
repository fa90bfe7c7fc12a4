// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    /// Real programs on the other end of the pipe.
    @Suite(.timeLimit(.minutes(5)))
    struct AudioCommandTests {
        static func read(_ command: AudioCommand) async throws -> [UInt8] {
            let source = CommandAudioSource(command)
            _ = try await source.start()
            var bytes: [UInt8] = []
            for try await frames in source.frames { bytes += frames }
            await source.stop()
            return bytes
        }

        /// How much louder the difference is than -90 dBFS; resamplers and dither differ in their last bits.
        static func difference(_ one: [UInt8], _ other: [UInt8]) -> Double {
            var bytes: [UInt8] = []
            for offset in stride(from: 0, to: min(one.count, other.count) - 1, by: 2) {
                bytes.appendLittleEndian(
                    one.littleEndian(Int16.self, at: offset) &- other.littleEndian(Int16.self, at: offset)
                )
            }
            return AudioLevel(of: bytes, format: .speech).rms
        }

        static let decoders: [(name: String, command: @Sendable (String) -> AudioCommand)] = [
            ("sox", { .sox(decoding: $0) }), ("ffmpeg", { .ffmpeg(decoding: $0) }),
        ]

        @Test(arguments: ["sox", "ffmpeg"].filter { SystemProgram.path($0) != nil })
        func `any file becomes 16 kHz mono, at its exact length and pitch`(program: String) async throws {
            let command = try #require(Self.decoders.first { $0.name == program }).command
            try await AudioFolder.with { folder in
                // A name that would be an option, a command or a pattern to somebody who is careless.
                let path = "\(folder)/-tone *[0] | $(x).wav"
                let format = AudioFormat(sampleRate: 48_000, channels: 2)
                let tone = FormatChangeTests.tone(format, seconds: 1.5, from: 0)
                let sink = AudioFileSink(path)
                try await sink.start(format)
                try await sink.write(tone)
                try await sink.finish()
                let bytes = try await Self.read(command(path))
                #expect(bytes.count == 48_000)
                let expected = FormatChangeTests.tone(.speech, seconds: 1.5, from: 0)
                #expect(Self.difference(Array(bytes[3_200..<44_800]), Array(expected[3_200..<44_800])) < -70)
            }
        }

        @Test(arguments: ["sox", "ffmpeg"].filter { SystemProgram.path($0) != nil })
        func `an encoder's file holds what was played`(program: String) async throws {
            try await AudioFolder.with { folder in
                let path = "\(folder)/spoken.wav"
                let speech = try Speech.file("goforward").samples()
                let sink = CommandAudioSink { format in
                    program == "sox" ? .sox(encodingTo: path, from: format) : .ffmpeg(encodingTo: path, from: format)
                }
                try await sink.start(.speech)
                for start in stride(from: 0, to: speech.count, by: 640) {
                    try await sink.write(Array(speech[start..<min(start + 640, speech.count)]))
                }
                try await sink.finish()
                let isSame = try WAVReader.read(AudioFolder.contents(path)).samples == speech
                #expect(isSame)
            }
        }

        /// No sound card is needed: ALSA's own plugins stand in for one.
        @Test(.enabled(if: SystemProgram.path("aplay") != nil, "alsa-utils is not installed"))
        func `ALSA's player gets every sample, and a device that is not there is an error`() async throws {
            try await AudioFolder.with { folder in
                let path = "\(folder)/heard.raw"
                let speech = try Speech.file("goforward").samples()
                let sink = CommandAudioSink { .aplay($0, device: "file:\(path),raw") }
                try await sink.start(.speech)
                for start in stride(from: 0, to: speech.count, by: 640) {
                    try await sink.write(Array(speech[start..<min(start + 640, speech.count)]))
                }
                try await sink.finish()
                let heard = try AudioFolder.contents(path)
                let isSame = heard.starts(with: speech) && heard.dropFirst(speech.count).allSatisfy { $0 == 0 }
                #expect(isSame, "\(heard.count) bytes; ALSA completes its last period with silence")
            }
            let sink = CommandAudioSink { .aplay($0, device: "riff-no-such-device") }
            try await sink.start(.speech)
            let error = await #expect(throws: VoiceError.self) {
                try await sink.write([UInt8](repeating: 0, count: 32_000))
                try await sink.finish()
            }
            #expect(error?.message.contains("audio open error: No such file or directory") == true)
            #expect(error?.message.hasSuffix("check the playback device.") == true)
        }

        @Test(.enabled(if: SystemProgram.path("arecord") != nil, "alsa-utils is not installed"))
        func `ALSA's recorder gives frames until it is stopped, and a device that is not there is an error`()
            async throws
        {
            let source = CommandAudioSource(.arecord(device: "null"))
            #expect(try await source.start() == .speech)
            var bytes = 0
            for try await frames in source.frames {
                #expect(frames.count % 2 == 0)
                bytes += frames.count
                if bytes > 320_000 { await source.stop() }
            }
            #expect(bytes > 320_000)
            let error = await #expect(throws: VoiceError.self) {
                try await Self.read(.arecord(device: "riff-no-such-device"))
            }
            #expect(error?.code == .audioSourceFailed)
            #expect(error?.message.contains("audio open error: No such file or directory") == true)
        }

        @Test(arguments: ["sox", "ffmpeg"].filter { SystemProgram.path($0) != nil })
        func `a decoder that fails says which one and why`(program: String) async throws {
            let command = try #require(Self.decoders.first { $0.name == program }).command
            let error = await #expect(throws: VoiceError.self) { try await Self.read(command("/nowhere/at all.mp3")) }
            #expect(error?.code == .audioSourceFailed)
            #expect(error?.message.hasPrefix("\(program) ended with status") == true)
            #expect(error?.message.contains("No such file") == true)
            #expect(error?.recovery == nil)
        }

        @Test func `a program that is not there is a typed error`() async {
            let missing = AudioCommand("riff-no-such-program", [])
            let source = await #expect(throws: TransportError.self) { try await CommandAudioSource(missing).start() }
            #expect(source?.code == .programNotFound)
            let sink = await #expect(throws: TransportError.self) {
                try await CommandAudioSink { _ in missing }.start(.speech)
            }
            #expect(sink?.code == .programNotFound)
        }

        @Test func `a player that dies while it plays says why, and one that fails at its end too`() async throws {
            for (script, account) in [
                ("echo one >&2; echo 'no such device' >&2; exit 3", "ended with status 3: no such device"),
                ("cat >/dev/null; echo 'no such device' >&2; exit 3", "ended with status 3: no such device"),
                ("cat >/dev/null; exit 4", "ended with status 4"),
            ] {
                let sink = CommandAudioSink { AudioCommand("sh", ["-c", script], format: $0, usesDevice: true) }
                try await sink.start(.speech)
                let error = await #expect(throws: VoiceError.self) {
                    for _ in 0..<100 { try await sink.write([UInt8](repeating: 0, count: 32_000)) }
                    try await sink.finish()
                }
                #expect(error?.code == .audioSinkFailed)
                #expect(error?.message == "sh \(account); check the playback device.")
            }
        }

        @Test func `a player that stops listening and lives on is ended, and is an error`() async throws {
            let sink = CommandAudioSink(clock: ManualClock(advancesItself: true)) {
                AudioCommand("sh", ["-c", "exec <&-; exec sleep 60"], format: $0)
            }
            try await sink.start(.speech)
            let error = await #expect(throws: VoiceError.self) {
                for _ in 0..<100 { try await sink.write([UInt8](repeating: 0, count: 32_000)) }
            }
            #expect(error?.code == .audioSinkFailed)
            #expect(error?.message == "sh takes no more audio; check its output.")
        }

        @Test func `a player that does not play holds the writer back`() async throws {
            let sink = CommandAudioSink { AudioCommand("sh", ["-c", "sleep 1; exit 4"], format: $0) }
            try await sink.start(.speech)
            var taken = 0
            await #expect(throws: VoiceError.self) {
                while taken < 64_000_000 {
                    try await sink.write([UInt8](repeating: 0, count: 32_000))
                    taken += 32_000
                }
            }
            // A queue of 256 KiB, a pipe of 64, and the write that was suspended.
            #expect(taken < 512_000)
        }

        @Test func `commands are arrays of arguments, as their manuals have them`() {
            let stereo = AudioFormat(sampleRate: 48_000, channels: 2, sample: .float32)
            #expect(AudioCommand.arecord().arguments == ["-q", "-t", "raw", "-f", "S16_LE", "-r", "16000", "-c", "1"])
            #expect(
                AudioCommand.aplay(stereo, device: "hw:1").arguments
                    == ["-q", "-t", "raw", "-f", "FLOAT_LE", "-r", "48000", "-c", "2", "-D", "hw:1"]
            )
            #expect(AudioCommand.ffplay(.speech).form == .wav)
            #expect(AudioCommand.sox(decoding: "|ls").arguments.contains("./|ls"))
            #expect(AudioCommand.ffmpeg(decoding: "concat:a").arguments.contains("file:concat:a"))
        }

        @Test(.enabled(if: SystemProgram.path("flac") != nil))
        func `recorded speech is packed as small as by flac with fixed predictors`() async throws {
            try await AudioFolder.with { folder in
                var (plain, packed, theirs) = (0, 0, 0)
                for name in ["austen_0870", "austen_0890", "jfk", "LJ050-0131"] {
                    let samples = try Speech.file(name).samples()
                    let path = "\(folder)/\(name).flac"
                    let (status, said) = try await SystemProgram.run(
                        "flac",
                        ["-s", "-0", "--no-padding", "--no-seektable", "-o", path, Speech.path(name)]
                    )
                    #expect(status == 0, "\(said)")
                    plain += samples.count
                    packed += try FLACEncoder.file(samples, format: .speech).count
                    theirs += try AudioFolder.contents(path).count
                }
                #expect(Double(packed) < 0.61 * Double(plain), "\(packed) of \(plain)")
                #expect(Double(packed) < 1.01 * Double(theirs), "\(packed) against \(theirs)")
            }
        }

        @Test func `a source does not take a file's header for samples`() async {
            let source = CommandAudioSource(AudioCommand("cat", [Speech.path("goforward")], form: .wav))
            let error = await #expect(throws: VoiceError.self) { try await source.start() }
            #expect(error?.code == .audioSourceFailed)
        }
    }
}
