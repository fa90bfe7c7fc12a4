// Riff
// SPDX-License-Identifier: Apache-2.0

/// The reading of a leaf that is not complete: nothing is shown that the next bytes may take back, as far as that can
/// be told, and nothing is left open. All of it is a guess; the leaf is read again when it is complete.
extension InlineParser {
    /// The length up to which an unclosed span of code or emphasis is kept back, in bytes; after that it is shown as if
    /// it ended. Most are shorter, so that what is shown is seldom taken back.
    static let longestHeldSpan = 160
    /// The length up to which a link is kept back, in bytes, from its bracket on; after that an unclosed bracket is
    /// text.
    static let longestHeldLink = 512
    /// The length up to which a tag or an address in angle brackets is kept back, in bytes.
    static let longestHeldTag = 2048

    /// Returns the end of the text that is not waiting for its next byte: after a run of marks, a backslash or the
    /// start of a character reference nothing can be told yet.
    func visibleEnd(of bytes: Bytes) -> Int {
        var end = bytes.count
        while end > 0, !endsWord {
            switch bytes[end - 1] {
            case .space, .tab, .lineFeed, UInt8(ascii: "*"), UInt8(ascii: "_"): end -= 1
            case UInt8(ascii: "~") where extensions.contains(.strikethrough): end -= 1
            case UInt8(ascii: "$") where extensions.contains(.math): end -= 1
            case .backslash:
                var first = end - 1
                while first > 0, bytes[first - 1] == .backslash { first -= 1 }
                guard (end - first) % 2 == 1 else { return end }
                end -= 1
            case UInt8(ascii: "!") where end == bytes.count: return end - 1
            default: return end < bytes.count ? end : referenceStart(bytes)
            }
        }
        return end
    }

    /// Returns the start of the character reference that may continue, or the end.
    private func referenceStart(_ bytes: Bytes) -> Int {
        var at = bytes.count
        let limit = max(bytes.count - NamedCharacters.longestName, 0)
        while at > limit, bytes[at - 1].isAlphanumeric || bytes[at - 1] == UInt8(ascii: "#") { at -= 1 }
        return at > 0 && bytes[at - 1] == UInt8(ascii: "&") ? at - 1 : bytes.count
    }

    /// Leaves out everything from a place on.
    mutating func hold(from start: Int) {
        heldFrom = min(heldFrom ?? start, start)
        openFrom = min(openFrom, start)
    }

    /// Adds a code span without an end.
    mutating func addOpenCode(_ bytes: Bytes, _ content: Range<Int>, from start: Int) {
        openFrom = min(openFrom, start)
        // One space behind the marks is there for the backtick that follows it.
        let content = content.first.map { bytes[$0] == .space } == true ? content.dropFirst() : content
        guard !content.isEmpty else { return }
        addCode(bytes, content, start..<content.upperBound)
    }

