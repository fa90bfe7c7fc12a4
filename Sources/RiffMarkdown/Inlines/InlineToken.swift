// Riff
// SPDX-License-Identifier: Apache-2.0

/// A piece of a leaf's text, in order. What stands around others is a pair of tokens; emphasis is found last, and told
/// by the runs of marks.
struct InlineToken {
    enum Kind: UInt8 {
        /// The text is literal, or it replaces the written text: a character reference.
        case text, literal
        case softBreak, lineBreak
        case code, codeLiteral, html, math
        /// Marks of emphasis, as far as they are not used.
        case run
        case bracket, imageBracket
        case link, image, linkEnd
        case autolink
        case footnote
    }

    var kind: Kind
    /// The start in the leaf's text.
    var start: Int32
    var end: Int32
    /// The index of a string, the start of a literal in the tree's text, or the last pair that a run opens.
    var value: Int32 = -1
    /// The end of a literal, or the first pair that a run closes.
    var extra: Int32 = -1
    /// The number of pairs that a run closes.
    var closes: Int32 = 0

    init(_ kind: Kind, _ range: Range<Int>, value: Int, extra: Int) {
        self.init(kind, range.lowerBound, range.upperBound, value: value, extra: extra)
    }

    /// The range in the leaf's text.
    var range: Range<Int> { Int(start)..<Int(end) }

    init(_ kind: Kind, _ start: Int, _ end: Int, value: Int = -1, extra: Int = -1) {
        self.kind = kind
        self.start = Int32(truncatingIfNeeded: start)
        self.end = Int32(truncatingIfNeeded: end)
        self.value = Int32(truncatingIfNeeded: value)
        self.extra = Int32(truncatingIfNeeded: extra)
    }
}

/// A run of marks that may open or close emphasis, in a list in the order of the text.
struct Delimiter {
    var token: Int32
    var mark: UInt8
    var canOpen: Bool
    var canClose: Bool
    /// Whether letters or digits are on both sides.
    var isInWord: Bool
    var isRemoved = false
    /// The length as written.
    var length: Int32
    var previous: Int32
    var next: Int32 = -1
}

/// Emphasis: two runs, and what is around it in the text.
struct EmphasisPair {
    var tag: NodeTag
    var start: Int32
    var end: Int32
    /// The pair inside that the same run opens.
    var inner: Int32
}

/// An opening bracket that waits for its end.
struct OpenBracket {
    var token: Int32
    /// The delimiter before it.
    var delimiter: Int32
    /// The start of the text after the bracket.
    var content: Int32
    var isImage: Bool
    var isFollowed = false
    /// Whether addresses in it are left alone: two notes, as cmark-gfm's autolinks ask for both.
    var isInLink: Bool
    var isInImage: Bool
    /// The number of times that a link inside of this image reset its note.
    var resets: UInt8 = 0
}
