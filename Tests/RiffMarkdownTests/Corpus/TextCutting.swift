// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffTesting

/// Ways to cut a text.
enum TextCutting: Sendable, CustomStringConvertible {
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
    static var all: [TextCutting] {
        let count = ProcessInfo.processInfo.environment["RIFF_MARKDOWN_CHUNKINGS"].flatMap(UInt64.init) ?? 2
        return [.whole, .byLine, .byCharacter] + (0..<count).map { .random(seed: $0 + 1) }
    }

    func cut(_ text: String) -> [String] {
        let scalars = Array(text.unicodeScalars)
        var pieces: [String] = []
        var generator = SeededGenerator(seed: 0)
        if case .random(let seed) = self { generator = SeededGenerator(seed: seed) }
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