    /// Whether a closing bracket at the end waits for what follows.
    mutating func holdsBracket(_ opener: OpenBracket, _ bytes: Bytes, _ at: inout Int) -> Bool {
        let start = Int(tokens[Int(opener.token)].start)
        let end = bytes.count
        if at < end, bytes[at] == UInt8(ascii: "("), end - at <= Self.longestHeldTag, isUnfinishedTarget(bytes, at) {
            if end - start <= Self.longestHeldLink {
                hold(from: opener)
            } else {
                openFrom = min(openFrom, start)
                addLink(opener, at - 1, end, destination: [], title: [])
                at = end
            }
            return true
        }
        guard end - start <= Self.longestHeldLink else { return false }
        if at == end {
            guard !endsWord else { return false }
        } else {
            guard bytes[at] == UInt8(ascii: "[") else { return false }
            guard !bytes[(at + 1)...].contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }) else {
                return false
            }
        }
        hold(from: opener)
        return true
    }

    /// Whether the text ends within `(destination "title")`.
    private func isUnfinishedTarget(_ bytes: Bytes, _ place: Int) -> Bool {
        let scanner = LinkScanner(bytes: bytes, end: bytes.count)
        let first = scanner.behindSpace(from: place + 1)
        guard first < bytes.count else { return true }
        guard let (_, end) = scanner.destination(at: first) else {
            // It is in the destination, unless that is broken.
            return !bytes[first...].contains { bytes[first] == UInt8(ascii: "<") ? $0 == .lineFeed : $0.isSpace }
        }
        let behind = scanner.behindSpace(from: end)
        guard behind < bytes.count else { return true }
        guard behind > end, "\"'(".utf8.contains(bytes[behind]) else { return false }
        return scanner.title(at: behind).map { scanner.behindSpace(from: $0) == bytes.count } ?? true
    }

    /// Leaves out everything from a bracket on.
    private mutating func hold(from bracket: OpenBracket) {
        let token = Int(bracket.token)
        hold(from: Int(tokens[token].start))
        while lastDelimiter > bracket.delimiter { remove(lastDelimiter) }
        while let last = brackets.last, last.token >= bracket.token { brackets.removeLast() }
        tokens.removeSubrange(token...)
    }

    /// Keeps back what follows a bracket that is not closed yet.
    mutating func holdBrackets(end: Int) {
        let waiting = brackets.indices.first { index in
            let bracket = brackets[index]
            return (bracket.isImage || index >= inactiveBrackets)
                && end - Int(tokens[Int(bracket.token)].start) <= Self.longestHeldLink
        }
        if let waiting { hold(from: brackets[waiting]) }
    }

    /// Closes the emphasis that no run closes yet, or keeps it back while it is short.
    mutating func closeOpenEmphasis(end: Int) {
        holdEmphasis(end: end)
        let close = tokens.count
        let end = Int32(truncatingIfNeeded: tokens.last.map { Int($0.end) } ?? 0)
        tokens.append(InlineToken(.run, Int(end), Int(end)))
        var index = lastDelimiter
        while index >= 0 {
            let delimiter = delimiters[Int(index)]
            index = delimiter.previous
            // One tilde more often means "about".
            let isTilde = delimiter.mark == UInt8(ascii: "~")
            guard mayStayOpen(delimiter), !isTilde || delimiter.length == 2 else { continue }
            let token = Int(delimiter.token)
            openFrom = min(openFrom, Int(tokens[token].start))
            while tokens[token].end > tokens[token].start {
                let used: Int32 = tokens[token].end - tokens[token].start >= 2 ? 2 : 1
                tokens[token].end -= used
                let tag: NodeTag = isTilde ? .strikethrough : used == 2 ? .strong : .emphasis
                addPair(tag, token, close, start: tokens[token].end, end: end)
            }
        }
    }

    private mutating func holdEmphasis(end: Int) {
        var index = firstDelimiter
        while index >= 0 {
            let delimiter = delimiters[Int(index)]
            let start = Int(tokens[Int(delimiter.token)].start)
            if mayStayOpen(delimiter), end - start <= Self.longestHeldSpan {
                hold(from: start)
                while lastDelimiter >= index { remove(lastDelimiter) }
                return tokens.removeSubrange(Int(delimiter.token)...)
            }
            index = delimiter.next
        }
    }

    /// Whether a run may well be closed later. One mark between letters or digits more often stands for itself.
    private func mayStayOpen(_ delimiter: Delimiter) -> Bool {
        delimiter.canOpen && (!delimiter.isInWord || delimiter.length > 1)
    }

    /// White space before what is kept back waits too.
    private mutating func trimLastText(_ bytes: Bytes) {
        guard heldFrom != nil, let last = tokens.indices.last(where: { !tokens[$0].range.isEmpty }) else { return }
        guard tokens[last].kind == .text else { return }
        while tokens[last].end > tokens[last].start, bytes[Int(tokens[last].end) - 1].isSpace { tokens[last].end -= 1 }
    }

    /// Finds the last start of a word before which nothing is open.
    mutating func findSettledEnd(_ bytes: Bytes) {
        trimLastText(bytes)
        let limit = min(openFrom, heldFrom ?? bytes.count, bytes.count)
        var depth: Int32 = 0
        for token in tokens where Int(token.start) < limit {
            switch token.kind {
            case .link, .image: depth += 1
            case .linkEnd: depth -= 1
            case .run:
                depth -= token.closes
                var pair = token.value
                while pair >= 0 {
                    depth += 1
                    pair = pairs[Int(pair)].inner
                }
            case .text where depth == 0:
                var place = min(Int(token.end), limit - 1)
                while place > Int(token.start) + 1, bytes[place - 1] != .space || bytes[place].isSpace { place -= 1 }
                if place > Int(token.start), bytes[place - 1] == .space, !bytes[place].isSpace { settledEnd = place }
            case .softBreak where depth == 0, .lineBreak where depth == 0:
                if Int(token.end) < limit { settledEnd = Int(token.end) }
            default: break
            }
        }
    }
}
