// Riff
// SPDX-License-Identifier: Apache-2.0

/// The block phase: reads line after line and keeps the tree of the top-level block that is open.
///
/// It is CommonMark's algorithm (appendix "A parsing strategy") as cmark-gfm 0.29 carries it out. Each line is first
/// looked at (``plan(_:)``), which changes nothing, and then applied. A top-level block that nothing can be added to
/// any more is handed out in ``finished``.
struct BlockParser: Sendable {
    /// An open block, and how many children it has.
    struct Level: Sendable {
        var node: Int
        var children = 0
    }

    let extensions: MarkdownExtensions
    /// The blocks of the open top-level block; all of them closed if ``levels`` is empty.
    var nodes: [BlockNode] = []
    /// The text of the leaves, one after the other; an open leaf's is the last.
    var text: [UInt8] = []
    var map = SourceMap()
    /// The open blocks, outermost first.
    var levels: [Level] = []
    /// The number of the root's children once it is closed.
    var closedRootChildren = 0
    /// Definitions that stand in the open block.
    var definitions: [LinkDefinition] = []
    /// Top-level blocks that are complete.
    var finished: [FinishedBlock] = []

    /// The number of lines of the last leaf.
    var leafLines = 0
    /// Whether the line that is read holds U+0000.
    private(set) var hasNulls = false
    /// The number of cells that short rows of tables were given.
    var addedCells = 0

    /// The start of the open top-level block, or of the blank lines before it, in the stream's text.
    private(set) var origin = 0
    /// The start of the line that is read, and of the one before, in the stream's text.
    private(set) var lineStart = 0
    private(set) var previousLineStart = 0
    private var isFirstLine = true
    /// The levels that a blank line does not pass: all but lists and items that hold something.
    var barriers: [Int] = []
    /// The list that became loose when the last block was opened.
    private var loosened = -1
    /// The one open level whose ``BlockNode/Flags/endsBlank`` is set.
    private var blankLevel = -1

    init(extensions: MarkdownExtensions) { self.extensions = extensions }

    /// A place of the line as one of the source, from the top-level block's start.
    func place(_ offset: Int) -> Int { lineStart - origin + offset }

    /// Returns the source of a place of the text, as a place of the top-level block's source.
    func source(of text: Int) -> Int {
        var cursor = SourceMap.Cursor(map, from: text)
        return cursor.source(of: text)
    }

    /// The cursor at the start of a line.
    func cursor(_ line: Bytes) -> LineCursor {
        let hasMark = isFirstLine && line.count >= 3 && line[0] == 0xEF && line[1] == 0xBB && line[2] == 0xBF
        return LineCursor(line, offset: hasMark ? 3 : 0)
    }

    /// Reads a complete line, without its end.
    mutating func read(_ line: Bytes, at start: Int, hasNulls: Bool) {
        self.hasNulls = hasNulls
        previousLineStart = lineStart
        lineStart = start
        var cursor = cursor(line)
        let plan = plan(&cursor)
        isFirstLine = false
        apply(plan, cursor)
    }

    /// Closes all that is open, and hands out everything up to a place.
    mutating func close(at place: Int) {
        close(downTo: 0)
        finish(at: place)
    }

    /// Hands out the top-level block, which is closed, with everything up to a place.
    mutating func finish(at place: Int) {
        guard place > origin else { return }
        finished.append(
            FinishedBlock(nodes: nodes, text: text, map: map, definitions: definitions, range: origin..<place)
        )
        (nodes, text, map, definitions) = ([], [], SourceMap(), [])
        origin = place
        closedRootChildren = 0
    }

    // MARK: - Opening and closing

    /// Closes the open blocks that cannot hold a block. If it is to be the first of a top-level block, what went before
    /// ends at this line; only then are places of the source known (``place(_:)``).
    mutating func makeRoom(for tag: NodeTag) {
        while let level = levels.last, !nodes[level.node].canHold(tag) { closeLast() }
        if levels.isEmpty { finish(at: lineStart) }
    }

    /// Opens a block in the innermost open block, which can hold it.
    mutating func open(_ block: BlockNode) {
        loosened = -1
        var block = block
        let index = nodes.count
        if let parent = levels.last?.node {
            loosen(parent, before: block)
            block.previous = nodes[parent].lastChild
            nodes[parent].lastChild = Int32(index)
            levels[levels.count - 1].children += 1
            if nodes[parent].tag == .item, barriers.last == levels.count - 1 { barriers.removeLast() }
        }
        nodes.append(block)
        if block.tag != .list { barriers.append(levels.count) }
        levels.append(Level(node: index))
        nodes[index].textStart = UInt32(clamping: text.count)
        nodes[index].textEnd = nodes[index].textStart
        leafLines = 0
    }

