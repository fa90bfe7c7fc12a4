// Riff
// SPDX-License-Identifier: Apache-2.0

/// The label by which a link reference is known: two labels are the same if they differ in case and white space only.
struct LinkLabel: Hashable, Sendable {
    /// The longest label, in bytes as written (CommonMark allows 999 characters; this is cmark's bound).
    static let longest = 1000

    private let bytes: [UInt8]

    /// Creates a label from the bytes between the brackets; nil if that is too long or empty.
    init?(_ label: some Collection<UInt8>) {
        guard label.count <= Self.longest else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(label.count)
        var isASCII = true
        var spaceIsDue = false
        for byte in label {
            if byte.isSpace {
                spaceIsDue = !bytes.isEmpty
                continue
            }
            if spaceIsDue { bytes.append(.space) }
            spaceIsDue = false
            isASCII = isASCII && byte < 0x80
            bytes.append(byte.lowercased)
        }
        guard !bytes.isEmpty else { return nil }
        self.bytes = isASCII ? bytes : Self.folded(bytes)
    }

    /// Unicode's full case folding, by way of the capital letters: U+1E9E, U+00DF and "ss" are the same.
    private static func folded(_ bytes: [UInt8]) -> [UInt8] {
        var text = ""
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            // A dotless i has the capital letter of another.
            if scalar == "\u{131}" { text.unicodeScalars.append(scalar) } else { text += folded(scalar) }
        }
        return Array(text.utf8)
    }

    private static func folded(_ scalar: Unicode.Scalar) -> String {
        let capitals = scalar.properties.lowercaseMapping.unicodeScalars.map(\.properties.uppercaseMapping).joined()
        return capitals.unicodeScalars.map(\.properties.lowercaseMapping).joined()
    }
}
