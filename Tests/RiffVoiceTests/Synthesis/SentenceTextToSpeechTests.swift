// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTesting
import RiffVoice
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SentenceTextToSpeechTests {
    static let text = "The first sentence is this one. The second sentence is that one. The third one ends it all."

    /// Keeps the order of what is made and what is heard.
    final class Recorded: TextToSpeech {
        struct Broken: Error {}
        let words = Mutex<[String]>([])
        let fails: String?
        private let voice = ScriptedTextToSpeech()

        init(fails: String? = nil) { self.fails = fails }

        func note(_ word: String) { words.withLock { $0.append(word) } }

        func synthesize(_ text: String, _ deliver: @Sendable ([UInt8], AudioFormat) async throws -> Void) async throws {
            let name = String(text.split(separator: " ")[1])
            note("make \(name)")
            if name == fails { throw Broken() }
            try await voice.synthesize(text, deliver)
        }
    }

    @Test(arguments: TextToSpeechConformance.checks)
    func `it keeps the rules of engines`(check: ConformanceCheck<TextToSpeechConformance>) async throws {
        try await check.run(
            TextToSpeechConformance {
                SentenceTextToSpeech(ScriptedTextToSpeech(), sentences: .init(shortest: 1, longest: 20))
            }
        )
    }

    @Test func `all of it is heard in order, and no more than one piece is made ahead`() async throws {
        let engine = Recorded()
        let heard = Mutex<[UInt8]>([])
        try await SentenceTextToSpeech(engine).synthesize(Self.text) { frames, _ in
            heard.withLock { $0 += frames }
            let made = engine.words.withLock { $0.count }
            // The first piece is still heard: at most the second one is made.
            if heard.withLock({ $0.count }) == frames.count { #expect(made <= 2) }
        }
        var whole: [UInt8] = []
        for piece in SentenceTextToSpeech.Sentences().pieces(of: Self.text) {
            whole += try #require(try await ScriptedTextToSpeech().clip(of: piece)).bytes
        }
        let isSame = heard.withLock { $0 } == whole
        #expect(isSame)
        #expect(engine.words.withLock(\.self) == ["make first", "make second", "make third"])
    }

    @Test func `what is nothing but marks is given to no engine`() async throws {
        let engine = ScriptedTextToSpeech()
        let dashes = String(repeating: "-", count: 40)
        try await SentenceTextToSpeech(engine).synthesize("\(dashes)\nHere is what was done today.\n\(dashes)") {
            _,
            _ in
        }
        #expect(engine.texts == ["Here is what was done today."])
        try await SentenceTextToSpeech(engine).synthesize("...\n?!") { _, _ in }
        #expect(engine.texts.count == 1)
    }

    /// An engine that does one thing at a time would have the listener wait for the second piece.
    @Test func `nothing is made beside the first piece before its first frames are there`() async throws {
        struct Slow: TextToSpeech {
            let engine: Recorded

            func synthesize(_ text: String, _ deliver: @Sendable ([UInt8], AudioFormat) async throws -> Void)
                async throws
            {
                try await engine.synthesize(text) { frames, format in
                    for _ in 0..<200 { await Task.yield() }
                    engine.note("sound")
                    try await deliver(frames, format)
                }
            }
        }
        let engine = Recorded()
        try await SentenceTextToSpeech(Slow(engine: engine)).synthesize(Self.text) { _, _ in }
        #expect(engine.words.withLock { Array($0.prefix(2)) } == ["make first", "sound"])
    }

    @Test func `what fails later is thrown after what came before was heard`() async throws {
        let engine = Recorded(fails: "third")
        let bytes = Mutex(0)
        await #expect(throws: Recorded.Broken.self) {
            try await SentenceTextToSpeech(engine).synthesize(Self.text) { frames, _ in
                bytes.withLock { $0 += frames.count }
            }
        }
        let first = try #require(try await ScriptedTextToSpeech().clip(of: "The first sentence is this one.")).bytes
            .count
        #expect(bytes.withLock { $0 } >= first)
    }
}
