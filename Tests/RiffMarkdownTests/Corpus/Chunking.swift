// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Ways to cut a text.
enum Chunking: Sendable, CustomStringConvertible {
    case whole, byLine, byCharacter
    case random(seed: UInt64)

    var description: String {
        switch self {
        case .whole: "whole"
        case .byLine: "by line"
        case .byCharacter: "by character"
        case .random(let seed): "at random (\(seed))"
        }
    }

    /// All that a text is cut in; `RIFF_MARKDOWN_CHUNKINGS=50` for the full run.
    static var all: [Chunking] {
        let count = ProcessInfo.processInfo.environment["RIFF_MARKDOWN_CHUNKINGS"].flatMap(UInt64.init) ?? 2
        return [.whole, .byLine, .byCharacter] + (0..<count).map { .random(seed: $0 + 1) }
    }

    func cut(_ text: String) -> [String] {
        let scalars = Array(text.unicodeScalars)
        var pieces: [String] = []
        var generator = SplitMix(state: 0)
        if case .random(let seed) = self { generator = SplitMix(state: seed) }
        var start = 0
        while start < scalars.count {
            var end = scalars.count
            switch self {
            case .whole: break
            case .byLine: end = scalars[start...].firstIndex(of: "\n").map { $0 + 1 } ?? end
            case .byCharacter: end = start + 1
            case .random: end = min(end, start + [1, 2, 3, 5, 8, 20, 60][Int(generator.next() % 7)])
            }
            var piece = ""
            piece.unicodeScalars.append(contentsOf: scalars[start..<end])
            pieces.append(piece)
            start = end
        }
        return pieces
    }
}

/// Numbers that are the same in each run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
