// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing
import VoiceTestSupport

/// A command that has written what it will write.
private struct FakeCommand: ByteChannel {
    let output: ByteStream
    let diagnostics: ByteStream
    let status: RiffTransport.ExitStatus

    init(_ chunks: [[UInt8]], says text: String = "", status: RiffTransport.ExitStatus = .exited(0)) async throws {
        let (output, writer) = ByteStream.makeStream()
        for chunk in chunks { try await writer.write(chunk) }
        writer.finish()
        let (diagnostics, errors) = ByteStream.makeStream()
        if !text.isEmpty { try await errors.write(Array(text.utf8)) }
        errors.finish()
        (self.output, self.diagnostics, self.status) = (output, diagnostics, status)
    }

    func write(_ bytes: [UInt8]) async throws {}
    func finishWriting() async throws {}
    func close() async {}
    func exitStatus() async throws -> RiffTransport.ExitStatus? { status }
}

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct ClipRecorderTests {
        @Test func `a file is recorded as it is, with its level`() async throws {
            let recorder = ClipRecorder(WAVFileSource(Speech.path("austen_0880")))
            try await recorder.start()
            var last: ClipRecorder.Progress?
            for await progress in recorder.progress { last = progress }
            let recording = await recorder.stop()
            #expect(recording.clip.bytes == (try Speech.file("austen_0880").samples()))
            #expect(recording.hasSpeech)
            #expect(last?.duration == recording.duration)
            guard case .sourceEnded = recording.end else {
                Issue.record("ended otherwise")
                return
            }
        }

        @Test func `real time is kept without drift`() async throws {
            let clock = ManualClock(advancesItself: true)
            let source = WAVFileSource(Speech.path("austen_0880"), pace: .realTime, clock: clock)
            _ = try await source.start()
            var frames = 0
            for try await bytes in source.frames { frames += bytes.count / 2 }
            let duration = try #require(try Speech.file("austen_0880").duration())
            #expect(clock.now.offset == duration)
            #expect(clock.waits.count == (frames + 319) / 320)
            #expect(clock.waits.dropLast().allSatisfy { $0 == .milliseconds(20) })
        }

        @Test func `a person who has finished is silent until the microphone is closed`() async throws {
            let clock = ManualClock(advancesItself: true)
            let source = WAVFileSource(Speech.path("austen_0880"), pace: .realTimeThenSilence, clock: clock)
            _ = try await source.start()
            let said = try Speech.file("austen_0880").samples()
            var heard: [UInt8] = []
            for try await bytes in source.frames {
                #expect(bytes.count == 640)
                heard += bytes
                if heard.count > said.count + 64_000 { await source.stop() }
            }
            #expect(heard.starts(with: said))
            #expect(heard.dropFirst(said.count).allSatisfy { $0 == 0 })
            #expect(clock.now.offset == .milliseconds(20) * (heard.count / 640))
        }

        @Test func `the limit ends the recording and keeps what came before`() async throws {
            let limits = ClipRecorder.Limits(bytes: 3_201)
            let recorder = ClipRecorder(MemoryAudioSource(Speech.tone(.seconds(1))), limits: limits)
            try await recorder.start()
            for await _ in recorder.progress {}
            let recording = await recorder.stop()
            #expect(recording.clip.bytes == Array(Speech.tone(.seconds(1)).prefix(3_200)))
            guard case .limitReached = recording.end else {
                Issue.record("ended otherwise")
                return
            }
        }

        @Test func `a broken capture keeps what came before`() async throws {
            let source = MemoryAudioSource()
            let recorder = ClipRecorder(source)
            try await recorder.start()
            try await source.push(Speech.tone(.milliseconds(100)))
            source.finish(throwing: VoiceError(.audioSourceFailed, "unplugged"))
            for await _ in recorder.progress {}
            let recording = await recorder.stop()
            #expect(recording.clip.bytes == Speech.tone(.milliseconds(100)))
            guard case .failed(let error as VoiceError) = recording.end else {
                Issue.record("ended otherwise")
                return
            }
            #expect(error.message == "unplugged")
        }

        @Test(arguments: [AudioFormat(sampleRate: 0), AudioFormat(sampleRate: 16_000, channels: 0)])
        func `a source without a format is an error`(format: AudioFormat) async {
            let error = await #expect(throws: VoiceError.self) {
                try await ClipRecorder(MemoryAudioSource(format: format)).start()
            }
            #expect(error?.code == .audioSourceHasNoFormat)
        }

        @Test func `cancelling while it records ends it and keeps nothing`() async throws {
            let source = MemoryAudioSource()
            let recorder = ClipRecorder(source)
            try await recorder.start()
            try await source.push(Speech.tone(.milliseconds(100)))
            await recorder.cancel()
            #expect(await recorder.stop().clip.bytes.isEmpty)
            await #expect(throws: TransportError.self) { try await source.push([0, 0]) }
        }

        @Test func `a command's bytes become whole frames, however they are cut`() async throws {
            let tone = Speech.tone(.milliseconds(20))
            let source = CommandAudioSource("arecord") {
                try await FakeCommand([Array(tone[..<3]), Array(tone[3..<4]), Array(tone[4...]), [7]])
            }
            #expect(try await source.start() == .speech)
            var bytes: [UInt8] = []
            for try await frames in source.frames {
                #expect(frames.count % 2 == 0)
                bytes += frames
            }
            #expect(bytes == tone)
        }

        @Test func `a command that fails says why`() async throws {
            let source = CommandAudioSource("arecord") {
                try await FakeCommand([], says: "ALSA\narecord: no soundcards found\n", status: .exited(1))
            }
            _ = try await source.start()
            let error = await #expect(throws: VoiceError.self) { for try await _ in source.frames {} }
            #expect(error?.code == .audioSourceFailed)
            #expect(error?.message.contains("no soundcards found") == true)
        }

        @Test func `a file that is not there, or no WAV, is a typed error`() async throws {
            let missing = await #expect(throws: VoiceError.self) { try await WAVFileSource("/nowhere.wav").start() }
            #expect(missing?.code == .fileFailed)
            let other = await #expect(throws: CoreError.self) { try await WAVFileSource(#filePath).start() }
            #expect(other?.code == .audioMalformed)
        }
    }
}
