// Riff
// SPDX-License-Identifier: Apache-2.0

/// Whether an object of JSON that comes in pieces has come to its end. Each byte is looked at once.
struct ObjectEnd: Sendable {
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    /// Whether the first brace was closed, and nothing but white space came behind it.
    private(set) var isClosed = false

    mutating func append(_ piece: String) {
        for byte in piece.utf8 {
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: continue
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            isClosed = depth == 0 && byte == UInt8(ascii: "}")
        }
    }
}
