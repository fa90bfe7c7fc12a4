// Riff
// SPDX-License-Identifier: Apache-2.0

/// The words by which permission is given and refused in a language.
struct ApprovalLexicon: Sendable {
    /// Words that deny alone, wherever they stand.
    private let denials: Set<String>
    /// Beginnings of words that deny, such as those of a verb in all its forms.
    private let deniedStems: [String]
    /// Denials of several words.
    private let deniedPhrases: [[String]]
    /// The words that permission is given with. A mere "okay" is not among them: people say it to what they hear.
    private let approvals: [[String]]
    /// Words that may stand around them and say nothing.
    private let fillers: Set<String>
    /// Whether an apostrophe parts two words: "n'ouvre".
    let partsAtApostrophes: Bool

    /// Makes a lexicon out of lists: words parted by white space, phrases by commas.
    init(
        denials: String,
        deniedStems: String = "",
        deniedPhrases: String,
        approvals: String,
        fillers: String,
        partsAtApostrophes: Bool = false
    ) {
        self.denials = Set(Self.words(denials))
        self.deniedStems = Self.words(deniedStems)
        self.deniedPhrases = Self.phrases(deniedPhrases)
        self.approvals = Self.phrases(approvals).sorted { $0.count > $1.count }
        self.fillers = Set(Self.words(fillers))
        self.partsAtApostrophes = partsAtApostrophes
    }

    private static func words(_ list: String) -> [String] {
        list.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    private static func phrases(_ list: String) -> [[String]] {
        list.split(separator: ",").map { words(String($0)) }.filter { !$0.isEmpty }
    }

    /// Whether any of the words denies.
    func holdsDenial(_ words: [String]) -> Bool {
        if words.contains(where: { word in denials.contains(word) || deniedStems.contains { word.hasPrefix($0) } }) {
            return true
        }
        return words.indices.contains { start in deniedPhrases.contains { words[start...].starts(with: $0) } }
    }

    /// Questions, quotations and sentences that break off.
    static func holdsDoubt(_ text: String) -> Bool {
        text.contains("..") || text.contains { "?？¿\"“”„«»…*/\\:;()[]{}<>".contains($0) }
    }

    /// Whether the words are approvals and fillers and nothing else, at least one of the former among them.
    func isApproval(_ words: [String]) -> Bool {
        var (rest, isApproved) = (words[...], false)
        while let first = rest.first {
            if let phrase = approvals.first(where: { rest.starts(with: $0) }) {
                isApproved = true
                rest = rest.dropFirst(phrase.count)
            } else if fillers.contains(first) {
                rest = rest.dropFirst()
            } else {
                return false
            }
        }
        return isApproved
    }
}
