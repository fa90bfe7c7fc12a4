// Riff
// SPDX-License-Identifier: Apache-2.0

/// The columns that HT stops at: every eighth, until a program says otherwise.
struct TabStops {
    private var stops: [Bool]

    init(columns: Int) { stops = (0..<columns).map { $0 > 0 && $0 % 8 == 0 } }

    mutating func set(_ column: Int) { if column < stops.count { stops[column] = true } }
    mutating func clear(_ column: Int) { if column < stops.count { stops[column] = false } }
    mutating func clearAll() { for index in stops.indices { stops[index] = false } }

    /// The stop after a column, or the last column.
    func next(after column: Int) -> Int {
        var column = column
        while column < stops.count - 1 {
            column += 1
            if stops[column] { break }
        }
        return column
    }

    /// The stop before a column, or the first column.
    func previous(before column: Int) -> Int {
        var column = min(column, stops.count - 1)
        while column > 0 {
            column -= 1
            if stops[column] { break }
        }
        return column
    }
}
