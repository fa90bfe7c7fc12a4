// Riff
// SPDX-License-Identifier: Apache-2.0

/// The kind of a node, without its details.
enum NodeTag: UInt8, Sendable {
    case document
    case paragraph, heading, thematicBreak, quote, list, item, code, html, table, row, cell
    case footnotes, footnote, math, definitions, blank
    case text, softBreak, lineBreak, codeSpan, htmlSpan, emphasis, strong, strikethrough, link, image
    case footnoteMark, mathSpan

    /// Whether its text is parsed for inlines.
    var holdsInlines: Bool { self == .paragraph || self == .heading || self == .cell }

    /// Whether its lines are kept as they are.
    var isVerbatim: Bool { self == .code || self == .html || self == .math }
}

/// A node as a tree keeps it: its descendants follow it.
///
/// Trees are flat, so that neither reading nor releasing one takes stack, however deep its source nests: a megabyte of
/// `>` is a million levels.
struct NodeRecord: Sendable {
    var tag: NodeTag
    /// A loose list, a tight paragraph, a header row; 1 for a task that is open and 2 for one that is done.
    var flag: UInt8 = 0
    /// A heading's level, a list's marker, a cell's alignment.
    var detail: UInt16 = 0
    /// The index behind the last descendant.
    var end: UInt32 = 0
    /// A list's first number, a table's columns, the index of the first of its strings or of
    /// its footnote.
    var value: UInt32 = 0
    /// Its literal text, as a range of the tree's.
    var textStart: UInt32 = 0
    var textEnd: UInt32 = 0
    /// The start in the source, from the start of the tree's.
    var start: UInt32 = 0
    var stop: UInt32 = 0

    mutating func setText(_ range: Range<Int>) {
        textStart = UInt32(clamping: range.lowerBound)
        textEnd = UInt32(clamping: range.upperBound)
    }
}
