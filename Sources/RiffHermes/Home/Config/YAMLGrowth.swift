// Riff
// SPDX-License-Identifier: Apache-2.0

/// A look at a YAML text for what its parser would read for ever.
///
/// The parser hashes each key of a map with all that is in it. A key may be a list or a map, and aliases stand for what
/// they name: a key of aliases of aliases has billions of parts before anything can count them, and keys within keys
/// are hashed once for each of them. No agent writes such keys, so that what only looks like one may be refused.
struct YAMLGrowth {
    /// The most bytes that may be hashed, if each key that looks like a list or a map had the whole text in it.
    private static let limitBytes = 16 << 20

    /// Whether the parser is done in a time that is proportional to the text.
    let isHarmless: Bool

    init(_ text: String) {
        let bytes = Array(text.utf8)
        var anchors: Set<ArraySlice<UInt8>> = []
        var aliases: Set<ArraySlice<UInt8>> = []
        var aliasKeys: Set<ArraySlice<UInt8>> = []
        var keys = 0
        for (place, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "&"):
                anchors.insert(Self.name(in: bytes, from: place + 1))
            case UInt8(ascii: "*"):
                let name = Self.name(in: bytes, from: place + 1)
                aliases.insert(name)
                if Self.isColon(in: bytes, from: name.endIndex) { aliasKeys.insert(name) }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if Self.isColon(in: bytes, from: place + 1) { keys += 1 }
            case UInt8(ascii: "?"):
                if place == 0 || Self.mayPrecede(bytes[place - 1]) { keys += 1 }
            default: break
            }
        }
        anchors.remove([])
        let isExpanding = !anchors.isDisjoint(with: aliases)
        let hasAliasKey = !anchors.isDisjoint(with: aliasKeys)
        isHarmless = isExpanding ? keys == 0 && !hasAliasKey : keys <= max(4, Self.limitBytes / max(1, bytes.count))
    }

    private static func name(in bytes: [UInt8], from start: Int) -> ArraySlice<UInt8> {
        bytes[start...].prefix { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F || byte == 0x2D
        }
    }

    /// Whether a colon comes next, on the same line: a key has no line's end before its colon.
    private static func isColon(in bytes: [UInt8], from start: Int) -> Bool {
        bytes[start...].first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: ":")
    }

    /// Whether a question mark behind this byte may begin a key.
    private static func mayPrecede(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte >= 0x80 || "[{,:-?".utf8.contains(byte)
    }
}
