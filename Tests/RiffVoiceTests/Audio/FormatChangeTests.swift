// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffVoice
import Testing
import VoiceTestSupport

/// What a person does to a device while it captures: another microphone, a headset, the system's own idea.
struct FormatChangeTests {
    /// A tone of 500 Hz in a format, as if it had gone on through all the changes before.
    static func tone(_ format: AudioFormat, seconds: Double, from start: Double) -> [UInt8] {
        var bytes: [UInt8] = []
        for index in 0..<Int(seconds * Double(format.sampleRate)) {
            let time = start + Double(index) / Double(format.sampleRate)
            let value = 0.5 * sin(2 * .pi * 500 * time)
            for _ in 0..<format.channels {
                switch format.sample {
                case .int16: bytes.appendLittleEndian(Int16(value * 32_767))
                case .float32: bytes.appendLittleEndian(Float(value).bitPattern)
                }
            }
        }
        return bytes
    }

    static let formats = [
        AudioFormat(sampleRate: 48_000, sample: .float32), AudioFormat(sampleRate: 44_100, channels: 2),
        AudioFormat(sampleRate: 16_000), AudioFormat(sampleRate: 8_000),
        AudioFormat(sampleRate: 24_000, sample: .float32),
    ]

    /// Half a second in each format, in pieces of 10 ms.
    static var script: [CaptureEvent] {
        formats.enumerated().flatMap { index, format -> [CaptureEvent] in
            let whole = tone(format, seconds: 0.5, from: Double(index) * 0.5)
            let size = format.sampleRate / 100 * format.bytesPerFrame
            let pieces = stride(from: 0, to: whole.count, by: size).map {
                CaptureEvent.frames(Array(whole[$0..<min($0 + size, whole.count)]))
            }
            return (index == 0 ? [] : [.formatChanged(format)]) + pieces
        }
    }

    /// Compares with the tone as it would be without any change; around a change the filters fade for 8 ms.
    static func expectTone(_ samples: [Float], seconds: Double) {
        #expect(samples.count == Int(seconds * 16_000))
        var worst: Float = 0
        for (index, sample) in samples.enumerated() {
            let time = Double(index) / 16_000
            let distance = abs(time - (time * 2).rounded() / 2)
            if distance < 0.02 { continue }
            worst = max(worst, abs(sample - Float(0.5 * sin(2 * .pi * 500 * time))))
        }
        #expect(worst < 0.001)
        let loudest = AudioLevel(of: ResampledBytes.of(samples), format: ResampledBytes.format).peak
        #expect(loudest < -5.5)
    }

    enum ResampledBytes {
        static let format = AudioFormat(sampleRate: 16_000, sample: .float32)
        static func of(_ samples: [Float]) -> [UInt8] {
            samples.map(\.bitPattern.littleEndian).withUnsafeBytes { Array($0) }
        }
    }

    @Test func `a recording goes on through four changes, and loses neither time nor pitch`() async throws {
        let source = ScriptedAudioSource(format: Self.formats[0], Self.script)
        let recorder = ClipRecorder(source, format: ResampledBytes.format)
        try await recorder.start()
        var seen: [AudioFormat] = []
        for await progress in recorder.progress where progress.captured != seen.last { seen.append(progress.captured) }
        let recording = await recorder.stop()
        guard case .sourceEnded = recording.end else {
            Issue.record("ended otherwise: \(recording.end)")
            return
        }
        #expect(recording.duration == .milliseconds(2_500))
        Self.expectTone(try recording.clip.floats(), seconds: 2.5)
        #expect(seen.last == Self.formats.last)
        #expect(source.isStopped)
    }

    @Test func `a source in one format hides the changes, and says what the device gives`() async throws {
        let source = ConvertedAudioSource(
            ScriptedAudioSource(format: Self.formats[0], Self.script),
            to: ResampledBytes.format
        )
        #expect(source.captured == nil)
        #expect(try await source.start() == ResampledBytes.format)
        var bytes: [UInt8] = []
        var seen: [AudioFormat] = []
        for try await frames in source.frames {
            #expect(frames.count % 4 == 0)
            bytes += frames
            if let captured = source.captured, captured != seen.last { seen.append(captured) }
        }
        Self.expectTone(try AudioClip(bytes, encoding: .pcm(ResampledBytes.format)).floats(), seconds: 2.5)
        #expect(seen == Self.formats)
        await source.stop()
    }

