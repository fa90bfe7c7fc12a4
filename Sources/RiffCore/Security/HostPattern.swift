// Riff
// SPDX-License-Identifier: Apache-2.0

/// One name of a known_hosts line (ssh_config(5), PATTERNS): `*` is any run of characters, `?` any one, a leading `!`
/// excludes. Upper and lower case are the same, in ASCII.
struct HostPattern: Sendable {
    /// The pattern as the file has it.
    let text: String
    /// Whether a match excludes the host from the line.
    let isNegated: Bool
    private let pattern: WildcardPattern

    init(_ text: String) {
        self.text = text
        isNegated = text.hasPrefix("!")
        pattern = WildcardPattern(HostPattern.folded(isNegated ? text.dropFirst() : text[...]))
    }

    /// Whether it can match several names.
    var hasWildcard: Bool { pattern.hasWildcard }

    /// Whether the pattern matches, negated or not.
    func matches(_ name: String) -> Bool { pattern.matches(HostPattern.folded(name[...])) }

    private static func folded(_ text: Substring) -> [UInt8] {
        text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
    }
}
