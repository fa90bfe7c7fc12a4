// Riff
// SPDX-License-Identifier: Apache-2.0

/// A line as a table reads it: cells between pipes.
struct TableRow {
    /// The cells, without the white space around them, as ranges of the line.
    private(set) var cells: [Range<Int>] = []

    /// More columns than this are no table.
    private static let mostColumns = 65_535

    /// Reads a range of text; nil if it has no cell.
    init?(_ line: Bytes, _ range: Range<Int>) {
        let count = Self.walk(line, range) { cells.append(line.trimmed($0)) }
        guard count > 0, count <= Self.mostColumns else { return nil }
    }

    /// Whether a line has a cell.
    static func isRow(_ line: Bytes, _ range: Range<Int>) -> Bool {
        guard let first = range.first else { return false }
        // One pipe alone holds nothing; all else is a cell.
        return line[first] != UInt8(ascii: "|") || walk(line, range, { _ in }) > 0
    }

    private static func walk(_ line: Bytes, _ range: Range<Int>, _ cell: (Range<Int>) -> Void) -> Int {
        let pipe = UInt8(ascii: "|")
        var at = range.lowerBound
        var count = 0
        if at < range.upperBound, line[at] == pipe { at = behindPipe(line, at, range.upperBound) }
        while at < range.upperBound {
            let start = at
            // A backslash before a pipe takes its meaning away, even where it is escaped itself.
            while at < range.upperBound, line[at] != pipe || (at > start && line[at - 1] == .backslash) { at += 1 }
            cell(start..<at)
            count += 1
            if at < range.upperBound { at = behindPipe(line, at, range.upperBound) }
        }
        return count
    }

    private static func behindPipe(_ line: Bytes, _ pipe: Int, _ end: Int) -> Int {
        var at = pipe + 1
        while at < end, line[at].isTagSpace { at += 1 }
        return at
    }

    /// Whether a line may stand between a table's header and its body, such as `|:--|---|`.
    static func isDelimiter(_ line: Bytes, _ range: Range<Int>) -> Bool {
        let (pipe, end) = (UInt8(ascii: "|"), range.upperBound)
        var at = range.lowerBound
        if at < end, line[at] == pipe { at += 1 }
        while true {
            while at < end, line[at].isTagSpace { at += 1 }
            if at < end, line[at] == UInt8(ascii: ":") { at += 1 }
            let dashes = at
            while at < end, line[at] == UInt8(ascii: "-") { at += 1 }
            guard at > dashes else { return false }
            if at < end, line[at] == UInt8(ascii: ":") { at += 1 }
            while at < end, line[at].isTagSpace { at += 1 }
            guard at < end else { return true }
            guard line[at] == pipe else { return false }
            at += 1
            var rest = at
            while rest < end, line[rest].isTagSpace { rest += 1 }
            if rest == end { return true }
        }
    }

    /// The alignment of the column of a delimiter's cell: 0 for no wish, 1 left, 2 center, 3 right.
    static func alignment(_ line: Bytes, _ cell: Range<Int>) -> UInt8 {
        let colon = UInt8(ascii: ":")
        guard let first = cell.first, let last = cell.last else { return 0 }
        return (line[first] == colon ? 1 : 0) ^ (line[last] == colon ? 3 : 0)
    }
}
