// Riff
// SPDX-License-Identifier: Apache-2.0

extension InlineParser {
    private var takesAddresses: Bool {
        guard extensions.contains(.autolinks) else { return false }
        guard let bracket = brackets.last else { return true }
        return !bracket.isInLink && !bracket.isInImage
    }

    /// Reads an address that starts with `www.`.
    mutating func readDomain(_ bytes: Bytes, _ at: inout Int, _ end: Int) -> Bool {
        guard takesAddresses, let close = autolinks.domainEnd(bytes, from: at, before: end) else { return false }
        let value = string(Array("http://".utf8) + bytes[at..<close])
        addAddress(at..<close, value)
        at = close
        return true
    }

    /// Reads an address by its colon; the scheme before it is taken back from the text.
    mutating func readAddress(_ bytes: Bytes, _ at: inout Int, _ end: Int) -> Bool {
        guard takesAddresses, let range = autolinks.addressRange(bytes, colon: at, before: end) else { return false }
        while let last = tokens.last, last.kind == .text, Int(last.end) > range.lowerBound {
            if Int(last.start) < range.lowerBound {
                tokens[tokens.count - 1].end = Int32(truncatingIfNeeded: range.lowerBound)
                break
            }
            tokens.removeLast()
        }
        addAddress(range, string(Array(bytes[range])))
        at = range.upperBound
        return true
    }

    private mutating func addAddress(_ range: Range<Int>, _ value: Int) {
        draft.strings.append([])
        var token = InlineToken(
            .autolink,
            range.lowerBound,
            range.upperBound,
            value: value,
            extra: base + range.lowerBound
        )
        token.closes = Int32(truncatingIfNeeded: base + range.upperBound)
        tokens.append(token)
    }
}
