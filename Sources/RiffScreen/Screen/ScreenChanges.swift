// Riff
// SPDX-License-Identifier: Apache-2.0

extension Screen {
    /// A moment in a screen's life, to ask later what changed since.
    public struct Mark: Sendable, Hashable {
        let generation: UInt64
    }
}

/// When each row was last changed.
struct ScreenChanges {
    /// Goes up with every feed.
    var generation: UInt64 = 1
    /// The generation in which all rows last changed at once.
    var everything: UInt64 = 1
    private var rows: [UInt64]

    init(rows: Int) { self.rows = Array(repeating: 0, count: rows) }

    @inline(__always)
    mutating func touch(_ row: Int) { rows[row] = generation }

    mutating func touch(_ range: ClosedRange<Int>) {
        if range.count == rows.count { everything = generation } else { for row in range { rows[row] = generation } }
    }

    mutating func touchAll(rows count: Int) {
        if rows.count != count { rows = Array(repeating: 0, count: count) }
        everything = generation
    }

    func changed(since mark: Screen.Mark) -> [Int] {
        guard everything < mark.generation else { return Array(rows.indices) }
        return rows.indices.filter { rows[$0] >= mark.generation }
    }
}

extension Screen {
    /// A mark of this moment.
    public mutating func mark() -> Screen.Mark {
        changes.generation += 1
        return Screen.Mark(generation: changes.generation)
    }

    /// The rows of the screen that may have changed since a mark, in order: a renderer draws these and no other. The
    /// cursor's own move changes none.
    public func changedRows(since mark: Screen.Mark) -> [Int] { changes.changed(since: mark) }
}
