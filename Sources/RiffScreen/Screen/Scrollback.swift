// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule

/// Rows that left the screen at the top, oldest first, without the blank cells at their end.
///
/// They lie one behind another in blocks, so that a row that comes or goes takes no memory of its own: allocating and
/// freeing it was half the time that a line of text took. A row of plain ASCII takes a byte for each cell.
struct Scrollback {
    private struct Entry {
        /// Which block, counted from the first that ever was, and where in it.
        var block: UInt32
        var offset: UInt32
        var count: UInt32
        var usedCount: UInt32
        var isWrapped: Bool
        /// Whether each cell is a byte: its character, 0 for a blank one.
        var isPlain: Bool
    }

    private var entries: Deque<Entry> = []
    private var blocks: Deque<[UInt8]> = []
    /// The number of bytes of the last block that are used.
    private var usedBytes = 0
    /// The number of blocks that are gone.
    private var firstBlock: UInt32 = 0

    private static let blockBytes = 64 * 1024

    init() {}

    init(_ rows: some Sequence<Row>) {
        for row in rows { append(row) }
    }

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }

    /// Returns the number of cells of a row that are kept.
    func cellCount(_ index: Int) -> Int { Int(entries[index].count) }

    /// Returns whether a row's text continues in the next.
    func isWrapped(_ index: Int) -> Bool { entries[index].isWrapped }

    mutating func unwrapLast() {
        if !entries.isEmpty { entries[entries.count - 1].isWrapped = false }
    }

    // MARK: Coming and going

    /// Adds a row as the newest.
    ///
    /// - Returns: How many cells of it are kept.
    @discardableResult
    mutating func append(_ row: Row) -> Int {
        row.cells.withUnsafeBufferPointer { cells in
            var count = cells.count
            while count > 0, cells[count - 1].isPlainBlank { count -= 1 }
            let kept = UnsafeBufferPointer(rebasing: cells[..<count])
            var bits: UInt32 = 0
            for cell in kept { bits |= cell.style | cell.glyph & ~0x7F }
            let isPlain = bits == 0
            let size = isPlain ? count : count * MemoryLayout<Cell>.stride
            makeRoom(size)
            let block = blocks.count - 1
            let offset = usedBytes
            usedBytes += size
            entries.append(
                Entry(
                    block: firstBlock + UInt32(block),
                    offset: UInt32(offset),
                    count: UInt32(count),
                    usedCount: UInt32(row.usedCount),
                    isWrapped: row.isWrapped,
                    isPlain: isPlain
                )
            )
            blocks[block].withUnsafeMutableBytes { bytes in
                let bytes = UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + size])
                guard isPlain else { return bytes.copyMemory(from: UnsafeRawBufferPointer(kept)) }
                for index in 0..<count { bytes[index] = UInt8(truncatingIfNeeded: kept[index].glyph) }
            }
            return count
        }
    }

    /// Takes the newest row away.
    mutating func popLast() -> Row? {
        guard let entry = entries.last else { return nil }
        let row = self[entries.count - 1]
        entries.removeLast()
        usedBytes = Int(entry.offset)
        if let last = entries.last, last.block != entry.block {
            blocks.removeLast()
            usedBytes = Int(last.offset) + Self.bytes(last)
        }
        return row
    }

    /// Takes the oldest row away.
    ///
    /// - Returns: How many cells of it were kept.
    mutating func dropFirst() -> Int? {
        guard let entry = entries.popFirst() else { return nil }
        let first = entries.first?.block ?? entry.block + 1
        while firstBlock < first, !blocks.isEmpty {
            blocks.removeFirst()
            firstBlock += 1
        }
        return Int(entry.count)
    }

    private mutating func makeRoom(_ bytes: Int) {
        if !blocks.isEmpty, usedBytes + bytes <= Self.blockBytes { return }
        blocks.append([UInt8](repeating: 0, count: max(Self.blockBytes, bytes)))
        usedBytes = 0
    }

    private static func bytes(_ entry: Entry) -> Int {
        Int(entry.count) * (entry.isPlain ? 1 : MemoryLayout<Cell>.stride)
    }

    // MARK: Reading

    /// The row at an index.
    subscript(index: Int) -> Row {
        let entry = entries[index]
        let count = Int(entry.count)
        let cells = blocks[Int(entry.block - firstBlock)].withUnsafeBytes { bytes in
            let bytes = UnsafeRawBufferPointer(
                rebasing: bytes[Int(entry.offset)..<Int(entry.offset) + Self.bytes(entry)]
            )
            return [Cell](unsafeUninitializedCapacity: count) { cells, initialized in
                if entry.isPlain {
                    var cell = Cell.blank
                    for index in 0..<count {
                        cell.glyph = UInt32(bytes[index])
                        cells.initializeElement(at: index, to: cell)
                    }
                } else {
                    UnsafeMutableRawBufferPointer(cells).copyMemory(from: bytes)
                }
                initialized = count
            }
        }
        return Row(kept: cells, usedCount: Int(entry.usedCount), isWrapped: entry.isWrapped)
    }

    /// The first rows, as many as there are.
    func prefix(_ count: Int) -> [Row] { (0..<min(count, self.count)).map { self[$0] } }

    var rows: [Row] { prefix(count) }

    /// Changes cells that are not plain text.
    mutating func updateCells(_ body: (inout Cell) -> Void) {
        for entry in entries where !entry.isPlain {
            blocks[Int(entry.block - firstBlock)].withUnsafeMutableBytes { bytes in
                for index in 0..<Int(entry.count) {
                    let offset = Int(entry.offset) + index * MemoryLayout<Cell>.stride
                    var cell = bytes.loadUnaligned(fromByteOffset: offset, as: Cell.self)
                    body(&cell)
                    bytes.storeBytes(of: cell, toByteOffset: offset, as: Cell.self)
                }
            }
        }
    }

    /// Visits cells that are not plain text.
    func forEachCell(_ body: (Cell) -> Void) {
        for entry in entries where !entry.isPlain {
            blocks[Int(entry.block - firstBlock)].withUnsafeBytes { bytes in
                for index in 0..<Int(entry.count) {
                    let offset = Int(entry.offset) + index * MemoryLayout<Cell>.stride
                    body(bytes.loadUnaligned(fromByteOffset: offset, as: Cell.self))
                }
            }
        }
    }
}
