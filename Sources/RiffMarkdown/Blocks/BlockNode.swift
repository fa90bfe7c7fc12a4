// Riff
// SPDX-License-Identifier: Apache-2.0

/// A block while its top-level block is open. Blocks stand in the order in which they begin, so that descendants
/// follow.
struct BlockNode: Sendable {
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8

        static let isClosed = Flags(rawValue: 1)
        /// The last line that belonged to it was blank.
        static let endsBlank = Flags(rawValue: 2)
        /// A list with a blank line between what it holds.
        static let isLoose = Flags(rawValue: 4)
        static let isTask = Flags(rawValue: 8)
        static let isDone = Flags(rawValue: 16)
        static let isHeader = Flags(rawValue: 32)
    }

    var tag: NodeTag
    var flags: Flags = []
    /// A list's or item's marker, a fence's byte (0 for indented code), a cell's alignment, `$` or `[` for math.
    var mark: UInt8 = 0
    /// A heading's level, an item's content column, a fence's length, an HTML block's kind.
    var size: UInt8 = 0
    /// A fence's indent.
    var indent: UInt8 = 0
    /// A list's first number, a table's columns, the length of an info string or a footnote's label, which stand in
    /// front of the text.
    var value: UInt32 = 0
    var previous: Int32 = -1
    var lastChild: Int32 = -1
    /// The index behind the last descendant, once closed.
    var end: Int32 = 0
    var textStart: UInt32 = 0
    var textEnd: UInt32 = 0
    /// The start in the source, from the start of the top-level block.
    var start: UInt32 = 0
    var stop: UInt32 = 0

    init(_ tag: NodeTag, mark: UInt8 = 0, size: Int = 0, at place: Int = 0) {
        self.tag = tag
        self.mark = mark
        self.size = UInt8(clamping: size)
        start = UInt32(clamping: place)
        stop = start
    }

    var textRange: Range<Int> { Int(textStart)..<Int(textEnd) }

    /// Whether a block may stand directly in it.
    func canHold(_ child: NodeTag) -> Bool {
        switch tag {
        case .quote, .item, .footnote: child != .item
        case .list: child == .item
        default: false
        }
    }
}
