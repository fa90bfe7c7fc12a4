// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffVoice
import Testing

@Suite struct SpeechSegmenterTests {
    /// Frames of 10 ms, written as one sign each: `#` speech, `-` between the thresholds, `.` silence.
    private static func events(_ frames: String, _ segmentation: SpeechSegmentation) throws -> [String] {
        var segmenter = try SpeechSegmenter(segmentation, frameSamples: 160)
        var events: [String] = []
        func note(_ new: [SpeechEvent]) {
            for event in new {
                switch event {
                case .started(let place): events.append("+\(place / 160)@\(segmenter.position / 160)")
                case .ended(let place): events.append("-\(place / 160)@\(segmenter.position / 160)")
                }
            }
        }
        for sign in frames { note(segmenter.process(sign == "#" ? 0.9 : sign == "-" ? 0.4 : 0.1)) }
        let last = segmenter.position
        for event in segmenter.finish() {
            guard case .ended(let place) = event else { continue }
            events.append("-\(place / 160)@\(last / 160)")
        }
        #expect(!segmenter.isSpeaking)
        return events
    }

    private struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let frames: String
        /// `+place@told` and `-place@told`, in frames.
        let events: [String]
        var padding = 0
        var longest = 100
    }

    private static let cases: [Case] = [
        Case(testDescription: "silence", frames: "..........", events: []),
        Case(
            testDescription: "enough is told at once, its end after enough silence",
            frames: "..###......",
            events: ["+2@5", "-5@9"]
        ),
        Case(testDescription: "too short", frames: "..##.........", events: []),
        Case(testDescription: "clicks do not add up", frames: "#.#.#.#.#.#.#", events: []),
        Case(testDescription: "a gap within the first sounds", frames: ".##.##....", events: ["+1@5", "-6@10"]),
        Case(
            testDescription: "pauses shorter than the end",
            frames: "###...###...###....",
            events: ["+0@3", "-15@19"]
        ),
        Case(testDescription: "what lies between the thresholds begins nothing", frames: "-----------", events: []),
        Case(
            testDescription: "what lies between the thresholds ends nothing",
            frames: "###----------....",
            events: ["+0@3", "-13@17"]
        ),
        Case(testDescription: "nor does it end a silence", frames: "###.-.-", events: ["+0@3", "-3@7"]),
        Case(testDescription: "the audio ends within speech", frames: "..####", events: ["+2@5", "-6@6"]),
        Case(testDescription: "the audio ends within a pause", frames: "..####..", events: ["+2@5", "-6@8"]),
        Case(
            testDescription: "padding",
            frames: "....###........",
            events: ["+2@7", "-9@11"],
            padding: 2
        ),
        Case(
            testDescription: "padding stops at the beginning of audio",
            frames: ".###....",
            events: ["+0@4", "-6@8"],
            padding: 2
        ),
        Case(
            testDescription: "padding is not taken twice",
            frames: "###....###....",
            events: ["+0@3", "-6@7", "+6@10", "-13@14"],
            padding: 3
        ),
        Case(
            testDescription: "what is padded was heard",
            frames: "###....###....",
            events: ["+0@3", "-7@7", "+7@10", "-14@14"],
            padding: 9
        ),
        Case(
            testDescription: "too long without a pause",
            frames: String(repeating: "#", count: 25),
            events: ["+0@3", "-10@10", "+10@10", "-20@20", "+20@20", "-25@25"],
            longest: 10
        ),
    ]

    @Test(arguments: cases) private func `stretches are cut out`(_ one: Case) throws {
        let segmentation = SpeechSegmentation(
            minSpeechDuration: .milliseconds(30),
            minSilenceDuration: .milliseconds(40),
            speechPadding: .milliseconds(10 * one.padding),
            maxSpeechDuration: .milliseconds(10 * one.longest)
        )
        #expect(try Self.events(one.frames, segmentation) == one.events)
    }

    @Test(arguments: [(0, 30, 42), (3, 33, 39), (9, 36, 36)])
    func `a stretch that is too long is cut at its last pause`(padding: Int, end: Int, start: Int) throws {
        let voice = String(repeating: "#", count: 30)
        let frames = voice + String(repeating: ".", count: 12) + voice + String(repeating: ".", count: 30)
        let segmentation = SpeechSegmentation(
            minSpeechDuration: .milliseconds(30),
            minSilenceDuration: .milliseconds(300),
            speechPadding: .milliseconds(10 * padding),
            maxSpeechDuration: .milliseconds(500)
        )
        // The second is as long as it may be while it waits for its end, which is then the beginning of the silence.
        let expected = ["+0@3", "-\(end)@50", "+\(start)@50", "-\(72 + padding)@\(start + 50)"]
        #expect(try Self.events(frames, segmentation) == expected)
    }

    @Test func `a second recording begins at its own beginning`() throws {
        var segmenter = try SpeechSegmenter(frameSamples: 512)
        func play() -> [SpeechEvent] {
            Array(repeating: Float(1), count: 8).flatMap { segmenter.process($0) } + segmenter.finish()
        }
        let first = play()
        #expect(first == [.started(at: 0), .ended(at: 4_096)])
        #expect(play() == first)
    }

    @Test(arguments: [(0.59, nil), (0.61, 30)])
    func `a barge-in is 300 ms of speech, at a higher threshold`(probability: Float, told: Int?) throws {
        var segmenter = try SpeechSegmenter(.bargeIn, frameSamples: 160)
        let frame = (1...50).first { _ in segmenter.process(probability) == [.started(at: 0)] }
        #expect(frame == told)
        #expect(segmenter.isSpeaking == (told != nil))
    }

    @Test func `a probability that is no number is silence`() throws {
        var segmenter = try SpeechSegmenter(frameSamples: 512)
        #expect((0..<50).flatMap { _ in segmenter.process(.nan) }.isEmpty)
        #expect(!segmenter.isSpeaking)
    }

    @Test(arguments: [
        SpeechSegmentation(threshold: 0), SpeechSegmentation(threshold: 1), SpeechSegmentation(threshold: .nan),
        SpeechSegmentation(negativeThreshold: 0.6), SpeechSegmentation(negativeThreshold: 0),
        SpeechSegmentation(negativeThreshold: .nan), SpeechSegmentation(minSpeechDuration: .milliseconds(-1)),
        SpeechSegmentation(minSilenceDuration: .milliseconds(-1)), SpeechSegmentation(speechPadding: .milliseconds(-1)),
        SpeechSegmentation(maxSpeechDuration: .milliseconds(150)),
        SpeechSegmentation(maxSpeechDuration: .seconds(Int64.max)),
        SpeechSegmentation(minSilenceDuration: .seconds(Int64.max)),
        SpeechSegmentation(speechPadding: .seconds(Int64.max)),
    ])
    func `parameters that contradict each other are refused`(segmentation: SpeechSegmentation) {
        let error = #expect(throws: VoiceError.self) { try SpeechSegmenter(segmentation, frameSamples: 512) }
        #expect(error?.code == .invalidSegmentation)
    }

    @Test(arguments: [0, -1, 16_001])
    func `frames of no length are refused`(frameSamples: Int) {
        let error = #expect(throws: VoiceError.self) { try SpeechSegmenter(frameSamples: frameSamples) }
        #expect(error?.code == .invalidSegmentation)
    }
}
