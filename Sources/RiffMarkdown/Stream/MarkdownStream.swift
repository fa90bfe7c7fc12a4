// Riff
// SPDX-License-Identifier: Apache-2.0

/// Reads markdown while it is written, such as an agent's answer.
///
///     var stream = MarkdownStream()
///     for try await text in answer {
///         let update = stream.append(text)
///         for block in update.committed { draw(block) }
///         for amendment in update.amended { redraw(amendment.block) }
///         drawEnd(stream.tail())
///     }
///     for block in stream.finish().committed { draw(block) }
///
/// A block is handed out once it is complete, and then changes no more, except when a definition comes after what it
/// defines (``MarkdownUpdate/amended``). What is not complete is the tail: ``append(_:)`` takes time for the new text
/// only and leaves it alone, and ``tail(since:)`` reads as much of it as there is to draw.
///
/// The dialect is that of cmark-gfm 0.29: CommonMark with GitHub's extensions, as far as they are asked for. What comes
/// out does not depend on how the text was cut. It differs where cmark-gfm takes quadratic time or loses text:
/// references to a definition of more than 100 bytes are text once what those have beyond that comes to 100 KB (the
/// first always is a link), rows of tables are not filled without end, a line opens 32 footnotes in each other at most,
/// and the mark of a footnote does not go over two lines. What is punctuation follows the Unicode version of the
/// standard library.
public struct MarkdownStream: Sendable {
    /// What is read beyond CommonMark.
    public let extensions: MarkdownExtensions

    var parser: BlockParser
    var inlines: InlineParser
    /// The text that is not in a complete block.
    var text: [UInt8] = []
    /// The start of ``text`` in all of the text.
    private(set) var tailStart = 0
    /// The start of the incomplete line in ``text``.
    private(set) var lineStart = 0
    /// Up to where the text was searched for line ends.
    private var searched = 0
    private(set) var lineHasNulls = false
    private var lineIsBlank = true

    private var intake = UTF8Intake()
    var definitions = LinkDefinitions()
    private(set) var mentions = LinkMentions()
    var late = LateReferences()
    var footnotes = FootnoteTable()
    private(set) var nextID = 0
    private var isFinished = false

    /// A block with more source than this is cut. It keeps what the parser counts in 32 bits.
    private static let longestBlock = 1 << 30

    /// A stream without text.
    public init(extensions: MarkdownExtensions = .gitHub) {
        self.extensions = extensions
        parser = BlockParser(extensions: extensions)
        inlines = InlineParser(extensions: extensions)
    }

    /// Adds text. The start of a character that is waiting for its other bytes becomes U+FFFD before it.
    public mutating func append(_ text: String) -> MarkdownUpdate {
        var text = text
        return text.withUTF8 { bytes in
            read { stream in
                if !bytes.isEmpty { stream.intake.finish(&stream.text) }
                stream.text.append(contentsOf: bytes)
            }
        }
    }

    /// Adds text as UTF-8. A character may be cut; malformed bytes become U+FFFD.
    public mutating func append(bytes: some Collection<UInt8>) -> MarkdownUpdate {
        read { $0.intake.append(bytes, to: &$0.text) }
    }

    /// Ends the text: all of it is in complete blocks then. Text that is added later is left out.
    public mutating func finish() -> MarkdownUpdate {
        guard !isFinished else { return MarkdownUpdate() }
        return read(isLast: true) { $0.intake.finish(&$0.text) }
    }

    /// The text behind the last complete block, as it was written.
    public var tailSource: String { String(decoding: text, as: UTF8.self) }

    /// The number of complete blocks.
    package var blockCount: Int { nextID }

    private mutating func read(isLast: Bool = false, _ add: (inout MarkdownStream) -> Void) -> MarkdownUpdate {
        var update = MarkdownUpdate()
        guard !isFinished else { return update }
        let (oldStart, oldCount) = (tailStart, text.count)
        add(&self)
        readLines(isLast: isLast)
        if isLast {
            parser.close(at: tailStart + text.count)
            isFinished = true
        } else {
            closeOversized()
        }
        commit(&update, isLast: isLast)
        let kept = tailStart == oldStart ? oldCount : 0
        update.tail = MarkdownTailDelta(keepPrefixUTF8: kept, appended: String(decoding: text[kept...], as: UTF8.self))
        update.openBlock = openBlock
        return update
    }

    // MARK: - Lines

    /// Reads the lines that are complete.
    private mutating func readLines(isLast: Bool) {
        // The parser must not read what `self` may change meanwhile.
        var text: [UInt8] = []
        swap(&text, &self.text)
        text.withUnsafeBufferPointer { bytes in
            while let (end, next) = nextLineEnd(bytes, isLast: isLast) {
                readLine(bytes, end: end)
                (lineStart, searched) = (next, next)
                (lineHasNulls, lineIsBlank) = (false, true)
            }
            // What is closed ends before the first character of the next line that is not blank.
            if !lineIsBlank, parser.levels.isEmpty { parser.finish(at: tailStart + lineStart) }
        }
        swap(&text, &self.text)
    }

