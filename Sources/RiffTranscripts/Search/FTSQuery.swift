// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A query of SQLite's full-text index, made from the text that a person types into a search field: the one place where
/// text becomes one.
///
/// No text is a syntax error, and none of it is an operator unless ``Syntax/operators`` is asked for. All words must be
/// found, in any order.
public struct FTSQuery: Sendable, Hashable {
    /// What is read out of the text.
    public enum Syntax: Sendable, Hashable {
        /// Words between spaces, and nothing else.
        case plain
        /// Besides, `"a phrase"`, `begin*` for words that begin so, `-without`, and `one OR other`. What stands in the
        /// wrong place counts as a word.
        case operators
    }

    /// One word or phrase.
    package struct Term: Sendable, Hashable {
        package var text: String
        package var isPrefix = false
    }

    /// The most characters of a text that count.
    static let characterLimit = 4096
    /// The most words of a text that count.
    package static let termLimit = 64
    /// The most trigrams of a query that are looked up; the text itself is compared with all of it.
    private static let trigramLimit = 24

    /// All of these must be found, of each one or another.
    package private(set) var groups: [[Term]] = []
    /// None of these may be found.
    private(set) var excluded: [Term] = []

    /// Creates a query.
    ///
    /// - Parameters:
    ///   - text: What was typed: of more than 4096 characters or 64 words, only these count.
    ///   - syntax: What is read out of it.
    public init(_ text: String, syntax: Syntax = .plain) {
        // SQLite ends a query at U+0000.
        let scalars = text.prefix(Self.characterLimit).unicodeScalars.map { $0 == "\u{0}" ? " " : $0 }
        let typed = String(String.UnicodeScalarView(scalars))
        var reader = FTSTermReader(typed[...])
        var joinsNext = false
        var count = 0
        while count < Self.termLimit, let word = reader.next(syntax) {
            switch word {
            case .or: joinsNext = !groups.isEmpty
            case .excluded(let term):
                count += 1
                excluded.append(term)
            case .term(let term):
                count += 1
                if joinsNext { groups[groups.count - 1].append(term) } else { groups.append([term]) }
                joinsNext = false
            }
        }
    }

    /// Whether nothing can be found with it: it has no words, or only such as must not be found.
    public var isEmpty: Bool { groups.isEmpty }

    /// Whether words of it stand in a script without spaces, or are none (emoji, `->`): these are found as parts of the
    /// text only.
    package var needsSubstrings: Bool {
        groups.contains { group in group.contains { term in FTSText.needsSubstrings(term.text) } }
    }

    // MARK: Words

    /// The expression for the index of words; `nil` where it holds no word.
    package var words: String? {
        let all = groups.compactMap { group in Self.joined(group.compactMap(Self.word), "OR") }
        guard let expression = Self.joined(all, "AND") else { return nil }
        let without = excluded.compactMap(Self.word)
        return ([expression] + without).joined(separator: " NOT ")
    }

    private static func word(_ term: Term) -> String? {
        guard FTSText.hasWord(term.text) else { return nil }
        return quoted(term.text) + (term.isPrefix ? " *" : "")
    }

    // MARK: Substrings

    /// The expression for the index of trigrams, which finds more than the query: its trigrams, in any order. `nil`
    /// where no word is as long as one.
    package var trigrams: String? {
        Self.joined(
            groups.compactMap { group in
                // Where one of two words is too short to be looked up, both are compared with the text only.
                let terms = group.map { term in Self.trigrams(term.text) }
                return terms.contains(where: \.isEmpty)
                    ? nil : Self.joined(terms.compactMap { Self.joined($0.map(Self.quoted), "AND") }, "OR")
            },
            "AND"
        )
    }

    private static func trigrams(_ text: String) -> [String] {
        let scalars = Array(text.unicodeScalars)
        guard scalars.count >= 3 else { return [] }
        let count = scalars.count - 2
        let step = max(1, (count + trigramLimit - 1) / trigramLimit)
        return stride(from: 0, to: count, by: step).map { start in
            String(String.UnicodeScalarView(scalars[start..<(start + 3)]))
        }
    }

    // MARK: Writing

    private static func joined(_ parts: [String], _ operation: String) -> String? {
        switch parts.count {
        case 0: nil
        case 1: parts[0]
        default: "(" + parts.joined(separator: " \(operation) ") + ")"
        }
    }

    /// Returns a string of FTS5: every character but the quotation mark is literal.
    private static func quoted(_ text: String) -> String {
        var quoted = "\"".unicodeScalars
        // By scalars: with an accent behind it a quotation mark is another character, and the same to SQLite.
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return String(quoted)
    }
}

/// Reads words out of what was typed.
private struct FTSTermReader {
    enum Word {
        case term(FTSQuery.Term)
        case excluded(FTSQuery.Term)
        case or
    }

    private var rest: Substring

    init(_ text: Substring) { rest = text }

    mutating func next(_ syntax: FTSQuery.Syntax) -> Word? {
        while true {
            rest = rest.drop(while: FTSText.isSpace)
            guard !rest.isEmpty else { return nil }
            guard syntax == .operators else { return .term(FTSQuery.Term(text: String(word(until: FTSText.isSpace)))) }
            let isExcluded =
                rest.count > 1 && rest.first == "-" && !FTSText.isSpace(rest[rest.index(after: rest.startIndex)])
            if isExcluded { rest = rest.dropFirst() }
            let isPhrase = rest.first == "\""
            if isPhrase { rest = rest.dropFirst() }
            var text = word { isPhrase ? $0 == "\"" : FTSText.isSpace($0) || $0 == "\"" }
            if isPhrase { rest = rest.dropFirst() }
            if !isPhrase, !isExcluded, text == "OR" { return .or }
            var isPrefix = false
            if isPhrase {
                isPrefix = rest.first == "*"
                if isPrefix { rest = rest.dropFirst() }
            } else if text.count > 1, text.last == "*" {
                isPrefix = true
                text = text.dropLast()
            }
            // Marks without anything in them, as in `""`, say nothing.
            guard text.contains(where: { !FTSText.isSpace($0) }) else { continue }
            let term = FTSQuery.Term(text: String(text), isPrefix: isPrefix)
            return isExcluded ? .excluded(term) : .term(term)
        }
    }

    private mutating func word(until isEnd: (Character) -> Bool) -> Substring {
        let word = rest.prefix { !isEnd($0) }
        rest = rest[word.endIndex...]
        return word
    }
}
