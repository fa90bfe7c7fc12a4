// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffVoice
import Synchronization
import Testing

/// A source recognised to its end.
@Suite(.timeLimit(.minutes(1))) struct RecognizedSourceTests {
    @Test func `a recording at another rate is recognised where it was spoken`() async throws {
        let engine = ScriptedSpeechToText { clip, _ in Transcript(text: "\(clip.milliseconds / 1_000) s") }
        let recognizer = try SegmentingRecognizer(engine, options: SegmentingOptions(partialInterval: nil))
        let format = AudioFormat(sampleRate: 48_000, channels: 2, sample: .float32)
        let speech = try Speech.file("austen_0880").samples(as: format)
        let silence = [UInt8](repeating: 0, count: 2 * 48_000 * format.bytesPerFrame)
        let lines = Mutex<[TranscriptLine]>([])
        try await recognizer.recognize(MemoryAudioSource(silence + speech + silence, format: format)) { event in
            if case .line(let line) = event { lines.withLock { $0.append(line) } }
        }
        let line = try #require(lines.withLock { $0.first })
        #expect(lines.withLock { $0.count } == 1)
        #expect(line.start > .milliseconds(1_600) && line.start < .milliseconds(2_400))
        #expect(line.duration > .seconds(2) && line.duration < .seconds(4))
    }

    @Test func `what the reader throws ends the turn and stops the source`() async throws {
        struct Enough: Error {}
        let engine = ScriptedSpeechToText { _, _ in Transcript(text: "heard") }
        let recognizer = try SegmentingRecognizer(engine)
        let source = MemoryAudioSource()
        try await source.push(Speech.file("austen_0880").samples())
        await #expect(throws: Enough.self) { try await recognizer.recognize(source) { _ in throw Enough() } }
        // A stopped source takes nothing more.
        await #expect(throws: (any Error).self) { try await source.push([0, 0]) }
    }

    @Test func `a source that cannot start, or breaks, is the error`() async throws {
        let recognizer = try SegmentingRecognizer(ScriptedSpeechToText { _, _ in Transcript(text: "") })
        let denied = VoiceError.permissionRequired(missing: .microphone)
        let error = await #expect(throws: VoiceError.self) {
            try await recognizer.recognize(MemoryAudioSource(startFailure: denied)) { _ in }
        }
        #expect(error?.missingPermission == .microphone)
        let broken = MemoryAudioSource()
        try await broken.push(Speech.silence(.seconds(1)))
        broken.finish(throwing: VoiceError(.audioSourceFailed, "Unplugged."))
        let other = await #expect(throws: VoiceError.self) { try await recognizer.recognize(broken) { _ in } }
        #expect(other?.code == .audioSourceFailed)
    }

    @Test func `a cancelled recognition stops its source`() async throws {
        let recognizer = try SegmentingRecognizer(ScriptedSpeechToText { _, _ in Transcript(text: "") })
        let source = MemoryAudioSource()
        let (began, begin) = AsyncStream<Void>.makeStream()
        let task = Task { try await recognizer.recognize(source) { _ in begin.yield() } }
        try await source.push(Speech.file("austen_0880").samples())
        for await _ in began { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await #expect(throws: (any Error).self) { try await source.push([0, 0]) }
    }
}
