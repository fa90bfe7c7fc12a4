// Riff
// SPDX-License-Identifier: Apache-2.0

/// Where the second part of an answer meets the first: how much of its beginning repeats the end of the first.
///
/// 1. It begins with the anchor, the words that were asked for: exactly these are the repetition, also where more would
///    fit, as in a text that repeats itself.
/// 2. It begins with another part of the end, up to 200 characters: the longest that fits, if it is long enough to be
///    no accident.
/// 3. It begins with the word in which the first part was cut, from its first letter on.
/// 4. Otherwise it repeats nothing.
struct ChatSeam: Sendable {
    /// What is no accident: a shorter text may well follow itself ("very very").
    static let shortestOverlap = 16
    /// The anchor has at least so many characters, and more to begin with a word.
    static let shortestAnchor = 40
    static let longestAnchor = 80

    /// The end of the first part.
    let tail: [Unicode.Scalar]
    let anchorCount: Int
    /// The beginning of the second.
    private var held: [Unicode.Scalar] = []

    init(tail: [Unicode.Scalar], anchorCount: Int) {
        self.tail = tail
        self.anchorCount = anchorCount
    }

    /// The last words of a text.
    static func anchor(in tail: [Unicode.Scalar]) -> ArraySlice<Unicode.Scalar> {
        guard tail.count > shortestAnchor else { return tail[...] }
        let latest = tail.count - shortestAnchor
        let earliest = max(0, tail.count - longestAnchor)
        let start = (earliest...latest).last { $0 > 0 && tail[$0 - 1].isSpace && !tail[$0].isSpace }
        return tail[(start ?? latest)...]
    }

    mutating func append(_ piece: String) { held += piece.unicodeScalars }

    /// What of the second part is new.
    ///
    /// - Parameter isEnd: Whether nothing more of it comes.
    /// - Returns: `nil` while that cannot be told.
    func decide(isEnd: Bool) -> String? {
        guard isEnd || !mayGrow else { return nil }
        return String(String.UnicodeScalarView(held[repeated...]))
    }

    /// Whether all that came is the beginning of something that the first part ends with: with more it may match.
    private var mayGrow: Bool {
        if begins(with: tail.count - anchorCount) { return false }
        return tail.indices.contains { tail.count - $0 > held.count && tail[$0...].starts(with: held) }
    }

    /// How many characters repeat the first part.
    private var repeated: Int {
        if begins(with: tail.count - anchorCount) { return anchorCount }
        let longest = tail.indices.first { tail.count - $0 >= Self.shortestOverlap && begins(with: $0) }
        if let longest { return tail.count - longest }
        let word = tail.reversed().prefix(while: \.properties.isAlphabetic).count
        return word > 1 && begins(with: tail.count - word) ? word : 0
    }

    /// Whether the second part begins with the first one's end from a place on.
    private func begins(with place: Int) -> Bool { held.starts(with: tail[place...]) }
}

extension Unicode.Scalar {
    fileprivate var isSpace: Bool { properties.isWhitespace }
}
