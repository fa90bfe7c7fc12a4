// Riff
// SPDX-License-Identifier: Apache-2.0

/// The way that a text is looked for.
public struct ScreenSearch: Sendable, Hashable {
    /// What is looked for; nothing finds nothing.
    public var text: String
    /// Whether capital and small letters differ.
    public var isCaseSensitive: Bool

    /// Creates a search.
    public init(_ text: String, isCaseSensitive: Bool = false) {
        self.text = text
        self.isCaseSensitive = isCaseSensitive
    }
}

extension Screen {
    /// Returns the places of a text, in the scrollback and on the screen, the newest last. A text that the screen
    /// wrapped is found.
    ///
    /// - Parameters:
    ///   - search: What is looked for.
    ///   - lines: Where; everywhere when not given.
    ///   - limit: The most that are found, the newest of them.
    /// - Returns: The cells of each place.
    public func find(_ search: ScreenSearch, in lines: Range<Int>? = nil, limit: Int = 10_000) -> [Range<
        ScreenPosition
    >] {
        let pattern = folded(search.text.unicodeScalars, search)
        let lines = (lines ?? self.lines).clamped(to: self.lines)
        guard !pattern.isEmpty, limit > 0, !lines.isEmpty else { return [] }
        var found: [Range<ScreenPosition>] = []
        var end = lines.upperBound
        while end > lines.lowerBound, found.count < limit {
            var start = end - 1
            while start > lines.lowerBound, isWrapped(line: start - 1) { start -= 1 }
            found += matches(pattern, search, in: start..<end).reversed()
            end = start
        }
        return found.prefix(limit).reversed()
    }

    private func matches(_ pattern: [UInt32], _ search: ScreenSearch, in lines: Range<Int>) -> [Range<ScreenPosition>] {
        var text: [UInt32] = []
        var places: [ScreenPosition] = []
        for line in lines {
            guard let row = row(ofLine: line) else { continue }
            for column in 0..<columns where !row.cell(column).isSpacer && !isLeftBlank(row, column, before: line + 1) {
                let cell = row.cell(column)
                let scalars = cell.isBlank ? [0x20] : folded(self.text(of: cell).unicodeScalars, search)
                text += scalars
                places += scalars.map { _ in ScreenPosition(line: line, column: column) }
            }
        }
        var found: [Range<ScreenPosition>] = []
        var index = 0
        while let match = Self.first(pattern, in: text, from: index) {
            var end = places[match + pattern.count - 1]
            end.column += row(ofLine: end.line)?.cell(end.column).width ?? 1
            found.append(places[match]..<end)
            index = match + pattern.count
        }
        return found
    }

    private static func first(_ pattern: [UInt32], in text: [UInt32], from start: Int) -> Int? {
        guard text.count - start >= pattern.count else { return nil }
        for index in start...text.count - pattern.count where text[index] == pattern[0] {
            if text[index..<index + pattern.count].elementsEqual(pattern) { return index }
        }
        return nil
    }

    private func folded(_ scalars: String.UnicodeScalarView, _ search: ScreenSearch) -> [UInt32] {
        scalars.flatMap { scalar -> [UInt32] in
            if search.isCaseSensitive { return [scalar.value] }
            if scalar.isASCII { return [(0x41...0x5A).contains(scalar.value) ? scalar.value | 0x20 : scalar.value] }
            return scalar.properties.lowercaseMapping.unicodeScalars.map(\.value)
        }
    }
}
