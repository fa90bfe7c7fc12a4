// Riff
// SPDX-License-Identifier: Apache-2.0

/// A move of rows between two moments of a screen of which only the rows are known: a program that draws on all of the
/// screen scrolls a part of it, above a composer and below a title.
struct ScreenShift: Equatable {
    /// How many rows the text moved up; below 0 it moved down.
    var count: Int
    /// The rows that went out of sight: of the earlier screen where the text moved up, and else rows of the later
    /// screen that came back.
    var rows: Range<Int>

    /// A row that says nothing of where it was before.
    private static func isBlank(_ row: String) -> Bool { row.utf8.allSatisfy { $0 == 0x20 } }

    /// Finds the move that explains most rows.
    ///
    /// - Parameters:
    ///   - earlier: The rows of the earlier moment, without the space at their ends.
    ///   - later: The rows of the later one; as many.
    /// - Returns: The move; `nil` where the rows stayed or have nothing in common.
    static func between(_ earlier: [String], _ later: [String]) -> ScreenShift? {
        guard earlier.count == later.count, earlier.count > 1 else { return nil }
        // Rows as numbers: each is compared with each.
        var numbers: [String: Int] = [:]
        func number(_ row: String) -> Int {
            if isBlank(row) { return 0 }
            if let known = numbers[row] { return known }
            numbers[row] = numbers.count + 1
            return numbers.count
        }
        let (old, new) = (earlier.map(number), later.map(number))
        var counts: [Int: Int] = [:]
        for row in old + new where row != 0 { counts[row, default: 0] += 1 }
        var best: (shift: ScreenShift, score: Int)?
        for count in 1..<old.count {
            for isUp in [true, false] {
                let (from, to) = isUp ? (old, new) : (new, old)
                guard let run = run(from, to, count, counts) else { continue }
                let shift = ScreenShift(
                    count: isUp ? count : -count,
                    rows: run.start..<run.start + count
                )
                if run.score > best?.score ?? 0 { best = (shift, run.score) }
            }
        }
        return best?.shift
    }

    /// The longest run of rows of one screen that are so many rows higher on another.
    private static func run(
        _ from: [Int],
        _ to: [Int],
        _ count: Int,
        _ counts: [Int: Int]
    ) -> (start: Int, score: Int)? {
        var best: (start: Int, score: Int)?
        var row = 0
        while row + count < from.count {
            guard from[row + count] == to[row] else {
                row += 1
                continue
            }
            let start = row
            var (moved, rare, stayed) = (0, 0, 0)
            while row + count < from.count, from[row + count] == to[row] {
                if to[row] != 0 {
                    moved += 1
                    // On both screens once: such a row can only have moved.
                    if counts[to[row]] == 2 { rare += 1 }
                }
                if to[row] != 0, from[row] == to[row] { stayed += 1 }
                row += 1
            }
            // The same rows again and again look as if they moved wherever they are.
            guard rare > 0, moved > stayed else { continue }
            let score = moved + rare - stayed
            // Blank rows at the beginning of a run may be any.
            if score > best?.score ?? 0 { best = (start, score) }
        }
        return best
    }

    /// How much of what an earlier screen showed is where it was, from 0 to 1.
    static func likeness(_ earlier: [String], _ later: [String]) -> Double {
        let rows = zip(earlier, later).filter { !isBlank($0.0) }
        guard !rows.isEmpty else { return earlier.count == later.count ? 1 : 0 }
        return Double(rows.count { $0.0 == $0.1 }) / Double(rows.count)
    }
}
