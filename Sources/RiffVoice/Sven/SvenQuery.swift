// Riff
// SPDX-License-Identifier: Apache-2.0

/// The query of a request: names and values, percent-encoded on the wire.
package struct SvenQuery: Sendable {
    private let items: [(name: String, value: String)]

    /// A query of these values; those that are `nil` are left out.
    package init(_ items: [(String, String?)]) {
        self.items = items.compactMap { name, value in value.map { (name, $0) } }
    }

    /// Reads what follows the question mark. An escape that is none stays as it is.
    package init(parsing text: String?) {
        items = (text ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? Self.decode(parts[1], plusIsSpace: true) : ""
            return (Self.decode(parts[0], plusIsSpace: true), value)
        }
    }

    /// The last value of a name, as the public server reads it; `nil` where there is none.
    package subscript(_ name: String) -> String? { items.last { $0.name == name }?.value }

    /// The question mark and the query, encoded; empty where there is nothing to say.
    package var text: String {
        guard !items.isEmpty else { return "" }
        return "?" + items.map { "\(Self.encode($0.name))=\(Self.encode($0.value))" }.joined(separator: "&")
    }

    /// Escapes all but the unreserved characters of RFC 3986 section 2.3.
    package static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Resolves escapes; with `plusIsSpace` as in a form, which is how the public server reads a query.
    package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        var place = 0
        while place < source.count {
            let byte = source[place]
            if byte == UInt8(ascii: "%"), place + 2 < source.count, let high = nibble(source[place + 1]),
                let low = nibble(source[place + 2])
            {
                bytes.append(high << 4 | low)
                place += 3
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
                place += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
