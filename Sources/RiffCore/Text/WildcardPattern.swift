// Riff
// SPDX-License-Identifier: Apache-2.0

/// A pattern of ssh_config(5), PATTERNS: `*` is any run of bytes, `?` any one, everything else is itself.
package struct WildcardPattern: Sendable, Hashable {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

    /// Whether it can match several names.
    package var hasWildcard: Bool { bytes.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") } }

    /// Whether it matches all of a name. Time grows with the product of the lengths at most, so that a hostile file
    /// cannot hang it.
    package func matches(_ name: [UInt8]) -> Bool {
        var position = 0
        var at = 0
        // Where to go on when a guess about the last star turns out wrong.
        var star: (pattern: Int, name: Int)?
        while at < name.count {
            if position < bytes.count, bytes[position] == UInt8(ascii: "*") {
                star = (position, at)
                position += 1
            } else if position < bytes.count, bytes[position] == UInt8(ascii: "?") || bytes[position] == name[at] {
                position += 1
                at += 1
            } else if let (starPosition, starAt) = star {
                star = (starPosition, starAt + 1)
                position = starPosition + 1
                at = starAt + 1
            } else {
                return false
            }
        }
        return bytes[position...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// Whether it matches all of a name.
    package func matches(_ name: String) -> Bool { matches(Array(name.utf8)) }
}
