// Riff
// SPDX-License-Identifier: Apache-2.0

/// Makes valid UTF-8 of bytes that come in pieces.
struct UTF8Intake: Sendable {
    /// The start of a character whose other bytes are to come.
    private var waiting: [UInt8] = []

    /// Appends bytes to a text; what is malformed becomes U+FFFD for each maximal part.
    mutating func append(_ bytes: some Collection<UInt8>, to text: inout [UInt8]) {
        let all = waiting + bytes
        let complete = all.count - Self.incompleteCount(all)
        // The standard library replaces by maximal parts, as the Unicode standard recommends.
        text.append(contentsOf: String(decoding: all[..<complete], as: UTF8.self).utf8)
        waiting = Array(all[complete...])
    }

    /// Nothing follows.
    mutating func finish(_ text: inout [UInt8]) {
        text.append(contentsOf: String(decoding: waiting, as: UTF8.self).utf8)
        waiting = []
    }

    /// Returns the number of bytes at the end that may be the start of a character.
    private static func incompleteCount(_ bytes: [UInt8]) -> Int {
        for count in 1..<4 where count <= bytes.count {
            let byte = bytes[bytes.count - count]
            if byte.isContinuation { continue }
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1
            return length > count ? count : 0
        }
        return 0
    }
}
