// Riff
// SPDX-License-Identifier: Apache-2.0

/// The places of runs of backticks, by length, as far as the text was searched.
struct BacktickRuns: Sendable {
    /// Longer runs start no code: cmark's bound.
    private static let longest = 80

    private var places: [Int] = []
    private var isComplete = false

    mutating func reset() {
        guard !places.isEmpty else { return }
        places.removeAll(keepingCapacity: true)
        isComplete = false
    }

    /// The place of the next run of a length.
    mutating func close(_ bytes: Bytes, length: Int, from place: Int, before end: Int) -> Int? {
        guard length <= Self.longest, !isComplete || places[length] > place else { return nil }
        if places.isEmpty { places.append(contentsOf: repeatElement(0, count: Self.longest + 1)) }
        var at = place
        while let start = bytes.firstPlace(of: UInt8(ascii: "`"), in: at..<end) {
            at = start
            while at < end, bytes[at] == UInt8(ascii: "`") { at += 1 }
            if at - start <= Self.longest { places[at - start] = start }
            if at - start == length { return start }
        }
        isComplete = true
        return nil
    }
}
