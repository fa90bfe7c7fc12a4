// Riff
// SPDX-License-Identifier: Apache-2.0

/// Texts taken apart by their bytes, as files, protocols and shells take them apart.
///
/// To Swift a slash with an accent behind it is one Character that is no slash, CR LF is one that is neither, and two
/// spellings of one letter are equal. To a kernel, and to every peer, they are bytes. What is looked for is ASCII, so
/// that each place found is a place between two scalars.
extension StringProtocol {
    /// Whether a byte is among the text's.
    package func contains(byte: Unicode.Scalar) -> Bool { utf8.contains(UInt8(ascii: byte)) }

    /// The place of the first such byte; `nil` if there is none.
    package func firstIndex(byte: Unicode.Scalar) -> Index? { utf8.firstIndex(of: UInt8(ascii: byte)) }

    /// The place of the last such byte; `nil` if there is none.
    package func lastIndex(byte: Unicode.Scalar) -> Index? {
        let byte = UInt8(ascii: byte)
        var found: Index?
        var place = utf8.startIndex
        while place != utf8.endIndex {
            if utf8[place] == byte { found = place }
            utf8.formIndex(after: &place)
        }
        return found
    }

    /// The parts between bytes.
    package func split(
        byte: Unicode.Scalar,
        maxSplits: Int = .max,
        omittingEmptySubsequences: Bool = true
    ) -> [SubSequence] {
        utf8.split(
            separator: UInt8(ascii: byte),
            maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences
        ).map { self[$0.startIndex..<$0.endIndex] }
    }

    /// The lines that have something in them, split at LF, without a CR in front of it.
    package var byteLines: [SubSequence] {
        split(byte: "\n").compactMap { line in
            guard line.hasSuffix(bytes: "\r") else { return line }
            let end = line.lastIndex(byte: "\r") ?? line.endIndex
            return end == line.startIndex ? nil : self[line.startIndex..<end]
        }
    }

    /// Whether the text's bytes begin with those of another text.
    package func hasPrefix(bytes: some StringProtocol) -> Bool { utf8.starts(with: bytes.utf8) }

    /// Whether the text's bytes end with those of another text.
    package func hasSuffix(bytes: some StringProtocol) -> Bool {
        let extra = utf8.count - bytes.utf8.count
        return extra >= 0 && utf8.dropFirst(extra).elementsEqual(bytes.utf8)
    }

    /// The bytes behind those of another text; `nil` if the text does not begin with them.
    package func dropping(prefix: some StringProtocol) -> SubSequence? {
        guard hasPrefix(bytes: prefix) else { return nil }
        return self[utf8.index(utf8.startIndex, offsetBy: prefix.utf8.count)...]
    }

    /// The text without a byte that ends it, however often; its first byte stays.
    package func droppingLast(byte: Unicode.Scalar) -> SubSequence {
        let byte = UInt8(ascii: byte)
        var end = utf8.startIndex
        var place = utf8.startIndex
        while place != utf8.endIndex {
            let isLast = utf8[place] != byte || place == utf8.startIndex
            utf8.formIndex(after: &place)
            if isLast { end = place }
        }
        return self[..<end]
    }

    /// Whether two texts are the same to the byte.
    package func isSame(bytes: some StringProtocol) -> Bool { utf8.elementsEqual(bytes.utf8) }
}

/// A name that a peer gave, as a key: the same only to the byte.
package struct ByteName: Sendable, Hashable {
    /// The name as a string.
    package let text: String

    /// Creates a name that is compared by its bytes.
    package init(_ text: some StringProtocol) { self.text = String(text) }

    /// Whether the bytes are the same.
    package static func == (left: Self, right: Self) -> Bool { left.text.isSame(bytes: right.text) }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
