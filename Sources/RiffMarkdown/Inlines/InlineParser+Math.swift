// Riff
// SPDX-License-Identifier: Apache-2.0

extension InlineParser {
    /// Reads mathematics between dollars: `$$…$$`, or `$…$` by pandoc's rule, so that prices are none.
    mutating func readMath(_ bytes: Bytes, _ at: inout Int, _ end: Int) -> Bool {
        guard extensions.contains(.math) else { return false }
        let length = at + 1 < end && bytes[at + 1] == UInt8(ascii: "$") ? 2 : 1
        let content = at + length
        guard content < end, length == 2 || !bytes[content].isSpace else { return false }
        guard let close = mathClosers.close(bytes, length: length, from: content, before: end) else { return false }
        tokens.append(InlineToken(.math, at, close + length, value: content, extra: close))
        at = close + length
        return true
    }

    /// Reads `\(…\)` or `\[…\]`; the place is behind the backslash.
    mutating func readEscapedMath(_ bytes: Bytes, _ at: inout Int, _ end: Int) -> Bool {
        let closer: UInt8
        switch bytes[at] {
        case UInt8(ascii: "("): closer = UInt8(ascii: ")")
        case UInt8(ascii: "["): closer = UInt8(ascii: "]")
        default: return false
        }
        guard let close = mathClosers.escaped(closer, bytes, from: at + 1, before: end) else { return false }
        tokens.append(InlineToken(.math, at - 1, close + 2, value: at + 1, extra: close))
        at = close + 2
        return true
    }
}

/// Looks for the ends of mathematics, and remembers what does not occur any more.
struct MathSpanScanner: Sendable {
    private var missing: Set<UInt8> = []

    mutating func reset() {
        if !missing.isEmpty { missing = [] }
    }

    /// The closing dollars. The next one decides: a single one must follow no space, and no digit may follow it.
    mutating func close(_ bytes: Bytes, length: Int, from place: Int, before end: Int) -> Int? {
        let dollar = UInt8(ascii: "$")
        guard !missing.contains(length == 2 ? dollar : 1) else { return nil }
        var at = place
        while let found = bytes.firstPlace(of: dollar, in: at..<end) {
            at = found + 1
            if bytes[found - 1] == .backslash { continue }
            if length == 1 { return bytes[found - 1].isSpace || (at < end && bytes[at].isDigit) ? nil : found }
            if at < end, bytes[at] == dollar, found > place { return found }
        }
        missing.insert(length == 2 ? dollar : 1)
        return nil
    }

    /// The backslash of the closing mark.
    mutating func escaped(_ closer: UInt8, _ bytes: Bytes, from place: Int, before end: Int) -> Int? {
        guard !missing.contains(closer) else { return nil }
        var at = place
        while let found = bytes.firstPlace(of: closer, in: at..<end) {
            if found > place, bytes[found - 1] == .backslash { return found - 1 }
            at = found + 1
        }
        missing.insert(closer)
        return nil
    }
}
