// Riff
// SPDX-License-Identifier: Apache-2.0

/// How many words were heard wrong: the fewest that must be replaced, left out or put in to get from one text to
/// another.
struct WordErrors: Equatable {
    private(set) var replaced = 0
    private(set) var missing = 0
    private(set) var added = 0
    private(set) var words = 0

    var count: Int { replaced + missing + added }
    var rate: Double { words == 0 ? 0 : Double(count) / Double(words) }

    init() {}

    init(heard: String, said: String) {
        let (heard, said) = (WordErrors.words(heard), WordErrors.words(said))
        words = said.count
        // The cheapest way to each prefix of what was heard.
        var row = (0...heard.count).map { WordErrors(added: $0) }
        for word in said {
            var next = [row[0]]
            next[0].missing += 1
            for (index, other) in heard.enumerated() {
                var (kept, left, put) = (row[index], row[index + 1], next[index])
                if word != other { kept.replaced += 1 }
                left.missing += 1
                put.added += 1
                next.append([kept, left, put].min { $0.count < $1.count } ?? kept)
            }
            row = next
        }
        (replaced, missing, added) = (row[heard.count].replaced, row[heard.count].missing, row[heard.count].added)
    }

    private init(added: Int) { self.added = added }

    static func += (total: inout WordErrors, other: WordErrors) {
        total.replaced += other.replaced
        total.missing += other.missing
        total.added += other.added
        total.words += other.words
    }

    /// Words without case and marks; numbers, abbreviations and spellings that sound the same are written in one way.
    static func words(_ text: String) -> [String] {
        let plain = text.lowercased().filter { $0 != "'" && $0 != "\u{2019}" }
        let words = plain.split { !$0.isLetter && !$0.isNumber }.map { same[String($0)] ?? String($0) }
        return words.joined(separator: " ").replacing("there under", with: "thereunder").split(separator: " ").map {
            String($0)
        }
    }

    private static let same: [String: String] = [
        "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight",
        "9": "nine", "10": "ten", "55": "five five", "mr": "mister", "metres": "meters",
    ]
}
