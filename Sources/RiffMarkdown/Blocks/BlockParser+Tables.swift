// Riff
// SPDX-License-Identifier: Apache-2.0

extension BlockParser {
    /// The most empty cells that are added to rows which are too short: a row of one byte may not make a thousand nodes
    /// without end.
    private static let mostAddedCells = 200_000

    /// Makes the last line of the open paragraph the header of a table, whose delimiter row is the line that is read.
    mutating func startTable(_ cursor: LineCursor) {
        guard let paragraph = levels.last?.node else { return }
        let header = lastLine(of: paragraph)
        let line = Array(text[header])
        var places = map.part(header, sourceStart: 0)
        levels.removeLast()
        if barriers.last == levels.count { barriers.removeLast() }
        if header.lowerBound == Int(nodes[paragraph].textStart) {
            nodes[paragraph].end = Int32(clamping: nodes.count)
            removeLeaf(paragraph)
        } else {
            // Its definitions stay text: so cmark-gfm has it.
            endParagraph(paragraph, at: header.lowerBound)
            if levels.isEmpty {
                places = map.part(header, sourceStart: previousLineStart - origin)
                closedRootChildren = 0
                finish(at: previousLineStart)
            }
        }
        var finder = SourceMap.Cursor(places, from: 0)
        var table = BlockNode(.table, at: finder.source(of: 0))
        let delimiters = TableRow(cursor.line, cursor.nonspace..<cursor.line.count)?.cells ?? []
        table.value = UInt32(clamping: delimiters.count)
        open(table)
        let alignments = delimiters.map { TableRow.alignment(cursor.line, $0) }
        line.withUnsafeBufferPointer { addRow($0, $0.indices, places, alignments: alignments) }
        nodes[levels[levels.count - 1].node].stop = UInt32(clamping: place(cursor.line.count))
        markBlank(levels.count - 1)
    }

    /// What is above a table's header in the same paragraph becomes a paragraph of its own.
    private mutating func endParagraph(_ index: Int, at end: Int) {
        let range = Int(nodes[index].textStart)..<end
        nodes[index].textEnd = UInt32(clamping: end)
        nodes[index].end = Int32(clamping: nodes.count)
        nodes[index].flags.insert(.isClosed)
        nodes[index].stop = UInt32(clamping: source(of: end - 1))
        let lines = Array(text[range])
        let holdsEscapes = zip(lines, lines.dropFirst()).contains { $0 == .backslash && $1 == UInt8(ascii: "|") }
        guard holdsEscapes else { return }
        let places = map.part(range, sourceStart: 0)
        nodes[index].textStart = UInt32(clamping: text.count)
        lines.withUnsafeBufferPointer { addWithoutPipeEscapes($0, $0.indices, places) }
        nodes[index].textEnd = UInt32(clamping: text.count)
        text.append(.lineFeed)
    }

    mutating func addRow(_ cursor: LineCursor) {
        guard let table = levels.last?.node, nodes[table].tag == .table else { return }
        var places = SourceMap()
        places.add(text: 0, source: place(0))
        addRow(cursor.line, cursor.nonspace..<cursor.line.count, places, alignments: nil)
        nodes[table].stop = UInt32(clamping: place(cursor.line.count))
    }

    /// Adds a row to the open table; a header tells how the columns are aligned.
    private mutating func addRow(_ line: Bytes, _ range: Range<Int>, _ places: SourceMap, alignments: [UInt8]?) {
        guard let table = levels.last?.node, let cells = TableRow(line, range)?.cells else { return }
        let columns = Int(nodes[table].value)
        let row = nodes.count
        var finder = SourceMap.Cursor(places, from: range.lowerBound)
        var node = BlockNode(.row, at: finder.source(of: range.lowerBound))
        node.flags = alignments == nil ? .isClosed : [.isClosed, .isHeader]
        node.previous = nodes[table].lastChild
        nodes[table].lastChild = Int32(clamping: row)
        levels[levels.count - 1].children += 1
        nodes.append(node)
        for (column, cell) in cells.prefix(columns).enumerated() {
            let mark = alignments?[column] ?? nodes[table + 2 + column].mark
            var node = BlockNode(.cell, mark: mark, at: finder.source(of: cell.lowerBound))
            if !cell.isEmpty { node.stop = UInt32(clamping: finder.source(ofEnd: cell.upperBound)) }
            node.textStart = UInt32(clamping: text.count)
            addWithoutPipeEscapes(line, cell, places)
            close(&node)
            // The next cell's start is another place than this one's end.
            text.append(.lineFeed)
        }
        let stop = finder.source(ofEnd: range.upperBound)
        nodes[row].stop = UInt32(clamping: stop)
        if cells.count < columns, addedCells + columns - cells.count <= Self.mostAddedCells {
            addedCells += columns - cells.count
            for column in cells.count..<columns {
                var node = BlockNode(.cell, mark: nodes[table + 2 + column].mark, at: stop)
                node.textStart = UInt32(clamping: text.count)
                close(&node)
            }
        }
        nodes[row].end = Int32(clamping: nodes.count)
    }

    private mutating func close(_ cell: inout BlockNode) {
        cell.flags = .isClosed
        cell.textEnd = UInt32(clamping: text.count)
        cell.end = Int32(clamping: nodes.count + 1)
        nodes.append(cell)
    }

    /// Adds text with `|` for each `\|`; U+0000 becomes U+FFFD.
    private mutating func addWithoutPipeEscapes(_ bytes: Bytes, _ range: Range<Int>, _ places: SourceMap) {
        var finder = SourceMap.Cursor(places, from: range.lowerBound)
        var at = range.lowerBound
        var isRunStart = true
        while at < range.upperBound {
            if bytes[at] == .backslash, at + 1 < range.upperBound, bytes[at + 1] == UInt8(ascii: "|") {
                at += 1
                isRunStart = true
            }
            if isRunStart || finder.startsRun(at: at) {
                map.add(text: text.count, source: finder.source(of: at))
            }
            isRunStart = bytes[at] == 0
            if isRunStart { text.append(contentsOf: [0xEF, 0xBF, 0xBD]) } else { text.append(bytes[at]) }
            at += 1
        }
        guard !range.isEmpty else { return }
        let end = finder.source(ofEnd: at)
        if isRunStart || finder.startsRun(at: at) { map.add(text: text.count, source: end) }
    }
}
