// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTesting
import RiffVoice

/// Audio that is made of words and pauses, each sample of a word telling its number, with what a detector says of each
/// 10 ms of it; and an engine that hears the words.
struct SpokenScene: Sendable {
    /// Samples of one frame.
    static let frame = 160

    private(set) var frames: [[UInt8]] = []
    private(set) var probabilities: [Float] = []
    private(set) var words = 0

    var seconds: Double { Double(frames.count) / 100 }

    /// One word, told by the number of those before it.
    mutating func say(milliseconds: Int = 300) {
        words += 1
        append(Int16(words), milliseconds, 0.9)
    }

    mutating func pause(milliseconds: Int) { append(0, milliseconds, 0.05) }

    private mutating func append(_ sample: Int16, _ milliseconds: Int, _ probability: Float) {
        let low = UInt8(truncatingIfNeeded: sample)
        let frame = [UInt8](repeating: 0, count: SpokenScene.frame).flatMap { _ in [low, UInt8(sample >> 8)] }
        frames += Array(repeating: frame, count: milliseconds / 10)
        probabilities += Array(repeating: probability, count: milliseconds / 10)
    }

    /// The words of a clip: those of which it has more than 100 ms.
    static func heard(in clip: AudioClip) -> String {
        var counts: [Int16: Int] = [:]
        var order: [Int16] = []
        for index in stride(from: 0, to: clip.bytes.count / 2, by: 16) {
            let sample = Int16(clip.bytes[2 * index]) | Int16(clip.bytes[2 * index + 1]) << 8
            if sample != 0, counts[sample] == nil { order.append(sample) }
            counts[sample, default: 0] += 1
        }
        return order.filter { counts[$0, default: 0] > 100 }.map { "w\($0)" }.joined(separator: " ")
    }

    var text: String { words == 0 ? "" : (1...words).map { "w\($0)" }.joined(separator: " ") }

    static func random(_ seed: UInt64, words: Int) -> SpokenScene {
        var generator = SeededGenerator(seed: seed)
        var scene = SpokenScene()
        scene.pause(milliseconds: 10 * Int.random(in: 0...300, using: &generator))
        for _ in 0..<words {
            scene.say(milliseconds: 10 * Int.random(in: 25...60, using: &generator))
            let isLong = Int.random(in: 0..<12, using: &generator) == 0
            scene.pause(milliseconds: 10 * Int.random(in: isLong ? 80...400 : 12...60, using: &generator))
        }
        return scene
    }
}
