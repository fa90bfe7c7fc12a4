// Riff
// SPDX-License-Identifier: Apache-2.0

extension VocabularyFixer {
    /// A word or phrase that a recognizer mishears, and what is meant.
    public struct Rule: Sendable, Hashable, Codable {
        /// The words that the recognizer writes: not a pattern; every character is literal. White space inside it
        /// matches any white space.
        public var heard: String
        /// What is put in its place. With an upper-case letter in it, it is used as it is; wholly in lower case, its
        /// first letter follows the case of what was heard, so that the start of a sentence stays one.
        public var meant: String
        /// Whether ``heard`` matches only in exactly its own case ("Pat", never "pat").
        public var matchesCase: Bool

        /// A rule; it ignores case unless said otherwise.
        public init(heard: String, meant: String, matchesCase: Bool = false) {
            self.heard = heard
            self.meant = meant
            self.matchesCase = matchesCase
        }
    }
}

/// Replaces misheard words in a transcript, whole words only.
///
/// A match must stand alone: not next to a letter, a digit, a combining mark or `_`; not joined to a word by a hyphen,
/// an apostrophe, or one of `. / \ @ # : ~ $ +` without a space ("spin-off", "spin.swift", "/spin"); not inside
/// backticks. A possessive "'s" may follow and stays. Straight and typographic apostrophes are the same, and letters
/// compare by canonical equivalence. The longest rule wins, the earlier one among equals; text is read once, so that a
/// replacement is never replaced again. Boundaries need spaces or punctuation: in scripts written without them a rule
/// matches only between such.
public struct VocabularyFixer: Sendable, Hashable {
    private struct Entry: Sendable, Hashable {
        let rule: VocabularyFixer.Rule
        let pattern: [String]
        var first: String { pattern[0] }
    }

    /// The rules, as given.
    package let rules: [VocabularyFixer.Rule]
    /// By the folded first character; longest first.
    private let entries: [String: [Entry]]

    /// A fixer of these rules; one whose ``VocabularyFixer/Rule/heard`` is only white space never matches.
    public init(_ rules: [VocabularyFixer.Rule]) {
        self.rules = rules
        var entries: [String: [Entry]] = [:]
        for rule in rules {
            let words = rule.heard.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard !words.isEmpty else { continue }
            let entry = Entry(rule: rule, pattern: words.map(VocabularyFixer.folded))
            entries[entry.first, default: []].append(entry)
        }
        // The sort is stable in effect: equals keep their order through their index.
        self.entries = entries.mapValues { list in
            list.enumerated().sorted {
                ($1.element.pattern.count, $0.offset) < ($0.element.pattern.count, $1.offset)
            }.map(\.element)
        }
    }

    /// The text with every rule applied.
    package func fix(_ text: String) -> String {
        guard !entries.isEmpty else { return text }
        let characters = Array(text)
        let code = VocabularyFixer.codeSpans(in: characters)
        var result = ""
        var position = 0
        var nextSpan = code.startIndex
        while position < characters.count {
            if nextSpan < code.endIndex, code[nextSpan].lowerBound == position {
                result += String(characters[code[nextSpan]])
                position = code[nextSpan].upperBound
                nextSpan += 1
            } else if let (entry, end) = match(in: characters, at: position) {
                result += VocabularyFixer.replacement(of: entry.rule, for: characters[position])
                position = end
            } else {
                result.append(characters[position])
                position += 1
            }
        }
        return result
    }

    // MARK: Matching

    private func match(in text: [Character], at start: Int) -> (Entry, Int)? {
        guard let candidates = entries[VocabularyFixer.folded(text[start])],
            VocabularyFixer.isBoundary(before: start, in: text)
        else { return nil }
        for entry in candidates {
            guard let end = end(of: entry, in: text, at: start), VocabularyFixer.isBoundary(after: end, in: text) else {
                continue
            }
            let isExact = entry.rule.matchesCase
            if isExact, !VocabularyFixer.isSame(text[start..<end], entry.rule.heard) { continue }
            return (entry, end)
        }
        return nil
    }

