// Riff
// SPDX-License-Identifier: Apache-2.0

/// Finds links in rows of cells, of ``Screen`` or of any other terminal.
///
/// A link that the program made (OSC 8) goes before one written as in markdown, and that before an address in the text.
/// Rows that go on in the next are searched as one text. An address that a program broke itself (at the full width,
/// indented, in a box) is found whole; where nobody can say whether it goes on, it opens nothing. The time is linear in
/// the text.
public struct LinkDetector: Sendable, Hashable {
    /// The schemes of what is opened, in lower case; others open nothing.
    public var schemes: Set<String> = ["http", "https", "ftp", "ssh", "mailto"]

    /// Never opened, whatever ``schemes`` holds: they run code, or show what another site cannot vouch for.
    private static let refused: Set<String> = ["javascript", "data", "vbscript", "file"]

    /// The distance up to which a link is looked for from a cell, in cells each way.
    static let reach = 2048
    /// Returns the number of rows of so many columns that are looked at for breaks of a program's own, each way.
    static func reachInLines(_ columns: Int) -> Int { min(2 * reach / max(columns, 1) + 2, 64) }

    /// A detector with the default schemes.
    public init() {}

    /// Every link in some rows, in order; no two overlap. Lines are the rows' indices.
    public func links(in rows: [ScreenRow]) -> [FoundLink] {
        var found: [FoundLink] = []
        var start = 0
        let breaks = Self.breaks(in: rows.indices, of: rows)
        for (index, row) in rows.enumerated()
        where !row.isWrapped && !breaks.joins(index) || index == rows.count - 1 {
            found += RowText(rows[start...index], firstLine: start, breaks: breaks).found(by: self)
            start = index + 1
        }
        return found
    }

    /// The link at a place, looked for 2,048 cells each way.
    public func link(at place: ScreenPosition, in rows: [ScreenRow]) -> FoundLink? {
        guard rows.indices.contains(place.line), place.column >= 0 else { return nil }
        let reach = Self.reachInLines(rows[place.line].cells.count)
        let near = max(place.line - reach, 0)..<min(place.line + reach, rows.count)
        let breaks = Self.breaks(in: near, of: rows)
        let lines = RowText.lines(around: place, count: rows.count, width: { rows[$0].cells.count }) {
            rows[$0].isWrapped || breaks.joins($0)
        }
        return RowText(rows[lines], firstLine: lines.lowerBound, breaks: breaks, around: place).found(by: self)
            .first { $0.range.contains(place) }
    }

    private static func breaks(in lines: Range<Int>, of rows: [ScreenRow]) -> HardBreaks {
        HardBreaks(
            lines,
            columns: { rows[$0].cells.count },
            scalars: { rows[$0].cells.map(scalar) },
            isWrapped: { rows[$0].isWrapped }
        )
    }

    private static func scalar(_ cell: ScreenCell) -> UInt32 {
        guard cell.width > 0 else { return RowShape.letter }
        let scalars = cell.text.unicodeScalars
        guard let first = scalars.first else { return 0x20 }
        return scalars.count == 1 ? first.value : RowShape.letter
    }

    /// An address that may be opened.
    func allowed(_ scalars: some RandomAccessCollection<UInt32>) -> String? {
        guard let address = LinkAddress(scalars), schemes.contains(address.scheme) else { return nil }
        guard !Self.refused.contains(address.scheme), !scalars.contains(HardBreaks.doubt) else { return nil }
        return scalars.reduce(into: "") { text, scalar in
            if let scalar = Unicode.Scalar(scalar) { text.unicodeScalars.append(scalar) }
        }
    }

    /// The links in a text, as ranges of its characters.
    func links(in text: LinkText) -> [(url: String?, kind: FoundLink.Kind, range: Range<Int>, id: String?)] {
        var found: [(url: String?, kind: FoundLink.Kind, range: Range<Int>, id: String?)] = []
        for program in text.programs where !program.range.isEmpty {
            let url = allowed(Array(program.link.uri.unicodeScalars.map(\.value)))
            found.append((url, .program, program.range, program.link.id))
        }
        var free = Self.gaps(between: found.map(\.range), in: 0..<text.scalars.count)
        let written = MarkdownLinkScanner.links(in: text.scalars)
        var taken: [Range<Int>] = []
        for link in written {
            let url = allowed(link.destination)
            for part in Self.parts(of: link.range, in: free) { found.append((url, .markdown, part, nil)) }
            taken.append(link.range)
        }
        free = free.flatMap { part in Self.gaps(between: Self.parts(of: part, in: taken), in: part) }
        let scanner = BareLinkScanner(text.scalars, schemes: schemes.subtracting(Self.refused))
        for part in free {
            for link in scanner.links(in: part) { found.append((allowed(link.url), .bare, link.range, nil)) }
        }
        return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Returns the gaps between ranges that are in order.
    private static func gaps(between ranges: [Range<Int>], in whole: Range<Int>) -> [Range<Int>] {
        var gaps: [Range<Int>] = []
        var start = whole.lowerBound
        for range in ranges {
            if start < range.lowerBound { gaps.append(start..<range.lowerBound) }
            start = max(start, range.upperBound)
        }
        if start < whole.upperBound { gaps.append(start..<whole.upperBound) }
        return gaps
    }

    /// The parts of a range that lie in some ranges, which are in order.
    private static func parts(of range: Range<Int>, in ranges: [Range<Int>]) -> [Range<Int>] {
        // The first that ends behind the range's beginning.
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
        }
        var parts: [Range<Int>] = []
        while low < ranges.count, ranges[low].lowerBound < range.upperBound {
            let part = ranges[low].clamped(to: range)
            if !part.isEmpty { parts.append(part) }
            low += 1
        }
        return parts
    }
}
