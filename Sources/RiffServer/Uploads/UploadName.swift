// Riff
// SPDX-License-Identifier: Apache-2.0

/// The name that an uploaded file is to have: one that means nothing to a shell, a file system or a terminal.
package struct UploadName: Sendable, Hashable {
    /// The most bytes of a name.
    package static let limitBytes = 128

    /// The name.
    package let text: String

    /// Reads a name; `nil` if it has another character than an ASCII letter, a digit, `.`, `_` or `-`, or begins with
    /// one that would hide the file or make an option of it.
    package init?(_ text: String) {
        let bytes = text.utf8
        let isPlain = bytes.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
            default: false
            }
        }
        guard isPlain, (1...Self.limitBytes).contains(bytes.count), let first = bytes.first,
            first != UInt8(ascii: "."), first != UInt8(ascii: "-")
        else { return nil }
        self.text = text
    }

    /// The name for other bytes than those of the file that has this name already: with a part of their hash before
    /// the extension.
    package func distinguished(by digest: String) -> String {
        let mark = "-\(digest.prefix(16))"
        guard let dot = text.lastIndex(of: "."), dot > text.startIndex else { return text + mark }
        return text[..<dot] + mark + text[dot...]
    }
}