    /// A blank line between two items, or between the blocks of an item, makes the list loose.
    private mutating func loosen(_ parent: Int, before block: BlockNode) {
        let last = Int(nodes[parent].lastChild)
        guard last >= 0 else { return }
        if nodes[parent].tag == .item {
            let list = levels[levels.count - 2].node
            guard !nodes[list].flags.contains(.isLoose), endsBlank(last) else { return }
            nodes[list].flags.insert(.isLoose)
            loosened = list
        } else if nodes[parent].tag == .list {
            let inner = Int(nodes[last].lastChild)
            if nodes[last].flags.contains(.endsBlank) || (inner >= 0 && endsBlank(inner)) {
                nodes[parent].flags.insert(.isLoose)
            }
        }
    }

    /// A list that ends with the line that is read is loose even if its last paragraph turns out to be definitions:
    /// cmark looks at the list first.
    mutating func keepLoose(at level: Int) {
        if level >= 0, loosened == levels[level].node { loosened = -1 }
    }

    /// Whether a closed block ends with a blank line; a list does if its last item's last block does.
    private func endsBlank(_ block: Int) -> Bool {
        var block = block
        while nodes[block].tag == .list || nodes[block].tag == .item, nodes[block].lastChild >= 0 {
            block = Int(nodes[block].lastChild)
        }
        return nodes[block].flags.contains(.endsBlank)
    }

    mutating func close(downTo count: Int) {
        while levels.count > count { closeLast() }
    }

    mutating func closeLast() {
        guard let level = levels.popLast() else { return }
        if barriers.last == levels.count { barriers.removeLast() }
        let index = level.node
        if levels.isEmpty { closedRootChildren = level.children }
        nodes[index].flags.insert(.isClosed)
        nodes[index].end = Int32(clamping: nodes.count)
        switch nodes[index].tag {
        case .paragraph:
            if !takeDefinitions(of: index) { return removeLeaf(index) }
        case .code where nodes[index].mark == 0: trimBlankLines(of: index)
        default: break
        }
        guard nodes[index].lastChild >= 0 else { return }
        nodes[index].stop = max(nodes[index].stop, nodes[Int(nodes[index].lastChild)].stop)
    }

    /// Takes back the block that was opened last and is closed now: nothing is left of it.
    mutating func removeLeaf(_ index: Int) {
        let previous = nodes[index].previous
        nodes.removeLast()
        if loosened >= 0 { nodes[loosened].flags.remove(.isLoose) }
        loosened = -1
        guard let parent = levels.last?.node else { return }
        nodes[parent].lastChild = previous
        levels[levels.count - 1].children -= 1
        if previous < 0, nodes[parent].tag == .item { barriers.append(levels.count - 1) }
    }

    /// Reads the definitions that an open or closing paragraph starts with.
    ///
    /// - Returns: Whether anything is left of it.
    mutating func takeDefinitions(of index: Int) -> Bool {
        let range = nodes[index].textRange
        let (found, _, rest) = text.withUnsafeBufferPointer { LinkDefinition.read($0, range) }
        definitions += found
        nodes[index].textStart = UInt32(clamping: rest)
        return text[rest..<range.upperBound].contains { !$0.isSpace }
    }

    private mutating func trimBlankLines(of index: Int) {
        let range = nodes[index].textRange
        guard let last = text[range].lastIndex(where: { !$0.isSpace }) else { return }
        let end = text[last..<range.upperBound].firstIndex(of: .lineFeed) ?? last
        nodes[index].textEnd = UInt32(clamping: end + 1)
    }

    /// A line reached the first levels: those do not end with a blank line any more.
    mutating func unmarkBlank(above count: Int) {
        if blankLevel >= 0, blankLevel < count { nodes[levels[blankLevel].node].flags.remove(.endsBlank) }
        blankLevel = -1
    }

    /// The last line that reached a level, and none below, was blank.
    mutating func markBlank(_ level: Int) {
        nodes[levels[level].node].flags.insert(.endsBlank)
        blankLevel = level
    }
}

/// A top-level block that is complete, before its inlines are read.
struct FinishedBlock: Sendable {
    /// Empty for blank lines and for a paragraph of definitions.
    var nodes: [BlockNode]
    var text: [UInt8]
    var map: SourceMap
    var definitions: [LinkDefinition]
    /// The range in the stream's text; blank lines that follow belong to it.
    var range: Range<Int>
    /// The number of times that the labels in it occur in the blocks before.
    var mentionsBefore: [LinkLabel: Int] = [:]
}
