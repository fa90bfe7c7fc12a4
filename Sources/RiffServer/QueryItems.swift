// Riff
// SPDX-License-Identifier: Apache-2.0

/// The items of a query: `name=value`, joined by `&`, percent-encoded (RFC 3986 section 3.4). Of a name that comes
/// twice the last one counts.
struct QueryItems {
    private var values: [String: String] = [:]

    /// Reads a query; `nil` where an escape is none or a value is not UTF-8.
    init?(_ query: String?) {
        for field in (query ?? "").split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(parts[0]), let value = Self.decoded(parts.count > 1 ? parts[1] : "") else {
                return nil
            }
            values[name] = value
        }
    }

    subscript(_ name: String) -> String? { values[name] }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            // Digits alone: a number may also begin with a sign.
            guard rest.count >= 2, rest.prefix(2).allSatisfy(Self.isHexDigit),
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
