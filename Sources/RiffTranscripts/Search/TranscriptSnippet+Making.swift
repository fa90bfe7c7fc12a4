// Riff
// SPDX-License-Identifier: Apache-2.0

extension TranscriptHit.Snippet {
    /// The characters before the first thing that was found.
    private static let before = 40
    /// The characters of a part.
    private static let length = 160
    /// The characters of a message in which what was found is looked for.
    private static let searched = 1 << 18

    /// Reads what `snippet()` made, with these marks around what was found.
    init(marked text: String, open: String, close: String) {
        var builder = Builder()
        for (number, piece) in text.split(separator: open, omittingEmptySubsequences: false).enumerated() {
            guard number > 0, let end = piece.firstRange(of: close) else {
                builder.append(piece, isMarked: false)
                continue
            }
            builder.append(piece[..<end.lowerBound], isMarked: true)
            builder.append(piece[end.upperBound...], isMarked: false)
        }
        self = builder.snippet
    }

    /// The part of a text around the first of some words.
    init(of text: String, finding words: [String]) {
        let characters = Array(text.prefix(Self.searched))
        let folded = characters.map { $0.lowercased() }
        let needles = words.map { word in word.map { $0.lowercased() } }.filter { !$0.isEmpty }
        func match(at place: Int) -> Int? {
            needles.lazy.filter { folded[place...].starts(with: $0) }.map(\.count).max()
        }
        let first = folded.indices.first { match(at: $0) != nil } ?? 0
        let start = max(0, first - Self.before)
        let end = min(characters.count, start + Self.length)
        var builder = Builder()
        if start > 0 { builder.append("\u{2026}", isMarked: false) }
        var place = start
        while place < end {
            let count = match(at: place).map { min($0, end - place) } ?? 0
            builder.append(String(characters[place..<(place + max(1, count))])[...], isMarked: count > 0)
            place += max(1, count)
        }
        if end < characters.count { builder.append("\u{2026}", isMarked: false) }
        self = builder.snippet
    }

    private struct Builder {
        private var text = ""
        private var offsets: [Range<Int>] = []

        /// Takes a piece, in one line and without controls.
        mutating func append(_ piece: Substring, isMarked: Bool) {
            let start = text.unicodeScalars.count
            for character in piece {
                if character.isNewline || character == "\t" {
                    text.append(" ")
                } else if character.unicodeScalars.first?.properties.generalCategory != .control {
                    text.append(character)
                }
            }
            let end = text.unicodeScalars.count
            if isMarked, end > start { offsets.append(start..<end) }
        }

        var snippet: TranscriptHit.Snippet {
            // By scalars: a mark may stand in the middle of what has become one character.
            let scalars = text.unicodeScalars
            var index = scalars.startIndex
            var offset = 0
            func move(to target: Int, _ index: inout String.Index, _ offset: inout Int) {
                index = scalars.index(index, offsetBy: target - offset)
                offset = target
            }
            var marks: [Range<String.Index>] = []
            for range in offsets {
                move(to: range.lowerBound, &index, &offset)
                let lower = index
                move(to: range.upperBound, &index, &offset)
                marks.append(lower..<index)
            }
            return TranscriptHit.Snippet(text: text, marks: marks)
        }
    }
}
