// Riff
// SPDX-License-Identifier: Apache-2.0

extension InlineParser {
    /// Reads a code span, or backticks that start none.
    mutating func readCode(_ bytes: Bytes, _ at: inout Int, _ end: Int) {
        let start = at
        while at < end, bytes[at] == UInt8(ascii: "`") { at += 1 }
        let content = at
        let length = at - start
        if let close = backticks.close(bytes, length: length, from: at, before: end) {
            at = close + length
            addCode(bytes, content..<close, start..<at)
        } else if isOpen, end - start <= Self.longestHeldSpan {
            hold(from: start)
        } else if isOpen, length > 1 || bytes[at] != .space {
            addOpenCode(bytes, content..<end, from: start)
            at = end
        } else {
            addText(start, at)
        }
    }

    /// Line ends in code are spaces, and one space at both ends is left out unless there is nothing else.
    mutating func addCode(_ bytes: Bytes, _ content: Range<Int>, _ whole: Range<Int>) {
        var content = content
        let isPlain = bytes.firstPlace(of: .lineFeed, in: content) == nil
        if let first = content.first, let last = content.last, bytes[first] == .space || bytes[first] == .lineFeed,
            bytes[last] == .space || bytes[last] == .lineFeed,
            bytes[content].contains(where: { $0 != .space && $0 != .lineFeed })
        {
            content = first + 1..<last
        }
        guard !isPlain else {
            return tokens.append(
                InlineToken(.code, whole, value: content.lowerBound, extra: content.upperBound)
            )
        }
        let literal = draft.text.count
        for byte in bytes[content] { draft.text.append(byte == .lineFeed ? .space : byte) }
        tokens.append(
            InlineToken(.codeLiteral, whole, value: literal, extra: draft.text.count)
        )
    }

    mutating func readBackslash(_ bytes: Bytes, _ at: inout Int, _ end: Int) {
        let start = at
        at += 1
        guard at < end else { return addText(start, at) }
        if extensions.contains(.math), readEscapedMath(bytes, &at, end) { return }
        if bytes[at].isPunctuation {
            at += 1
            addText(at - 1, at)
        } else if bytes[at] == .lineFeed {
            at += 1
            tokens.append(InlineToken(.lineBreak, start, at))
        } else {
            addText(start, at)
        }
    }

    mutating func readReference(_ bytes: Bytes, _ at: inout Int, _ end: Int) {
        let start = at
        at += 1
        let literal = draft.text.count
        let length = Escapes.reference(in: bytes, at: at, before: end, into: &draft.text)
        guard length > 0 else { return addText(start, at) }
        at += length
        tokens.append(InlineToken(.literal, start, at, value: literal, extra: draft.text.count))
    }

    /// Reads an address in angle brackets, a tag, or a `<`.
    mutating func readAngle(_ bytes: Bytes, _ at: inout Int, _ html: inout HTMLTagScanner, _ end: Int) {
        let start = at
        at += 1
        if let close = AutolinkScanner.address(bytes, from: at, before: end) {
            return addAddress(bytes, start, close, prefix: "", &at)
        }
        if let close = AutolinkScanner.email(bytes, from: at, before: end) {
            return addAddress(bytes, start, close, prefix: "mailto:", &at)
        }
        switch html.tag(at: start) {
        case .found(let close) where close <= end:
            at = close
            tokens.append(InlineToken(.html, start, at))
        case .unfinished where isOpen && end - start <= Self.longestHeldTag: hold(from: start)
        case .none where isOpen && AutolinkScanner.isUnfinished(bytes, from: at, before: end): hold(from: start)
        default: addText(start, at)
        }
    }

    private mutating func addAddress(
        _ bytes: Bytes,
        _ start: Int,
        _ close: Int,
        prefix: StaticString,
        _ at: inout Int
    ) {
        let text = Escapes.referencesUndone(bytes, start + 1..<close)
        var destination = Array(UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
        destination += text
        at = close + 1
        let value = string(destination)
        draft.strings.append([])
        // The text is the address, without the brackets; references in it are undone too.
        let literal = draft.text.count
        draft.text += text
        var token = InlineToken(.autolink, start, at, value: value, extra: literal)
        token.closes = Int32(truncatingIfNeeded: draft.text.count)
        tokens.append(token)
    }
}