    private func end(of entry: Entry, in text: [Character], at start: Int) -> Int? {
        var position = start
        for expected in entry.pattern {
            guard position < text.count else { return nil }
            if expected == " " {
                guard text[position].isWhitespace else { return nil }
                while position < text.count, text[position].isWhitespace { position += 1 }
            } else {
                guard VocabularyFixer.folded(text[position]) == expected else { return nil }
                position += 1
            }
        }
        return position
    }

    /// Lower case, one apostrophe, one white space.
    private static func folded(_ character: Character) -> String {
        if isApostrophe(character) { return "'" }
        return character.isWhitespace ? " " : character.lowercased()
    }

    private static func isSame(_ text: ArraySlice<Character>, _ heard: String) -> Bool {
        func plain(_ words: some Sequence<Character>) -> String {
            String(words.map { isApostrophe($0) ? "'" : $0 }).split(whereSeparator: \.isWhitespace).joined(
                separator: " "
            )
        }
        return plain(text) == plain(heard)
    }

    private static func replacement(of rule: VocabularyFixer.Rule, for first: Character) -> String {
        guard first.isUppercase, rule.meant == rule.meant.lowercased(), let initial = rule.meant.first else {
            return rule.meant
        }
        return initial.uppercased() + rule.meant.dropFirst()
    }

    // MARK: Boundaries

    private static func isApostrophe(_ character: Character) -> Bool { "'\u{2019}\u{02BC}\u{FF07}".contains(character) }
    private static func isHyphen(_ character: Character) -> Bool { "-\u{2010}\u{2011}\u{00AD}".contains(character) }
    /// Characters that make one name of what they join, and those that open a name by themselves.
    private static func isSigil(_ character: Character) -> Bool {
        "/\\@#~$+".contains(character) || isHyphen(character)
    }
    private static func isJoiner(_ character: Character) -> Bool {
        isSigil(character) || isApostrophe(character) || ".:".contains(character)
    }

    private static func isWord(_ character: Character) -> Bool {
        if character.isLetter || character.isNumber || character == "_" { return true }
        return character.unicodeScalars.contains { $0.properties.generalCategory == .nonspacingMark }
    }

    private static func isBoundary(before start: Int, in text: [Character]) -> Bool {
        guard start > 0 else { return true }
        let previous = text[start - 1]
        if isWord(previous) || isSigil(previous) { return false }
        return !(isJoiner(previous) && start > 1 && isWord(text[start - 2]))
    }

    private static func isBoundary(after end: Int, in text: [Character]) -> Bool {
        guard end < text.count else { return true }
        let next = text[end]
        if isWord(next) { return false }
        guard isJoiner(next), end + 1 < text.count, isWord(text[end + 1]) else {
            return !"/\\@".contains(next)
        }
        let isPossessive = isApostrophe(next) && text[end + 1].lowercased() == "s"
        return isPossessive && (end + 2 == text.count || !isWord(text[end + 2]))
    }

    /// Runs of backticks up to the next run of the same length, as in markdown; an opener without one is plain text.
    private static func codeSpans(in text: [Character]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var position = 0
        while position < text.count {
            guard text[position] == "`" else {
                position += 1
                continue
            }
            let start = position
            while position < text.count, text[position] == "`" { position += 1 }
            runs.append(start..<position)
        }
        // For each run the next one of its length, found from the end: looking for it would cost the square of a
        // text of many lengths.
        var (next, closes) = ([Int: Int](), [Int?](repeating: nil, count: runs.count))
        for index in runs.indices.reversed() { closes[index] = next.updateValue(index, forKey: runs[index].count) }
        var spans: [Range<Int>] = []
        var index = 0
        while index < runs.count {
            if let close = closes[index] {
                spans.append(runs[index].lowerBound..<runs[close].upperBound)
                index = close + 1
            } else {
                index += 1
            }
        }
        return spans
    }
}
