// Riff
// SPDX-License-Identifier: Apache-2.0

/// Finds addresses that stand in a text, in one pass.
struct BareLinkScanner {
    /// The longest address that is one; what is longer was not meant for a finger, or is cut off by what is searched.
    private static let longest = 2083

    private let scalars: [UInt32]
    private let schemes: [[UInt32]]

    /// A scanner; the schemes are in lower case.
    init(_ scalars: [UInt32], schemes: Set<String>) {
        self.scalars = scalars
        self.schemes = schemes.map { Array(($0 == "mailto" ? "mailto:" : $0 + "://").unicodeScalars.map(\.value)) }
    }

    /// Returns the addresses in a part of the text, in order: the URL that each opens, and its range.
    func links(in part: Range<Int>) -> [(url: [UInt32], range: Range<Int>)] {
        var found: [(url: [UInt32], range: Range<Int>)] = []
        var index = part.lowerBound
        while index < part.upperBound {
            guard LinkCharacters.isLetter(scalars[index]) else {
                index += 1
                continue
            }
            let prefix = beginsWord(index, in: part) ? prefixLength(index, in: part) : 0
            guard prefix > 0 else {
                // The rest of the word begins nothing.
                index += 1
                while index < part.upperBound, LinkCharacters.isAlphanumeric(scalars[index]) { index += 1 }
                continue
            }
            let end = self.end(from: index + prefix, in: part)
            if end - index <= Self.longest, let link = link(index..<end) { found.append(link) }
            index = max(end, index + prefix)
        }
        return found
    }

    private func beginsWord(_ index: Int, in part: Range<Int>) -> Bool {
        index == part.lowerBound || !LinkCharacters.isAlphanumeric(scalars[index - 1])
    }

    /// Returns the length of the scheme, or of the `www.`, at an index; 0 for none.
    private func prefixLength(_ index: Int, in part: Range<Int>) -> Int {
        for scheme in schemes where matches(scheme, index, in: part) { return scheme.count }
        return isWeb(index, in: part) ? Self.web.count : 0
    }

    private static let web = Array("www.".unicodeScalars.map(\.value))

    /// A host's name is the beginning of one only where it does not go on from the left.
    private func isWeb(_ index: Int, in part: Range<Int>) -> Bool {
        guard matches(Self.web, index, in: part) else { return false }
        return index == part.lowerBound || ![0x2D, 0x2E, 0x2F, 0x40, 0x5F].contains(scalars[index - 1])
    }

    private func matches(_ prefix: [UInt32], _ index: Int, in part: Range<Int>) -> Bool {
        guard index + prefix.count <= part.upperBound else { return false }
        for (offset, expected) in prefix.enumerated() {
            let scalar = scalars[index + offset]
            guard scalar == expected || LinkCharacters.isLetter(scalar) && scalar | 0x20 == expected else {
                return false
            }
        }
        return true
    }

    /// Returns the end of an address: before a character that cannot be in one, before a closing bracket that was not
    /// opened in it, and before a comma that another address follows.
    private func end(from start: Int, in part: Range<Int>) -> Int {
        var (parentheses, brackets) = (0, 0)
        var index = start
        while index < part.upperBound {
            let scalar = scalars[index]
            switch scalar {
            case 0x28: parentheses += 1
            case 0x29:
                if parentheses == 0 { return index }
                parentheses -= 1
            case 0x5B: brackets += 1
            case 0x5D:
                if brackets == 0 { return index }
                brackets -= 1
            case 0x2C where prefixLength(index + 1, in: part) > 0: return index
            default: if LinkCharacters.endsAddress(scalar) { return index }
            }
            index += 1
        }
        return index
    }

    /// Takes off what does not belong to it, and looks whether it leads anywhere.
    private func link(_ range: Range<Int>) -> (url: [UInt32], range: Range<Int>)? {
        var end = range.upperBound
        while end > range.lowerBound, LinkCharacters.trailing.contains(scalars[end - 1]) { end -= 1 }
        let taken = range.lowerBound..<end
        var url = Array(scalars[taken])
        if matches(Self.web, range.lowerBound, in: range) {
            let host = url.dropFirst(Self.web.count).prefix { $0 != 0x2F && $0 != 0x3A && $0 != 0x3F && $0 != 0x23 }
            let labels = host.split(separator: 0x2E, omittingEmptySubsequences: false)
            guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty }) else { return nil }
            url = Array("http://".unicodeScalars.map(\.value)) + url
        }
        return LinkAddress(url) == nil ? nil : (url, taken)
    }
}
