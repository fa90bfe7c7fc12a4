// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

/// A source recognized to its end.
@Suite(.timeLimit(.minutes(5))) struct RecognizedSourceTests {
    @Test func `a recording at another rate is recognized where it was spoken`() async throws {
        let engine = ScriptedSpeechToText { clip, _ in Transcript(text: "\(clip.milliseconds / 1_000) s") }
        let recognizer = try SegmentingRecognizer(engine, options: SegmentingRecognizer.Options(partialInterval: nil))
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

    @Test func `a headset that is plugged in while somebody talks ends nothing`() async throws {
        let engine = ScriptedSpeechToText { clip, _ in Transcript(text: "\(clip.milliseconds / 1_000) s") }
        let recognizer = try SegmentingRecognizer(engine, options: SegmentingRecognizer.Options(partialInterval: nil))
        let wide = AudioFormat(sampleRate: 48_000, channels: 2, sample: .float32)
        let speech = try Speech.file("austen_0880")
        let (before, after) = (try speech.samples(as: wide), try speech.samples())
        // The first second at one format, the rest at the other.
        let source = ScriptedAudioSource(
            format: wide,
            [
                .frames(Array(before.prefix(48_000 * wide.bytesPerFrame))), .formatChanged(.speech),
                .frames(Array(after.dropFirst(16_000 * 2)) + Speech.silence(.seconds(2))),
            ]
        )
        let lines = Mutex<[TranscriptLine]>([])
        try await recognizer.recognize(source) { event in
            if case .line(let line) = event { lines.withLock { $0.append(line) } }
        }
        let line = try #require(lines.withLock { $0.first })
        #expect(lines.withLock { $0.count } == 1)
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

    @Test func `a source that cannot start, or breaks, is the error, and what was said before is recognized`()
        async throws
    {
        let recognizer = try SegmentingRecognizer(ScriptedSpeechToText { _, _ in Transcript(text: "heard") })
        let denied = VoiceError.permissionRequired(missing: .microphone)
        let error = await #expect(throws: VoiceError.self) {
            try await recognizer.recognize(MemoryAudioSource(startFailure: denied)) { _ in }
        }
        #expect(error?.missingPermission == .microphone)
        let broken = MemoryAudioSource()
        try await broken.push(Speech.file("austen_0880").samples())
        broken.finish(throwing: VoiceError(.audioSourceFailed, "Unplugged."))
        let transcript = Mutex(TranscriptAccumulator())
        let other = await #expect(throws: VoiceError.self) {
            try await recognizer.recognize(broken) { event in
                if case .line(let line) = event { transcript.withLock { _ = $0.update(line) } }
            }
        }
        #expect(other?.code == .audioSourceFailed)
        #expect(transcript.withLock { $0.completedText } == "heard")
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

/// The seam of live recognition, with a recognizer from a script.
@Suite(.timeLimit(.minutes(5))) struct SpeechRecognizerTests {
    static let line = TranscriptLine(id: .init(rawValue: 1), text: "hello", start: .zero, duration: .seconds(1))

    @Test func `a source is heard in one turn, which ends with it`() async throws {
        let recognizer = ScriptedSpeechRecognizer()
        let audio = Speech.tone(.seconds(1))
        try await recognizer.recognize(MemoryAudioSource(audio)) { _ in }
        #expect(recognizer.turns.map(\.heard) == [audio])
        #expect(recognizer.turns.map(\.end) == [.finished])
    }

    @Test func `a recognizer that fails within a turn stops the source`() async throws {
        let recognizer = ScriptedSpeechRecognizer()
        let source = MemoryAudioSource()
        let (told, tell) = AsyncStream<String>.makeStream()
        let task = Task {
            try await recognizer.recognize(source) { event in if case .line(let line) = event { tell.yield(line.text) }
            }
        }
        // Its turn has begun when the source takes more than fits before anybody reads.
        for _ in 0..<20 { try await source.push(Speech.silence(.seconds(1))) }
        let turn = try #require(recognizer.turns.first)
        turn.tell(.line(Self.line))
        for await text in told {
            #expect(text == "hello")
            break
        }
        turn.fail(VoiceError(.speechEngineFailed, "Gone."))
        await #expect(throws: VoiceError.self) { try await task.value }
        #expect(turn.end != nil)
        await #expect(throws: (any Error).self) { try await source.push([0, 0]) }
    }

    @Test func `a permission that is missing is told before the source starts`() async throws {
        let recognizer = ScriptedSpeechRecognizer(failure: VoiceError.permissionRequired(missing: .speechRecognition))
        let source = MemoryAudioSource(startFailure: VoiceError(.audioSourceFailed, "It must not start."))
        let error = await #expect(throws: VoiceError.self) { try await recognizer.recognize(source) { _ in } }
        #expect(error?.missingPermission == .speechRecognition)
    }
}