    private mutating func readLine(_ bytes: Bytes, end: Int) {
        parser.read(Bytes(rebasing: bytes[lineStart..<end]), at: tailStart + lineStart, hasNulls: lineHasNulls)
    }

    /// The end of the line's text, and the start of the next line. A carriage return waits for what follows it.
    private mutating func nextLineEnd(_ bytes: Bytes, isLast: Bool) -> (end: Int, next: Int)? {
        while searched < bytes.count {
            let byte = bytes[searched]
            if byte == .lineFeed { return (searched, searched + 1) }
            if byte == .carriageReturn {
                guard searched + 1 < bytes.count || isLast else { return nil }
                let isPair = searched + 1 < bytes.count && bytes[searched + 1] == .lineFeed
                return (searched, searched + (isPair ? 2 : 1))
            }
            if byte == 0 { lineHasNulls = true }
            if !byte.isBlank { lineIsBlank = false }
            searched += 1
        }
        return isLast && lineStart < bytes.count ? (bytes.count, bytes.count) : nil
    }

    private mutating func closeOversized() {
        guard text.count > Self.longestBlock else { return }
        readLinesToEnd()
        parser.close(at: tailStart + text.count)
    }

    private mutating func readLinesToEnd() {
        guard lineStart < text.count else { return }
        readLines(isLast: true)
    }

    // MARK: - Blocks

    private mutating func commit(_ update: inout MarkdownUpdate, isLast: Bool) {
        let first = nextID
        var start = 0
        for var block in parser.finished {
            let end = block.range.upperBound - tailStart
            define(block)
            block.mentionsBefore = mentions.add(block)
            nextID += 1
            update.committed.append(read(block, id: nextID - 1, source: Array(text[start..<end])))
            start = end
        }
        parser.finished.removeAll(keepingCapacity: true)
        if start > 0 {
            text.removeFirst(start)
            tailStart += start
            lineStart -= start
            searched -= start
        }
        for due in late.takeDue(textLength: tailStart, isLast: isLast) {
            update.replace(read(due.block, id: due.id, source: due.source), due.reason, first: first)
        }
        guard isLast, extensions.contains(.footnotes) else { return }
        for block in footnotes.renumbered() { update.replace(block, .footnote, first: first) }
        guard let list = footnotes.list() else { return }
        nextID += 1
        update.committed.append(MarkdownBlock(id: nextID - 1, source: [], tree: list))
    }

    /// Notes what a complete block defines.
    private mutating func define(_ block: FinishedBlock) {
        for definition in block.definitions where definitions.add(definition) {
            late.define(definition.label, reason: .reference)
        }
        guard extensions.contains(.footnotes) else { return }
        // Of two footnotes with the same label, one in the other, the inner counts: it ends first.
        let definitions = block.nodes.enumerated().filter { $0.element.tag == .footnote }
        for (_, node) in definitions.sorted(by: { ($0.element.end, $1.offset) < ($1.element.end, $0.offset) }) {
            if let name = footnotes.define(block.text[node.prefixRange]) { late.define(name, reason: .footnote) }
        }
    }

    /// Reads the inlines of a complete block.
    private mutating func read(_ block: FinishedBlock, id: Int, source: [UInt8]) -> MarkdownBlock {
        guard !block.nodes.isEmpty else {
            var record = NodeRecord(tag: block.definitions.isEmpty ? .blank : .definitions, end: 1)
            record.stop = UInt32(clamping: block.range.count)
            let tree = MarkdownTree(records: [record], text: [], base: block.range.lowerBound)
            return MarkdownBlock(id: id, source: source, tree: tree)
        }
        var builder = makeBuilder()
        builder.inlines.allowance = LinkAllowance(before: block.mentionsBefore)
        block.text.withUnsafeBufferPointer { builder.add(block.nodes, block.nodes.indices, text: $0, map: block.map) }
        let tree = builder.finish(base: block.range.lowerBound)
        late.wait(id, block, source: source, for: builder.inlines.unresolved)
        give(back: &builder)
        return footnotes.numbered(MarkdownBlock(id: id, source: source, tree: tree))
    }

    /// A builder with the parser's buffers and the definitions; both go back with ``give(back:)``.
    private mutating func makeBuilder() -> TreeBuilder {
        var inlines = InlineParser(extensions: extensions)
        swap(&inlines, &self.inlines)
        swap(&inlines.definitions, &definitions)
        inlines.footnotes = footnotes.labels
        return TreeBuilder(inlines: inlines)
    }

    private mutating func give(back builder: inout TreeBuilder) {
        swap(&builder.inlines.definitions, &definitions)
        builder.inlines.allowance = LinkAllowance()
        builder.inlines.footnotes = [:]
        builder.inlines.unresolved = []
        swap(&builder.inlines, &inlines)
    }
}
