// Riff
// SPDX-License-Identifier: Apache-2.0

/// A part of a line that is spoken: a word, or in scripts without spaces what ends with a mark.
struct SpokenPart {
    enum End {
        case none
        case clause
        case sentence
    }

    let text: Substring
    /// Whether white space precedes the part.
    let isSpaced: Bool
    /// The approximate time that the part takes to say, in Latin letters.
    let weight: Int
    var end: End

    /// The parts of a word that white space surrounds, none of them longer than `longest`.
    static func parts(
        of word: Substring,
        before next: Substring?,
        longest: Int,
        _ language: SpokenLanguage?
    ) -> [SpokenPart] {
        var parts: [SpokenPart] = []
        var rest = word
        while let stop = markEnd(in: rest) {
            parts += cut(rest[..<stop.place], isSpaced: parts.isEmpty, stop.end, longest: longest)
            rest = rest[stop.place...]
        }
        if !rest.isEmpty {
            parts += cut(rest, isSpaced: parts.isEmpty, end(of: rest, before: next, language), longest: longest)
        }
        return parts
    }

    // MARK: Marks

    /// Marks that no space follows, wherever they stand.
    private static let wideEnds: Set<Character> = ["。", "！", "？", "｡", "．", "︒"]
    private static let wideClauses: Set<Character> = ["，", "、", "；", "：", "､"]
    /// Marks that no space follows if a script without spaces continues.
    private static let narrowEnds: Set<Character> = [".", "!", "?", "…", "‥"]
    private static let narrowClauses: Set<Character> = [",", ";", ":"]
    /// Marks that end a sentence where white space follows, colons among them, behind which a speaker breathes.
    private static let ends = wideEnds.union(narrowEnds).union([":", "：", "।", "॥", "؟", "۔", "።"])
    private static let clauses = wideClauses.union(narrowClauses).union(["،", "؛", "—", "–"])
    private static let closers = Set("\"')]}”’»」』）】》〉〕｝］")

    /// Behind the first mark within a word, and all that belongs to it; `nil` where there is none before its end.
    private static func markEnd(in word: Substring) -> (place: Substring.Index, end: End)? {
        var before: Character?
        var place = word.startIndex
        while place < word.endIndex {
            let mark = word[place]
            var end = word.index(after: place)
            let isWide = wideEnds.contains(mark) || wideClauses.contains(mark)
            let isNarrow = narrowEnds.contains(mark) || narrowClauses.contains(mark)
            defer { before = mark }
            guard isWide || isNarrow else {
                place = end
                continue
            }
            var isSentence = wideEnds.contains(mark) || narrowEnds.contains(mark)
            // "？！", "……", and the quotation mark behind them.
            while end < word.endIndex, ends.contains(word[end]) || closers.contains(word[end]) {
                if ends.contains(word[end]) { isSentence = true }
                end = word.index(after: end)
            }
            guard end < word.endIndex else { return nil }
            // "「はい。」と言った": the sentence goes on behind what was quoted.
            if closers.contains(word[word.index(before: end)]), Weight.isHiragana(word[end]) {
                place = end
                continue
            }
            let isNumber = before?.isNumber == true && word[end].isNumber
            let neighbors = [before.map(Weight.isSpaceless) == true, Weight.isSpaceless(word[end])]
            // "说明.txt" is one name.
            let isSpaceless = mark == "." ? neighbors == [true, true] : neighbors.contains(true)
            if isWide || isSpaceless, !isNumber { return (end, isSentence ? .sentence : .clause) }
            place = end
        }
        return nil
    }

    private static let abbreviations: Set<Substring> = [
        "mr", "mrs", "ms", "dr", "prof", "st", "vs", "e.g", "i.e", "etc", "approx", "fig", "cf", "inc", "ltd",
        "jr", "sr",
    ]
    private static let german: Set<Substring> = [
        "z.b", "d.h", "u.a", "o.ä", "usw", "bzw", "ca", "nr", "str", "abs", "bspw", "ggf", "evtl", "inkl", "max", "min",
        "hr", "fr", "vgl", "sog", "mio", "mrd", "jan", "feb", "aug", "sept", "okt", "nov", "dez",
    ]
    private static let french: Set<Substring> = [
        "mme", "mlle", "p.ex", "env", "av", "bd", "n°", "art", "chap", "vol", "éd", "janv", "févr", "juil", "déc", "mm",
    ]
    private static let spanish: Set<Substring> = [
        "sra", "srta", "ud", "uds", "p.ej", "pág", "págs", "núm", "aprox", "ee", "uu", "dña", "av", "art", "cap", "vol",
    ]

    private static func isAbbreviation(_ name: Substring, _ language: SpokenLanguage?) -> Bool {
        if abbreviations.contains(name) { return true }
        return switch language {
        case .german: german.contains(name)
        case .french: french.contains(name)
        case .spanish: spanish.contains(name)
        case .english, nil: false
        }
    }

    private static func end(of word: Substring, before next: Substring?, _ language: SpokenLanguage?) -> End {
        var core = word
        while let last = core.last, closers.contains(last) { core.removeLast() }
        guard let mark = core.last else { return .none }
        if clauses.contains(mark), !ends.contains(mark) { return word.last == mark ? .clause : .none }
        guard ends.contains(mark) else {
            // Where words are not parted by spaces, spaces part sentences.
            let isBreak = word.last.map(Weight.isUnmarked) == true && next?.first.map(Weight.isUnmarked) == true
            return isBreak ? .sentence : .none
        }
        guard mark == "." else { return .sentence }
        let name = core.dropLast().drop { "\"'([“‘«".contains($0) }
        if name.count == 1, name.first?.isLetter == true { return .none }
        if name.utf8.count < 8, isAbbreviation(Substring(name.lowercased()), language) { return .none }
        // "Am 3. Mai": a number with a point is an ordinal.
        if language == .german, next != nil, name.utf8.count < 3, name.allSatisfy(\.isNumber) { return .none }
        // A sentence does not begin with a small letter.
        return next?.first?.isLowercase == true ? .none : .sentence
    }

    // MARK: Length

    /// A part in pieces of the longest length, cut where another script begins, as it does with most words of Japanese.
    private static func cut(_ text: Substring, isSpaced: Bool, _ end: End, longest: Int) -> [SpokenPart] {
        let weights = text.map(Weight.of)
        let whole = weights.reduce(0, +)
        guard whole > longest, weights.count > 1 else {
            return [SpokenPart(text: text, isSpaced: isSpaced, weight: whole, end: end)]
        }
        let characters = Array(text)
        var parts: [SpokenPart] = []
        var (start, place) = (0, text.startIndex)
        while start < characters.count {
            var (stop, weight) = (start, 0)
            while stop < characters.count, stop == start || weight + weights[stop] <= longest {
                weight += weights[stop]
                stop += 1
            }
            if stop < characters.count,
                let better = ((start + stop) / 2 + 1..<stop + 1).last(where: { Weight.isBreak(characters, at: $0) })
            {
                weight -= weights[better..<stop].reduce(0, +)
                stop = better
            }
            let next = text.index(place, offsetBy: stop - start)
            parts.append(
                SpokenPart(
                    text: text[place..<next],
                    isSpaced: isSpaced && parts.isEmpty,
                    weight: weight,
                    end: stop == characters.count ? end : .none
                )
            )
            (start, place) = (stop, next)
        }
        return parts
    }
}
