// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    /// Programs that speak: espeak-ng where it is installed, piper where scripts/fetch-speech-programs was run, and
    /// scripts that behave badly.
    @Suite(.timeLimit(.minutes(5))) struct ProgramTextToSpeechTests {
        static let hasEspeak = SystemProgram.path("espeak-ng") != nil
        static let hasPiper = SystemProgram.path("piper") != nil
        /// One that sings; see the fixture's README.
        private let voice = Fixture.path("piper/tones.onnx")

        @Test(.enabled(if: hasEspeak), arguments: TextToSpeechConformance.checks)
        func `espeak-ng keeps the rules`(check: ConformanceCheck<TextToSpeechConformance>) async throws {
            try await check.run(TextToSpeechConformance { try EspeakTextToSpeech() })
        }

        @Test(.enabled(if: hasEspeak)) func `what espeak-ng says is speech, and quicker where it is told so`()
            async throws
        {
            let text = "The quick brown fox jumps over the lazy dog."
            let clip = try #require(try await EspeakTextToSpeech().clip(of: text))
            #expect(clip.encoding == .pcm(AudioFormat(sampleRate: 22_050)))
            var activity = try VoiceActivityDetector(NeuralVoiceDetector())
            let events = activity.process(try clip.floats()) + activity.finish()
            guard case .started(let start)? = events.first, case .ended(let end)? = events.last else {
                Issue.record("no speech was heard in it: \(events)")
                return
            }
            #expect(end - start > 16_000)
            let hasty = try #require(try await EspeakTextToSpeech(wordsPerMinute: 350).clip(of: text))
            #expect(hasty.bytes.count < clip.bytes.count * 3 / 4)
        }

        @Test(.enabled(if: hasEspeak)) func `a voice that espeak-ng does not have is its error`() async throws {
            let error = await #expect(throws: VoiceError.self) {
                _ = try await EspeakTextToSpeech(voice: "qqq").clip(of: "hello")
            }
            #expect(error?.code == .speechProgramFailed)
            #expect(error?.message.contains("voice") == true)
        }

        @Test func `the text is on the input and in no argument; piper gets one line`() async throws {
            let text = "--help [[[x]] \"$HOME\"\nsecond\u{1}line"
            try await StandInProgram.with(#"printf '<%s>' "$@" >"$folder/arguments"; cat >"$folder/input"; wav"#) {
                program in
                let espeak = try EspeakTextToSpeech(voice: "en-gb", wordsPerMinute: 160, path: program.path)
                #expect(try #require(try await espeak.clip(of: text)).bytes == Speech.tone(.seconds(1)))
                #expect(try program.file("arguments") == "<--stdin><--stdout><-v><en-gb><-s><160>")
                #expect(try program.file("input") == "--help [ [ [x]] \"$HOME\"\nsecond line")
                let piper = try PiperTextToSpeech(model: "/voices/joe.onnx", path: program.path)
                #expect(try await piper.clip(of: text) != nil)
                #expect(try program.file("arguments") == "<--model></voices/joe.onnx><--output_file><->")
                #expect(try program.file("input") == "--help [ [ [x]] \"$HOME\" second line\n")
            }
        }

        @Test(.enabled(if: hasPiper), arguments: TextToSpeechConformance.checks)
        func `piper keeps the rules`(check: ConformanceCheck<TextToSpeechConformance>) async throws {
            try await check.run(TextToSpeechConformance { try PiperTextToSpeech(model: voice) })
        }

        @Test(.enabled(if: hasPiper)) func `phoneme codes are text to piper`() async throws {
            let piper = try PiperTextToSpeech(model: voice)
            // As codes they would be two tones between a beginning and an end.
            let clip = try #require(try await piper.clip(of: "[[ab]]"))
            let words = try #require(try await piper.clip(of: "ab"))
            #expect(clip.encoding == .pcm(AudioFormat(sampleRate: 22_050)))
            #expect(clip.bytes.count >= words.bytes.count)
        }

        @Test(.enabled(if: hasPiper)) func `a voice that piper does not find is its error`() async throws {
            let error = await #expect(throws: VoiceError.self) {
                _ = try await PiperTextToSpeech(model: "/nowhere/joe.onnx").clip(of: "hello")
            }
            #expect(error?.code == .speechProgramFailed)
            #expect(error?.message.contains("/nowhere/joe.onnx") == true)
        }

        @Test(arguments: ["cancelled", "thrown"]) func `a program that goes on and on ends with the call`(how: String)
            async throws
        {
            struct Enough: Error {}
            // It and what it started ignore what asks them to end.
            let script = #"trap '' INT TERM; echo $$ >"$folder/pid"; cat >/dev/null; wav; while :; do sleep 600; done"#
            try await StandInProgram.with(script) { program in
                let espeak = try EspeakTextToSpeech(path: program.path)
                let task = Task {
                    try await espeak.synthesize("hello") { _, _ in
                        if how == "thrown" { throw Enough() }
                        withUnsafeCurrentTask { $0?.cancel() }
                    }
                }
                if how == "thrown" {
                    await #expect(throws: Enough.self) { try await task.value }
                } else {
                    await #expect(throws: CancellationError.self) { try await task.value }
                }
                let pid = try #require(Int32(program.file("pid").trimmingCharacters(in: .whitespacesAndNewlines)))
                #expect(kill(pid, 0) == -1 && errno == ESRCH, "it is gone")
            }
        }

        @Test(arguments: [
            ("cat >/dev/null; echo 'no \u{1B}[31mmodel' >&2; exit 3", VoiceError.Code.speechProgramFailed),
            ("exit 4", .speechProgramFailed), ("cat >/dev/null; wav; kill -9 $$", .speechProgramFailed),
            ("cat >/dev/null; wav; cat /dev/zero", .synthesisTooLarge),
        ])
        func `a program that fails is a typed error`(script: String, code: VoiceError.Code) async throws {
            try await StandInProgram.with(script) { program in
                let espeak = try EspeakTextToSpeech(path: program.path, limitBytes: 1 << 20)
                let error = await #expect(throws: VoiceError.self) { _ = try await espeak.clip(of: "hello") }
                #expect(error?.code == code)
                #expect(error?.message.contains("\u{1B}") == false)
                if code == .speechProgramFailed {
                    #expect(error?.message.hasSuffix(". Check its voice and its model.") == true)
                    #expect(error?.message.contains("..") == false)
                }
                if script.contains("model") { #expect(error?.message.contains("model") == true) }
            }
        }

        @Test(arguments: ["cat >/dev/null", "cat >/dev/null; echo hello, this is no audio at all, sorry"])
        func `what is no WAV file is an error`(script: String) async throws {
            try await StandInProgram.with(script) { program in
                let espeak = try EspeakTextToSpeech(path: program.path)
                await #expect(throws: CoreError.self) { _ = try await espeak.clip(of: "hello") }
            }
        }

        @Test func `what is missing, no name or too long is told before anything runs`() async throws {
            let missing = try EspeakTextToSpeech(path: "/nonexistent/espeak-ng")
            let error = await #expect(throws: VoiceError.self) { _ = try await missing.clip(of: "hello") }
            #expect(error?.code == .speechProgramMissing)
            #expect(error?.recovery == .installProgram("espeak-ng"))
            // White space needs no program.
            #expect(try await missing.clip(of: " \n") == nil)
            let long = await #expect(throws: VoiceError.self) {
                _ = try await missing.clip(of: String(repeating: "a ", count: 40_000))
            }
            #expect(long?.code == .synthesisTooLarge)
            // Beyond its range the program says nothing, and no error.
            for rate in [0, 79, 451] {
                #expect(throws: VoiceError.self) { _ = try EspeakTextToSpeech(wordsPerMinute: rate) }
            }
            for name in ["", "-w/tmp/x", "a\0b"] {
                #expect(throws: VoiceError.self) { _ = try EspeakTextToSpeech(voice: name) }
                #expect(throws: VoiceError.self) { _ = try PiperTextToSpeech(model: name) }
            }
        }
    }
}
