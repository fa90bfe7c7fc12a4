// Riff
// SPDX-License-Identifier: Apache-2.0

/// The seam between the two parts of an answer: how much of the second part's beginning repeats the end of the first.
///
/// 1. It begins with the anchor, the words that were asked for: exactly these are the repetition, also where more would
///    fit, as in a text that repeats itself.
/// 2. It begins earlier in the first part and repeats all from there on, up to 200 characters: the longest that fits.
/// 3. It begins within the anchor, and repeats from there to the end: at least 16 characters of three different words,
///    from the middle of a line, that stand nowhere else in the end of the first part.
/// 4. Otherwise it repeats nothing. A shorter likeness is none: a closing brace or a row may well follow itself. Where
///    words are the same all the same, they are told as ``doubt``.
///
/// Models trim what they repeat, and copy the marks around it. So white space around the repetition need not be the
/// same, and the marks may be there; of white space behind it, what the first part ended with is not said again.
struct ChatSeam: Sendable {
    /// The anchor has at least so many characters, and more to begin with a word: a shorter one may be an accident.
    static let shortestAnchor = 40
    static let longestAnchor = 80
    /// A part of the anchor has at least so many characters.
    private static let shortestPart = 16
    /// More white space than this before a repetition is no repetition.
    private static let longestBlank = 200

    /// The end of the first part, up to its last word.
    private let tail: [Unicode.Scalar]
    private let anchorCount: Int
    /// The beginnings of words within the anchor, from which on a repetition is one.
    private let parts: [Int]
    /// The white space behind that.
    private let blank: [Unicode.Scalar]
    /// The beginning of the second.
    private var held: [Unicode.Scalar] = []
    /// Whether a repetition was found, and taken away.
    private var isFound = false

    /// The end of a text; `nil` where it is too short to be found again.
    init?(after text: String) {
        let scalars = text.unicodeScalars
        blank = scalars.reversed().prefix(while: \.isSpace).reversed()
        let end = scalars.dropLast(blank.count).suffix(ChatContinuation.longestOverlap)
        tail = Array(end.drop(while: \.isSpace))
        guard tail.count >= Self.shortestAnchor else { return nil }
        let latest = tail.count - Self.shortestAnchor
        let earliest = max(0, tail.count - Self.longestAnchor)
        // It begins with a word, or at least not with white space, which is not compared at a beginning.
        let word = (earliest...latest).last { [tail] in $0 > 0 && tail[$0 - 1].isSpace && !tail[$0].isSpace }
        let start = word ?? tail[...latest].lastIndex { !$0.isSpace } ?? latest
        anchorCount = tail.count - start
        parts = Self.parts(of: tail, from: start)
    }

    /// The places from which on a part of the anchor is no accident, earliest first.
    private static func parts(of tail: [Unicode.Scalar], from start: Int) -> [Int] {
        guard tail.count - start > shortestPart else { return [] }
        return (start + 1...tail.count - shortestPart).filter { place in
            // A line may well follow itself, and so may its beginning.
            guard tail[place - 1].isSpace, !tail[place].isSpace, tail[place - 1].value != 0x0A else { return false }
            let part = tail[place...]
            let words = part.split(whereSeparator: \.isSpace).filter { $0.contains { $0.properties.isAlphabetic } }
            let isElsewhere = (0..<place).contains { tail[$0...].starts(with: part) }
            return Set(words.map { String(String.UnicodeScalarView($0)) }).count >= 3 && !isElsewhere
        }
    }

    /// The last words of the first part, exactly as they stand.
    var anchor: String { String(String.UnicodeScalarView(tail.suffix(anchorCount) + blank)) }

    mutating func append(_ piece: String) { held += piece.unicodeScalars }

    /// Returns the part of the second part that is new.
    ///
    /// - Parameter isEnd: Whether nothing more of it comes.
    /// - Returns: `nil` while that cannot be told.
    mutating func decide(isEnd: Bool) -> String? {
        switch repetition() {
        case .open where !isEnd: return nil
        case .open, .none: return text(from: 0)
        case .found(let end, let isMarked):
            guard let place = rest(behind: end, isMarked: isMarked, isEnd: isEnd) else { return nil }
            isFound = true
            return text(from: place)
        }
    }

    /// Continues to look at the second part, of which nothing is held back any more: as far as words may be the same.
    mutating func watch(_ piece: String) {
        let limit = Self.longestBlank + anchorCount + 8
        if held.count < limit { held += piece.unicodeScalars.prefix(limit - held.count) }
    }

