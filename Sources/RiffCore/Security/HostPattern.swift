// Riff
// SPDX-License-Identifier: Apache-2.0

/// One name of a known_hosts line (ssh_config(5), PATTERNS): `*` is any run of characters, `?` any one, a leading `!`
/// excludes. Upper and lower case are the same, in ASCII.
struct HostPattern: Sendable {
    /// As it stands in the file.
    let text: String
    /// Whether a match excludes the host from the line.
    let isNegated: Bool
    private let pattern: [UInt8]

    init(_ text: String) {
        self.text = text
        isNegated = text.hasPrefix("!")
        pattern = HostPattern.folded(isNegated ? text.dropFirst() : text[...])
    }

    /// Whether it can match several names.
    var hasWildcard: Bool { pattern.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") } }

    /// Whether the pattern matches, negated or not. Time grows with the product of the lengths at most, so that a
    /// hostile file cannot hang it.
    func matches(_ name: String) -> Bool {
        let name = HostPattern.folded(name[...])
        var position = 0
        var at = 0
        // Where to go on when a guess about the last star turns out wrong.
        var star: (pattern: Int, name: Int)?
        while at < name.count {
            if position < pattern.count, pattern[position] == UInt8(ascii: "*") {
                star = (position, at)
                position += 1
            } else if position < pattern.count, pattern[position] == UInt8(ascii: "?") || pattern[position] == name[at]
            {
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
        return pattern[position...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    private static func folded(_ text: Substring) -> [UInt8] {
        text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
    }
}
