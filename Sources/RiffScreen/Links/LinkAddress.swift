// Riff
// SPDX-License-Identifier: Apache-2.0

/// An address taken apart as far as it takes to say whether it leads somewhere.
struct LinkAddress {
    let scheme: String
    /// The host with the port, without a user's name; `nil` for mail.
    let host: String?

    /// - Returns: `nil` where there is no scheme, no host behind `//`, or where it is not certain which host it is.
    init?(_ scalars: some RandomAccessCollection<UInt32>) {
        // Browsers take a backslash for a slash, and leave out tabs and line ends: the host would be another one.
        guard !scalars.contains(where: { $0 == 0x5C || $0 < 0x20 || (0x7F..<0xA0).contains($0) }) else { return nil }
        guard let colon = scalars.firstIndex(of: 0x3A), let scheme = Self.scheme(scalars[..<colon]) else { return nil }
        self.scheme = scheme
        let rest = scalars[scalars.index(after: colon)...]
        if scheme == "mailto" {
            let parts = rest.prefix { $0 != 0x3F }.split(separator: 0x40, omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
            host = nil
            return
        }
        guard rest.starts(with: [0x2F, 0x2F]) else { return nil }
        let authority = rest.dropFirst(2).prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
        let start = authority.lastIndex(of: 0x40).map { authority.index(after: $0) } ?? authority.startIndex
        let named = authority[start...]
        // A host or a user that begins with a hyphen is an option to the program that opens it.
        guard Self.isHost(named), named.first != 0x2D, authority.first != 0x2D else { return nil }
        host = named.reduce(into: "") { text, scalar in Unicode.Scalar(scalar).map { text.unicodeScalars.append($0) } }
    }

    /// A scheme in lower case (RFC 3986 3.1).
    private static func scheme(_ scalars: some Collection<UInt32>) -> String? {
        guard let first = scalars.first, LinkCharacters.isLetter(first), scalars.count <= 32 else { return nil }
        guard scalars.allSatisfy({ LinkCharacters.isAlphanumeric($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E }) else {
            return nil
        }
        return String(decoding: scalars.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self).lowercased()
    }

    private static func isHost(_ scalars: some Collection<UInt32>) -> Bool {
        if scalars.first == 0x5B {
            let inner = scalars.dropFirst().prefix { $0 != 0x5D }
            return inner.contains(0x3A) && inner.count + 2 <= scalars.count
        }
        let name = scalars.prefix { $0 != 0x3A }
        // Escapes would be taken out by some of those who read it, and not by others.
        guard !name.contains(where: { $0 == 0x25 || LinkCharacters.endsAddress($0) }) else { return false }
        guard scalars.dropFirst(name.count + 1).allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
        return name.contains { LinkCharacters.isAlphanumeric($0) || $0 >= 0x80 }
    }
}

/// The classes of characters in addresses.
enum LinkCharacters {
    @inline(__always)
    static func isLetter(_ scalar: UInt32) -> Bool { (0x61...0x7A).contains(scalar | 0x20) && scalar < 0x80 }

    @inline(__always)
    static func isAlphanumeric(_ scalar: UInt32) -> Bool { isLetter(scalar) || (0x30...0x39).contains(scalar) }

    /// Whether an address in a text ends before a character: space, controls, quotes and brackets that no address
    /// holds, box drawing, and East Asian punctuation. Letters of any script stay.
    static func endsAddress(_ scalar: UInt32) -> Bool {
        if scalar < 0x80 { return scalar <= 0x20 || scalar == 0x7F || asciiEnds.contains(scalar) }
        switch scalar {
        case 0x80...0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: return true
        case 0x2500...0x257F: return true
        // ‘ ’ “ ” …
        case 0x2018, 0x2019, 0x201C, 0x201D, 0x2026: return true
        // 、 。 〈 to 】 and 〔 to 〟
        case 0x3001, 0x3002, 0x3008...0x3011, 0x3014...0x301F: return true
        // Full-width punctuation and brackets.
        case 0xFF01...0xFF0F, 0xFF1A...0xFF20, 0xFF3B...0xFF40, 0xFF5B...0xFF65: return true
        default: return false
        }
    }

    private static let asciiEnds = Set("\"<>`|\\^{}".unicodeScalars.map(\.value))

    /// The characters that do not belong to an address if they are at its end.
    static let trailing = Set(".,:;!?'\"*_~([".unicodeScalars.map(\.value))
}
