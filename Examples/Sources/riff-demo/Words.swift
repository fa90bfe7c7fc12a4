// Riff
// SPDX-License-Identifier: Apache-2.0

/// Text as a list of words, for comparing what was said with what was written.
struct Words: Equatable {
    let list: [String]

    /// The words of a text: lower case, without punctuation; a hyphen separates.
    init(_ text: String) {
        let folded = text.lowercased().map { $0.isLetter || $0.isNumber || $0 == "'" ? $0 : " " }
        list = folded.split(separator: " ").map { String($0) }
    }

    private init(list: [String]) { self.list = list }

    /// Whether these words stand within other ones, in order and without a gap.
    func areWithin(_ other: Words) -> Bool { other.after(self) != nil }

    /// What follows the last place where other words stand in a row; `nil` where they do not.
    func after(_ other: Words) -> Words? {
        guard !other.list.isEmpty, other.list.count <= list.count else { return nil }
        let starts = (0...(list.count - other.list.count)).reversed()
        let place = starts.first { list[$0..<($0 + other.list.count)].elementsEqual(other.list) }
        return place.map { Words(list: Array(list[($0 + other.list.count)...])) }
    }

    /// Word error rate against a reference: replaced, missing and added words, by the reference's number of words.
    func errorRate(against reference: Words) -> Double {
        var row = Array(0...reference.list.count)
        for (index, word) in list.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, expected) in reference.list.enumerated() {
                let replaced = diagonal + (word == expected ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return Double(row[reference.list.count]) / Double(max(1, reference.list.count))
    }
}