    @Test func `speech is detected at the same places when the microphone is exchanged in the middle of it`()
        async throws
    {
        let speech = try Speech.file("austen_0880").samples()
        func events(_ source: any AudioSource) async throws -> [SpeechEvent] {
            let source = ConvertedAudioSource(source)
            _ = try await source.start()
            var activity = try VoiceActivityDetector(NeuralVoiceDetector())
            var events: [SpeechEvent] = []
            for try await frames in source.frames { events += activity.process(speech: frames) }
            return events + activity.finish()
        }
        let expected = try await events(MemoryAudioSource(speech))
        // Half of it from a headset, 16 kHz, the rest from the built-in microphone: 48 kHz floats.
        let half = speech.count / 4 * 2
        let wide = AudioFormat(sampleRate: 48_000, sample: .float32)
        var up = try PCMConverter(from: PCMConverter.Layout(.speech), to: wide)
        let rest = up.convert(speech[half...]) + up.finish()
        let script: [CaptureEvent] = [.frames(Array(speech[..<half])), .formatChanged(wide), .frames(rest)]
        let changed = try await events(ScriptedAudioSource(script))
        #expect(changed.count == expected.count)
        for (one, other) in zip(changed, expected) {
            switch (one, other) {
            case (.started(let place), .started(let wanted)), (.ended(let place), .ended(let wanted)):
                #expect(abs(place - wanted) <= 512)
            default: Issue.record("\(one) instead of \(other)")
            }
        }
        #expect(!expected.isEmpty)
    }

    @Test(arguments: [AudioFormat(sampleRate: 0), AudioFormat(sampleRate: 48_000, channels: 0)])
    func `a change to no format is an error that keeps what came before`(broken: AudioFormat) async throws {
        let tone = Self.tone(.speech, seconds: 0.5, from: 0)
        let recorder = ClipRecorder(
            ScriptedAudioSource([.frames(tone), .formatChanged(broken), .frames([1, 2, 3, 4])])
        )
        try await recorder.start()
        for await _ in recorder.progress {}
        let recording = await recorder.stop()
        guard case .failed(let error as VoiceError) = recording.end else {
            Issue.record("ended otherwise: \(recording.end)")
            return
        }
        #expect(error.code == .audioSourceHasNoFormat)
        #expect(recording.clip.bytes == tone)
    }

    @Test func `a change that cannot be converted comes after all that was heard before it`() async throws {
        let first = AudioFormat(sampleRate: 48_000, sample: .float32)
        let tone = Self.tone(first, seconds: 0.5, from: 0)
        let script: [CaptureEvent] = [.frames(tone), .formatChanged(AudioFormat(sampleRate: 44_101))]
        let source = ConvertedAudioSource(ScriptedAudioSource(format: first, script))
        _ = try await source.start()
        var bytes = 0
        let error = await #expect(throws: CoreError.self) {
            for try await frames in source.frames { bytes += frames.count }
        }
        #expect(error?.code == .audioUnsupported)
        #expect(bytes == 16_000)
    }

    @Test func `whoever cannot follow a change is told of it, and hears nothing at a wrong pitch`() async throws {
        let source = MemoryAudioSource()
        _ = try await source.start()
        try await source.push([1, 2, 3, 4])
        source.changeFormat(to: AudioFormat(sampleRate: 48_000))
        try await source.push([5, 6])
        var bytes: [UInt8] = []
        let error = await #expect(throws: CoreError.self) { for try await frames in source.frames { bytes += frames } }
        #expect(error?.code == .audioFormatChanged)
        #expect(bytes == [1, 2, 3, 4])
    }

    @Test func `changes keep their places among frames that were pushed together`() async throws {
        let source = MemoryAudioSource()
        let stereo = AudioFormat(sampleRate: 48_000, channels: 2)
        let mono = AudioFormat(sampleRate: 24_000)
        try await source.push([1, 2, 3])
        source.changeFormat(to: stereo)
        try await source.push([1, 2, 3, 4, 5, 6, 7, 8])
        source.changeFormat(to: mono)
        source.changeFormat(to: .speech)
        source.finish()
        _ = try await source.start()
        var events: [CaptureEvent] = []
        for try await event in source.events { events.append(event) }
        #expect(
            events == [
                .frames([1, 2]), .formatChanged(stereo), .frames([1, 2, 3, 4, 5, 6, 7, 8]), .formatChanged(mono),
                .formatChanged(.speech),
            ]
        )
    }
}
