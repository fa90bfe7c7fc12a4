// Riff
// SPDX-License-Identifier: Apache-2.0

/// Finds e-mail addresses in the text (GFM 6.9), with or without `mailto:` or `xmpp:` before them.
enum EmailScanner {
    /// So many places are looked at, and no more: cmark-gfm's bound.
    private static let mostPlaces = 1000

    /// The addresses in a text, in order, and whether each needs `mailto:` in front.
    static func addresses(in bytes: Bytes) -> [(range: Range<Int>, needsScheme: Bool)] {
        var found: [(range: Range<Int>, needsScheme: Bool)] = []
        var low = 0
        // Where the text that is looked at starts: behind the address before.
        var textStart = 0
        for _ in 0...mostPlaces {
            guard let at = bytes.firstPlace(of: UInt8(ascii: "@"), in: low..<bytes.count) else { return found }
            let (start, needsScheme, takesSlash) = localStart(bytes, at, low, textStart)
            low = at + 1
            guard start < at, let end = domainEnd(bytes, at, takesSlash) else { continue }
            found.append((start..<end, needsScheme))
            (low, textStart) = (end, end)
        }
        return found
    }

    private static func localStart(_ bytes: Bytes, _ at: Int, _ low: Int, _ textStart: Int) -> (Int, Bool, Bool) {
        var start = at
        var (needsScheme, takesSlash) = (true, false)
        while start > low {
            let byte = bytes[start - 1]
            if byte == UInt8(ascii: ":") {
                if ends("mailto:", bytes, start, textStart) {
                    needsScheme = false
                } else if ends("xmpp:", bytes, start, textStart) {
                    (needsScheme, takesSlash) = (false, true)
                } else {
                    break
                }
            } else if !byte.isAlphanumeric, !".+-_".utf8.contains(byte) {
                break
            }
            start -= 1
        }
        return (start, needsScheme, takesSlash)
    }

    /// Whether a scheme, and no longer word, ends at a place.
    private static func ends(_ scheme: StaticString, _ bytes: Bytes, _ place: Int, _ textStart: Int) -> Bool {
        let start = place - scheme.utf8CodeUnitCount
        guard start >= textStart else { return false }
        let word = UnsafeBufferPointer(start: scheme.utf8Start, count: scheme.utf8CodeUnitCount)
        guard bytes[start..<place].elementsEqual(word) else { return false }
        return start == textStart || !bytes[start - 1].isAlphanumeric
    }

    private static func domainEnd(_ bytes: Bytes, _ at: Int, _ takesSlash: Bool) -> Int? {
        var end = at + 1
        var dots = 0
        scan: while end < bytes.count {
            switch bytes[end] {
            case let byte where byte.isAlphanumeric: break
            case UInt8(ascii: "@"): return nil
            case UInt8(ascii: ".") where end + 1 < bytes.count && bytes[end + 1].isAlphanumeric: dots += 1
            case UInt8(ascii: "/") where takesSlash: break
            case UInt8(ascii: "-"), UInt8(ascii: "_"): break
            default: break scan
            }
            end += 1
        }
        guard end - at >= 2, dots > 0 else { return nil }
        guard bytes[end - 1].isLetter || bytes[end - 1] == UInt8(ascii: ".") else { return nil }
        return AutolinkScanner.trimmedEnd(bytes, at..<end)
    }
}
