// Riff
// SPDX-License-Identifier: Apache-2.0

/// The inline phase: reads a leaf's text into nodes.
///
/// One pass makes tokens; brackets become links as soon as they close; emphasis is matched at the end, and the nodes
/// are written in order. Each search that could be repeated for nothing keeps what it learned, so the time is linear.
struct InlineParser: Sendable {
    let extensions: MarkdownExtensions
    var definitions = LinkDefinitions()
    /// The allowance for the text that references to definitions add.
    var allowance = LinkAllowance()
    /// The nodes that were made.
    var draft = TreeDraft()
    /// Labels that are not defined, of brackets that would be links.
    var unresolved: Set<LinkLabel> = []
    /// The footnotes that are defined, as their labels are written.
    var footnotes: [LinkLabel: [UInt8]] = [:]
    /// The number of bytes that were read, for tests of an update's cost.
    var bytesRead = 0

    var tokens: [InlineToken] = []
    var delimiters: [Delimiter] = []
    var firstDelimiter: Int32 = -1
    var lastDelimiter: Int32 = -1
    var pairs: [EmphasisPair] = []
    var brackets: [OpenBracket] = []
    /// Links' brackets below this are inactive: a link must not hold a link.
    var inactiveBrackets = 0
    var backticks = BacktickRuns()
    var autolinks = AutolinkScanner()
    var mathClosers = MathSpanScanner()
    /// The start of the leaf's text in the tree's.
    var base = 0
    /// Whether more of the text is to come.
    var isOpen = false
    /// Whether white space follows what is read of an unfinished text.
    var endsWord = false
    /// From where an unfinished text is not shown: what is there could still mean anything.
    var heldFrom: Int?
    /// The start of the first construct that is open at the end of an unfinished text.
    var openFrom = Int.max
    /// Up to where an unfinished text will not be read in another way, and how many records that makes.
    var settledEnd: Int?
    var settledRecords = 0

    init(extensions: MarkdownExtensions) { self.extensions = extensions }

    /// Reads a range of a text and appends its nodes to the draft; the map tells where the text comes from.
    ///
    /// If the text is open, it goes on after the range: then what is open is closed, and what is not certain yet is
    /// left out.
    mutating func parse(_ bytes: Bytes, _ range: Range<Int>, map: SourceMap, isOpen: Bool = false) {
        let trimmed = bytes.trimmedEnd(range)
        begin(isOpen: isOpen)
        bytesRead += trimmed.count
        base = draft.text.count
        var text = Bytes(rebasing: bytes[trimmed])
        endsWord = trimmed.upperBound < range.upperBound
        if isOpen { text = Bytes(rebasing: text[text.trimmedEnd(0..<visibleEnd(of: text))]) }
        draft.text.append(contentsOf: text)
        var html = HTMLTagScanner(text, end: text.count)
        var at = 0
        while at < text.count, heldFrom == nil { readToken(text, &at, &html, text.count) }
        if isOpen { holdBrackets(end: text.count) }
        matchEmphasis(above: -1, closingAllAt: isOpen ? text.count : nil)
        if isOpen { findSettledEnd(text) }
        write(text, places: SourceMap.Cursor(map, from: range.lowerBound), origin: range.lowerBound)
    }

    private mutating func begin(isOpen: Bool) {
        self.isOpen = isOpen
        tokens.removeAll(keepingCapacity: true)
        delimiters.removeAll(keepingCapacity: true)
        pairs.removeAll(keepingCapacity: true)
        brackets.removeAll(keepingCapacity: true)
        (firstDelimiter, lastDelimiter) = (-1, -1)
        inactiveBrackets = 0
        backticks.reset()
        autolinks.reset()
        mathClosers.reset()
        (heldFrom, openFrom, settledEnd, settledRecords) = (nil, .max, nil, 0)
    }

    private mutating func readToken(_ bytes: Bytes, _ at: inout Int, _ html: inout HTMLTagScanner, _ end: Int) {
        let start = at
        switch bytes[start] {
        case .lineFeed:
            at = start + 1
            while at < end, bytes[at].isBlank { at += 1 }
            let isHard = start > 1 && bytes[start - 1] == .space && bytes[start - 2] == .space
            tokens.append(InlineToken(isHard ? .lineBreak : .softBreak, start, at))
        case UInt8(ascii: "`"): readCode(bytes, &at, end)
        case .backslash: readBackslash(bytes, &at, end)
        case UInt8(ascii: "&"): readReference(bytes, &at, end)
        case UInt8(ascii: "<"): readAngle(bytes, &at, &html, end)
        case UInt8(ascii: "*"), UInt8(ascii: "_"): readRun(bytes, &at, end)
        case UInt8(ascii: "~") where extensions.contains(.strikethrough): readTildes(bytes, &at, end)
        case UInt8(ascii: "["):
            at += 1
            openBracket(isImage: false, start, at)
        case UInt8(ascii: "!") where start + 1 < end && bytes[start + 1] == UInt8(ascii: "["):
            at += start + 2 < end && bytes[start + 2] == UInt8(ascii: "^") ? 1 : 2
            if at == start + 2 { openBracket(isImage: true, start, at) } else { addText(start, at) }
        case UInt8(ascii: "]"): closeBracket(bytes, &at, end)
        case UInt8(ascii: ":") where readAddress(bytes, &at, end): break
        case UInt8(ascii: "w") where readDomain(bytes, &at, end): break
        case UInt8(ascii: "$") where readMath(bytes, &at, end): break
        default:
            at = plainEnd(bytes, start + 1, end)
            var last = at
            if at < end, bytes[at] == .lineFeed {
                while last > start, bytes[last - 1].isSpace { last -= 1 }
            }
            addText(start, last)
        }
    }

    /// The next byte that may mean something.
    private func plainEnd(_ bytes: Bytes, _ place: Int, _ end: Int) -> Int {
        var at = place
        while at < end {
            switch bytes[at] {
            case .lineFeed, .backslash, UInt8(ascii: "`"), UInt8(ascii: "&"), UInt8(ascii: "*"), UInt8(ascii: "["),
                UInt8(ascii: "]"), UInt8(ascii: "<"):
                return at
            case UInt8(ascii: "_"):
                // Between letters it never means anything.
                if !bytes[at - 1].isAlphanumeric || at + 1 == end || !bytes[at + 1].isAlphanumeric { return at }
            case UInt8(ascii: "!"):
                if at + 1 < end, bytes[at + 1] == UInt8(ascii: "[") { return at }
            case UInt8(ascii: "~"):
                if extensions.contains(.strikethrough) { return at }
            case UInt8(ascii: ":"):
                if at + 2 < end, bytes[at + 1] == UInt8(ascii: "/"), extensions.contains(.autolinks) { return at }
            case UInt8(ascii: "w"):
                if at + 3 < end, bytes[at + 3] == UInt8(ascii: "."), extensions.contains(.autolinks) { return at }
            case UInt8(ascii: "$"):
                if extensions.contains(.math) { return at }
            default: break
            }
            at += 1
        }
        return end
    }

    /// Adds a range of text unchanged.
    mutating func addText(_ start: Int, _ end: Int) {
        guard start < end else { return }
        if let last = tokens.last, last.kind == .text, Int(last.end) == start {
            tokens[tokens.count - 1].end = Int32(truncatingIfNeeded: end)
        } else {
            tokens.append(InlineToken(.text, start, end))
        }
    }

    /// Adds a string that a node points at.
    mutating func string(_ bytes: [UInt8]) -> Int {
        draft.strings.append(bytes)
        return draft.strings.count - 1
    }
}
