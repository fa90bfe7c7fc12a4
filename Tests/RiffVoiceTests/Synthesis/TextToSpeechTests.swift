// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTesting
import RiffVoice
import Synchronization
import TestSupport
import Testing

/// The seam itself, on a voice in memory.
@Suite(.timeLimit(.minutes(5))) struct TextToSpeechTests {
    @Test(arguments: TextToSpeechConformance.checks)
    func `the voice in memory keeps the rules`(check: ConformanceCheck<TextToSpeechConformance>) async throws {
        try await check.run(TextToSpeechConformance { ScriptedTextToSpeech() })
    }

    /// Keeps what is done with it.
    final class Sink: AudioSink {
        private let told = Mutex<[String]>([])
        private let failure: (any Error)?

        init(failure: (any Error)? = nil) { self.failure = failure }

        var calls: [String] { told.withLock { $0 } }

        private func tell(_ what: String) { told.withLock { $0.append(what) } }
        func start(_ format: AudioFormat) async throws { tell("start \(format.sampleRate)") }
        func write(_ frames: [UInt8]) async throws {
            tell("write")
            if let failure { throw failure }
        }
        func finish() async throws { tell("finish") }
        func cancel() async { tell("cancel") }
    }

    @Test func `a text is played while it is made, and to its end`() async throws {
        let sink = Sink()
        let voice = ScriptedTextToSpeech(perCharacter: .milliseconds(60))
        try await voice.speak("12345", on: sink)
        #expect(sink.calls == ["start 16000", "write", "write", "write", "finish"])
        let silent = Sink()
        try await voice.speak(" \n", on: silent)
        #expect(silent.calls.isEmpty, "there is nothing to open a device for")
    }

    @Test func `what fails is thrown, and nothing of it is played on`() async throws {
        struct Broken: Error {}
        let sink = Sink()
        await #expect(throws: Broken.self) {
            try await ScriptedTextToSpeech(failure: Broken()).speak("12345", on: sink)
        }
        #expect(sink.calls == ["start 16000", "write", "cancel"])
        let unplugged = Sink(failure: Broken())
        await #expect(throws: Broken.self) { try await ScriptedTextToSpeech().speak("12345", on: unplugged) }
        #expect(unplugged.calls == ["start 16000", "write", "cancel"])
    }
}
