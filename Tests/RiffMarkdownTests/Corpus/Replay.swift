// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffMarkdown
import Testing

/// A text that comes in pieces, with every property checked that must hold at each of them (streaming.md 2.1).
struct Replay {
    /// A complete block as it is in the end.
    struct Block: Equatable {
        var id: Int
        var kind: MarkdownNode.Kind
        var source: String
        var html: String
    }

    private(set) var blocks: [Block] = []
    var html: String { blocks.map(\.html).joined() }

    private var stream: MarkdownStream
    private let exact: MarkdownHTML
    private let tails: MarkdownHTML
    private let watchesText: Bool
    private let location: SourceLocation
    /// The bytes that came, and how many of them are in complete blocks.
    private var sofar: [UInt8] = []
    private var stable = 0
    private var tail: [UInt8] = []
    private var openBlock: MarkdownOpenBlock?
    /// What a reader sees, without white space: of the complete blocks, and of the tail.
    private var stableText: [UInt8] = []
    private var tailText: [UInt8] = []
    private var seenBlocks = 0

    /// Runs a text in one chunking. If its text is watched, what is shown may not be taken back, but for two
    /// characters.
    init(
        _ test: MarkdownCase,
        _ chunking: TextCutting,
        watchesText: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        stream = MarkdownStream(extensions: test.extensions)
        exact = .exact(tagFilter: test.tagFilter)
        var tails = exact
        tails.rawHTML = .omitted
        self.tails = tails
        self.watchesText = watchesText
        location = sourceLocation
        var lines = test.lastStarts[...]
        var lastStart = 0
        for piece in chunking.cut(test.markdown) {
            sofar += piece.utf8
            take(stream.append(piece))
            while let line = lines.first, line[0] <= sofar.count { (lastStart, lines) = (line[1], lines.dropFirst()) }
            // A carriage return at the end may be half a line end. Without footnotes, as the starts were told, what a
            // footnote holds may be blocks of their own.
            guard sofar.last != 13, openBlock?.kind.isFootnote != true else { continue }
            require(stable >= lastStart, "blocks are complete as soon as the next begins")
        }
        take(stream.finish(), isLast: true)
        require(tail.isEmpty && stable == sofar.count, "all is complete in the end")
    }

    /// The expectation's own text takes long to make, so it is made for failures alone.
    private func require(_ isTrue: Bool, _ message: @autoclosure () -> String) {
        if !isTrue { Issue.record("\(message()), after \(sofar.count) bytes", sourceLocation: location) }
    }

    private mutating func take(_ update: MarkdownUpdate, isLast: Bool = false) {
        let before = stable
        for block in update.committed { add(block) }
        let defined =
            update.amended.isEmpty ? [] : Set(update.committed.flatMap { SourceLabels.defined(in: $0.source) })
        for amendment in update.amended {
            let id = amendment.block.id
            let named = SourceLabels.named(in: amendment.block.source)
            // At the end the marks of all footnotes get their numbers.
            let isNumbered = isLast && amendment.reason == .footnote && named.contains { $0.hasPrefix("^") }
            require(isNumbered || !defined.isDisjoint(with: named), "an amended block names what was defined")
            let html = exact.text(of: amendment.block)
            require(
                blocks.indices.contains(id) && blocks[id].source == amendment.block.source,
                "an amendment keeps its source"
            )
            require(blocks[id].html != html, "an amendment changes something")
            blocks[id].html = html
        }
        openBlock = update.openBlock
        tail = Array(tail.prefix(update.tail.keepPrefixUTF8)) + update.tail.appended.utf8
        require(tail == Array(sofar[stable...]), "the tail is what is in no block")
        require(stream.tailSource == String(decoding: tail, as: UTF8.self), "the delta makes the tail")
        let picture = HTMLText(tails.text(of: stream.tail().root))
        require(picture.isBalanced, "the tail is balanced")
        guard watchesText else { return }
        watch(Self.visible(picture.text), isAmended: !update.amended.isEmpty, isCommitted: stable > before)
    }

    private mutating func add(_ block: MarkdownBlock) {
        require(block.id == blocks.count, "ids count")
        let range = stable..<stable + block.sourceBytes.count
        // The list of footnotes is in no text.
        if block.kind != .footnotes { require(block.range == range, "sources follow one another") }
        require(range.upperBound <= sofar.count && Array(sofar[range]) == block.sourceBytes, "a source is what came")
        stable = range.upperBound
        blocks.append(Block(id: block.id, kind: block.kind, source: block.source, html: exact.text(of: block)))
    }

    /// What was shown stays, but for two characters and what an amendment changes.
    private mutating func watch(_ picture: [UInt8], isAmended: Bool, isCommitted: Bool) {
        let old = stableText.count
        if isAmended {
            (stableText, seenBlocks) = ([], 0)
        }
        for block in blocks[seenBlocks...] { stableText += Self.visible(HTMLText(block.html).text) }
        seenBlocks = blocks.count
        if isAmended {
            // What changed is told; all is seen anew.
        } else if isCommitted {
            // What was complete is complete; only what follows is compared.
            let now = Array(stableText[old...]) + picture
            compare(tailText, now)
        } else {
            compare(tailText, picture)
        }
        tailText = picture
    }

    private func compare(_ before: [UInt8], _ now: [UInt8]) {
        let kept = zip(before, now).prefix { $0 == $1 }.count
        let gone = String(decoding: before[kept...], as: UTF8.self)
        require(gone.count <= 2, "\(gone.debugDescription) was taken back")
    }

    private static func visible(_ text: String) -> [UInt8] { text.utf8.filter { $0 > 32 } }
}

/// The labels of a source, as a plain search finds them.
enum SourceLabels {
    /// What stands in brackets.
    static func named(in source: String) -> Set<String> {
        Set(source.matches(of: #/\[((?:[^\[\]\\]|\\.)+)\]/#).map { folded($0.output.1) })
    }

    /// What stands in brackets with a colon behind.
    static func defined(in source: String) -> Set<String> {
        Set(source.matches(of: #/\[((?:[^\[\]\\]|\\.)+)\]:/#).map { folded($0.output.1) })
    }

    private static func folded(_ label: Substring) -> String {
        label.lowercased().uppercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension MarkdownNode.Kind {
    var isFootnote: Bool {
        if case .footnote = self { true } else { false }
    }
}

/// HTML, as far as it is needed to see what a reader sees.
struct HTMLText {
    private(set) var text = ""
    private(set) var isBalanced = true

    private static let empty: Set<String> = ["br", "hr", "img", "input"]

    init(_ html: String) {
        var open: [Substring] = []
        var rest = html[...]
        while let tag = rest.firstIndex(of: "<") {
            text += Self.plain(rest[..<tag])
            guard let end = rest[tag...].firstIndex(of: ">") else {
                isBalanced = false
                return
            }
            let inside = rest[rest.index(after: tag)..<end]
            let isClosing = inside.first == "/"
            let name = inside.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }
            if isClosing {
                if open.popLast() != name { isBalanced = false }
            } else if !name.isEmpty, !Self.empty.contains(String(name)) {
                open.append(name)
            }
            rest = rest[rest.index(after: end)...]
        }
        text += Self.plain(rest)
        if !open.isEmpty { isBalanced = false }
    }

    private static func plain(_ text: Substring) -> String {
        String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&amp;", with: "&")
    }
}
