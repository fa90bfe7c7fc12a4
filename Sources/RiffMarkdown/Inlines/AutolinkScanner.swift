// Riff
// SPDX-License-Identifier: Apache-2.0

/// Finds addresses: in angle brackets (CommonMark 6.5), and in the text (GFM 6.9).
struct AutolinkScanner: Sendable {
    /// Domains that start before this place have an underscore in one of their last two parts, so they are none.
    private var noDomainBefore = 0

    mutating func reset() { noDomainBefore = 0 }

    // MARK: - In angle brackets

    /// The place of the `>` behind an address with a scheme.
    static func address(_ bytes: Bytes, from place: Int, before end: Int) -> Int? {
        guard place < end, bytes[place].isLetter else { return nil }
        var at = place + 1
        while at < end, at - place <= 32, bytes[at].isAlphanumeric || ".+-".utf8.contains(bytes[at]) { at += 1 }
        guard (2...32).contains(at - place), at < end, bytes[at] == UInt8(ascii: ":") else { return nil }
        while at < end, bytes[at] > .space, bytes[at] != UInt8(ascii: "<"), bytes[at] != UInt8(ascii: ">") { at += 1 }
        return at < end && bytes[at] == UInt8(ascii: ">") ? at : nil
    }

    /// The place of the `>` behind an e-mail address.
    static func email(_ bytes: Bytes, from place: Int, before end: Int) -> Int? {
        var at = place
        while at < end, bytes[at].isAlphanumeric || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(bytes[at]) { at += 1 }
        guard at > place, at < end, bytes[at] == UInt8(ascii: "@") else { return nil }
        repeat {
            let part = at + 1
            at = part
            while at < end, bytes[at].isAlphanumeric || bytes[at] == UInt8(ascii: "-") { at += 1 }
            guard (1...63).contains(at - part), at < end else { return nil }
            guard bytes[part] != UInt8(ascii: "-"), bytes[at - 1] != UInt8(ascii: "-") else { return nil }
        } while bytes[at] == UInt8(ascii: ".")
        return bytes[at] == UInt8(ascii: ">") ? at : nil
    }

    /// Whether all the text could become an address in brackets.
    static func isUnfinished(_ bytes: Bytes, from place: Int, before end: Int) -> Bool {
        guard place < end, end - place <= InlineParser.longestHeldTag, bytes[place].isAlphanumeric else { return false }
        return bytes[place..<end].allSatisfy { $0 > .space && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
    }

    // MARK: - In the text

    /// The end of an address that starts with `www.`.
    mutating func domainEnd(_ bytes: Bytes, from place: Int, before end: Int) -> Int? {
        guard end - place >= 4, bytes[place..<place + 4].elementsEqual("www.".utf8) else { return nil }
        guard place == 0 || bytes[place - 1].isSpace || "*_~(".utf8.contains(bytes[place - 1]) else { return nil }
        guard place >= noDomainBefore else { return nil }
        guard let behind = domain(bytes, from: place, before: end, needsDot: true) else { return nil }
        return Self.addressEnd(bytes, from: place, domainEnd: behind, before: end)
    }

    /// An address with a scheme, found by its colon: where it starts and ends.
    mutating func addressRange(_ bytes: Bytes, colon: Int, before end: Int) -> Range<Int>? {
        guard end - colon >= 4, bytes[colon + 1] == UInt8(ascii: "/"), bytes[colon + 2] == UInt8(ascii: "/") else {
            return nil
        }
        var start = colon
        while start > 0, colon - start <= 5, bytes[start - 1].isLetter { start -= 1 }
        let schemes: [StaticString] = ["http", "https", "ftp"]
        guard
            schemes.contains(where: {
                $0.utf8CodeUnitCount == colon - start && bytes.hasWord($0, at: start, before: colon)
            })
        else { return nil }
        guard isHostStart(bytes, colon + 3, end) else { return nil }
        guard let behind = domain(bytes, from: colon + 3, before: end, needsDot: false) else { return nil }
        return Self.addressEnd(bytes, from: colon, domainEnd: behind, before: end).map { start..<$0 }
    }

    private func isHostStart(_ bytes: Bytes, _ place: Int, _ end: Int) -> Bool {
        guard place < end, !bytes[place].isContinuation else { return false }
        return bytes.characterClass(at: place, before: end) == .other
    }

    /// The end of a domain; nil if an underscore is in one of its last two parts.
    private mutating func domain(_ bytes: Bytes, from place: Int, before end: Int, needsDot: Bool) -> Int? {
        var at = place + 1
        var (dots, underscores, earlier) = (0, 0, 0)
        var (lastDot, dotBefore) = (place, place)
        while at < end - 1 {
            switch bytes[at] {
            case UInt8(ascii: "_"): underscores += 1
            case UInt8(ascii: "."):
                (earlier, underscores) = (underscores, 0)
                (dotBefore, lastDot) = (lastDot, at)
                dots += 1
            case UInt8(ascii: "-"): break
            default:
                if isHostStart(bytes, at, end) { break }
                return checked(at, dots, underscores, earlier, dotBefore, needsDot)
            }
            at += 1
        }
        return checked(at, dots, underscores, earlier, dotBefore, needsDot)
    }

    private mutating func checked(
        _ end: Int,
        _ dots: Int,
        _ underscores: Int,
        _ earlier: Int,
        _ dotBefore: Int,
        _ needsDot: Bool
    ) -> Int? {
        guard underscores == 0, earlier == 0 else {
            if needsDot, dots >= 2 { noDomainBefore = dotBefore }
            return nil
        }
        return dots > 0 || !needsDot ? end : nil
    }

    /// Returns the end of an address: at white space or `<`, and then back over bytes that more likely belong to the
    /// sentence.
    private static func addressEnd(_ bytes: Bytes, from start: Int, domainEnd: Int, before limit: Int) -> Int? {
        // The address itself may hold no `<` before its domain's end.
        var end = start
        while end < limit, bytes[end] != UInt8(ascii: "<"), end < domainEnd || !bytes[end].isSpace { end += 1 }
        return trimmedEnd(bytes, start..<end)
    }

    /// Leaves out punctuation, a character reference and closing parentheses without opening ones.
    static func trimmedEnd(_ bytes: Bytes, _ range: Range<Int>) -> Int? {
        var end = range.upperBound
        var excess = 0
        for byte in bytes[range] {
            if byte == UInt8(ascii: ")") { excess += 1 } else if byte == UInt8(ascii: "(") { excess -= 1 }
        }
        while end > range.lowerBound {
            switch bytes[end - 1] {
            case let byte where "?!.,:*_~'\"".utf8.contains(byte): end -= 1
            case UInt8(ascii: ";"):
                var name = end - 2
                while name > range.lowerBound, bytes[name].isLetter { name -= 1 }
                let isReference = name < end - 2 && name >= range.lowerBound && bytes[name] == UInt8(ascii: "&")
                let new = isReference ? name : end - 1
                end = new
            case UInt8(ascii: ")"):
                guard excess > 0 else { return end }
                excess -= 1
                end -= 1
            default: return end
            }
        }
        return nil
    }
}
