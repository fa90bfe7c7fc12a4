// Riff
// SPDX-License-Identifier: Apache-2.0

/// The changes that a piece of text made.
public struct MarkdownUpdate: Sendable {
    /// The blocks that became complete, in order.
    public var committed: [MarkdownBlock] = []
    /// Blocks of earlier updates that a definition changed which came after them; each of them once.
    public var amended: [MarkdownAmendment] {
        get { amendments.all }
        set { amendments = MarkdownAmendments(newValue) }
    }
    private var amendments = MarkdownAmendments()
    /// The change of the text after the last complete block.
    public var tail = MarkdownTailDelta(keepPrefixUTF8: 0, appended: "")
    /// The block that is not complete; nil if none is begun, or if no line of it is complete yet.
    public var openBlock: MarkdownOpenBlock?

    /// An update that changes nothing.
    package init() {}

    /// Replaces a block that was read again: one that came with this update is handed out as it is now.
    mutating func replace(_ block: MarkdownBlock, _ reason: MarkdownAmendment.Reason, first: Int) {
        if block.id >= first {
            committed[block.id - first] = block
        } else {
            amendments.put(block, reason)
        }
    }
}

/// The amendments of an update, found by their blocks: one definition may amend all blocks before it.
private struct MarkdownAmendments: Sendable {
    private(set) var all: [MarkdownAmendment] = []
    /// The index of each block's amendment.
    private var places: [Int: Int] = [:]

    init(_ all: [MarkdownAmendment] = []) {
        for amendment in all { put(amendment.block, amendment.reason) }
    }

    /// Adds a block, or puts it in the place of what it was, with the reason that was given first.
    mutating func put(_ block: MarkdownBlock, _ reason: MarkdownAmendment.Reason) {
        if let place = places[block.id] {
            all[place] = MarkdownAmendment(block: block, reason: all[place].reason)
        } else {
            places[block.id] = all.count
            all.append(MarkdownAmendment(block: block, reason: reason))
        }
    }
}

/// A complete block that is read in another way than before.
public struct MarkdownAmendment: Sendable {
    /// Why a block changed.
    public struct Reason: RawRepresentable, Sendable, Hashable {
        /// The name of the reason.
        public let rawValue: String

        /// A reason with a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A link that the block refers to was defined.
        public static let reference = Reason(rawValue: "reference")
        /// A footnote that the block refers to was defined, or its number changed.
        public static let footnote = Reason(rawValue: "footnote")
    }

    /// The block as it is now, with the id and the source that it had.
    public let block: MarkdownBlock
    /// Why it changed.
    public let reason: Reason
}

/// The change of the tail's source.
public struct MarkdownTailDelta: Sendable, Hashable {
    /// So many bytes of UTF-8 at the start of the tail before stay; the rest is gone.
    public var keepPrefixUTF8: Int
    /// The text that follows the kept bytes.
    public var appended: String

    /// A change of the tail.
    package init(keepPrefixUTF8: Int, appended: String) {
        self.keepPrefixUTF8 = keepPrefixUTF8
        self.appended = appended
    }
}

/// The top-level block that is not complete, or that is waiting for what follows.
public struct MarkdownOpenBlock: Sendable, Hashable {
    /// The id it will have, unless it turns out to be two blocks: a paragraph and the table below it.
    public let id: Int
    /// The kind of the block so far.
    public let kind: MarkdownNode.Kind
    /// The number of its children that do not change any more: items of a list, rows of a table, lines of code, blocks
    /// of a quote. They are drawn as they come (``MarkdownStream/tail(since:)``).
    public let committedChildren: Int
    /// Whether nothing but blank lines can be added to it.
    public let isComplete: Bool

    /// An open block.
    package init(id: Int, kind: MarkdownNode.Kind, committedChildren: Int, isComplete: Bool) {
        self.id = id
        self.kind = kind
        self.committedChildren = committedChildren
        self.isComplete = isComplete
    }
}