    /// The same seam, decided, without the text behind it.
    var watching: ChatSeam {
        var seam = self
        seam.held = Array(held.prefix(Self.longestBlank + anchorCount + 8))
        return seam
    }

    /// Words at the beginning of the second part that stand at the end of the first as well, and were left in both.
    var doubt: String? { isFound ? nil : likeness() }

    /// Words that the second part begins with and that stand at the end of the first, or at the beginning of the
    /// anchor: two at least. A model that repeats a part, or another form, of what it was asked for leaves these.
    private func likeness() -> String? {
        let words = held.drop(while: \.isSpace)
        let starts = (tail.count - anchorCount..<tail.count).filter { place in
            !tail[place].isSpace && (place == 0 || tail[place - 1].isSpace)
        }
        // From a word to the end of the first part, or from the anchor's beginning on.
        let count =
            starts.lazy.map { [tail, anchorCount] place in
                let same = zip(tail[place...], words).prefix { $0 == $1 }.count
                return place == tail.count - anchorCount || same == tail.count - place ? same : 0
            }.max() ?? 0
        var common = words.prefix(count)
        // Half a word is none.
        if count < words.count, let next = words.dropFirst(count).first, !next.isSpace, next.properties.isAlphabetic {
            common = common.dropLast(common.reversed().prefix { !$0.isSpace }.count)
        }
        let parts = common.split(whereSeparator: \.isSpace)
        return parts.count >= 2 ? String(String.UnicodeScalarView(common)) : nil
    }

    private func text(from place: Int) -> String { String(String.UnicodeScalarView(held[place...])) }

    // MARK: The repetition

    private enum Repetition {
        /// There is none.
        case none
        /// With more of the text there may be one.
        case open
        /// There is a repetition, which ends here, with or without a mark before it.
        case found(Int, isMarked: Bool)
    }

    private func repetition() -> Repetition {
        let start = held.prefix(while: \.isSpace).count
        guard start < held.count else { return start > Self.longestBlank ? .none : .open }
        let plain = repetition(from: start, isMarked: false)
        // The text itself may begin as the mark does.
        let marks = held[start...].prefix(3).prefix { $0 == "<" }.count
        if case .found = plain { return plain }
        guard marks == 3 else { return start + marks == held.count ? .open : plain }
        let inner = start + 3 + held[(start + 3)...].prefix(while: \.isSpace).count
        guard inner < held.count else { return inner - start > Self.longestBlank ? plain : .open }
        let marked = repetition(from: inner, isMarked: true)
        if case .none = marked { return plain }
        return marked
    }

    private func repetition(from start: Int, isMarked: Bool) -> Repetition {
        let words = held[start...]
        let anchor = tail.count - anchorCount
        if words.starts(with: tail[anchor...]) { return .found(start + anchorCount, isMarked: isMarked) }
        func isBeginning(_ place: Int) -> Bool {
            tail.count - place > words.count && tail[place...].starts(with: words)
        }
        if (0...anchor).contains(where: isBeginning) || parts.contains(where: isBeginning) { return .open }
        let longest =
            (0...anchor).first { words.starts(with: tail[$0...]) } ?? parts.first { words.starts(with: tail[$0...]) }
        return longest.map { .found(start + tail.count - $0, isMarked: isMarked) } ?? .none
    }

    /// Returns the place at which the second part continues after a repetition; `nil` while that cannot be told.
    private func rest(behind end: Int, isMarked: Bool, isEnd: Bool) -> Int? {
        var place = end
        var missing = blank[...]
        func skipBlank() {
            while let next = missing.first, place < held.count, held[place] == next {
                place += 1
                missing = missing.dropFirst()
            }
        }
        skipBlank()
        if isMarked {
            let close = place + held[place...].prefix(while: \.isSpace).count
            let marks = held[close...].prefix(3)
            if marks.elementsEqual(">>>".unicodeScalars) {
                place = close + 3
                skipBlank()
            } else if !isEnd, marks.count < 3, marks.allSatisfy({ $0 == ">" }), close - place <= Self.longestBlank {
                return nil
            }
        }
        return isEnd || missing.isEmpty || place < held.count ? place : nil
    }
}

extension Unicode.Scalar {
    fileprivate var isSpace: Bool { properties.isWhitespace }
}
