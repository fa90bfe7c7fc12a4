// Riff
// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// The first line and the fields of an HTTP/1.1 message (RFC 9112 sections 2 to 5), gathered from bytes at any split:
/// for the opening handshake, which nothing but it needs.
package struct HTTPHeadReader: Sendable {
    /// The head that was read.
    package struct Head: Sendable {
        /// The first line, without its end.
        package let line: String
        package let fields: HTTPFields

        /// The tokens of a list in all fields of a name (RFC 9110 section 5.6.1), in lower case.
        package func tokens(_ name: HTTPField.Name) -> [String] {
            fields[values: name].flatMap { $0.split(separator: ",") }.map { token in
                token.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ").lowercased()
            }
        }
    }

    /// Why the bytes are no head.
    package struct Malformed: Error, Sendable {
        package let reason: String
    }

    private let limit: Int
    private var bytes: [UInt8] = []

    /// - Parameter limit: The most bytes of a head.
    package init(limit: Int = 64 << 10) { self.limit = limit }

    /// Takes the next bytes.
    ///
    /// - Returns: The head and what followed behind it, once it is whole.
    package mutating func receive(_ more: [UInt8]) throws(Malformed) -> (head: Head, rest: [UInt8])? {
        let known = max(0, bytes.count - 3)
        bytes += more
        var index = known
        while index + 4 <= bytes.count {
            if bytes[index] == 13, bytes[index + 1] == 10, bytes[index + 2] == 13, bytes[index + 3] == 10 {
                guard index <= limit else { throw Malformed(reason: "its head is above \(limit) bytes") }
                let rest = Array(bytes[(index + 4)...])
                let head = try Self.head(bytes[..<index])
                bytes = []
                return (head, rest)
            }
            index += 1
        }
        guard bytes.count <= limit else { throw Malformed(reason: "its head is above \(limit) bytes") }
        return nil
    }

    private static func head(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> Head {
        var lines: [ArraySlice<UInt8>] = []
        for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
            lines.append(line.last == 13 ? line.dropLast() : line)
        }
        var fields = HTTPFields()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self)),
                line[colon...].allSatisfy({ $0 == 9 || ($0 >= 32 && $0 != 127) })
            else { throw Malformed(reason: "a header field cannot be read") }
            let value = line[(colon + 1)...].drop { $0 == 32 || $0 == 9 }
            let end = value.lastIndex { $0 != 32 && $0 != 9 }.map { $0 + 1 } ?? value.startIndex
            fields.append(HTTPField(name: name, value: String(decoding: value[..<end], as: UTF8.self)))
        }
        let line = lines.first ?? []
        guard line.allSatisfy({ $0 >= 32 && $0 != 127 }) else {
            throw Malformed(reason: "its first line cannot be read")
        }
        return Head(line: String(decoding: line, as: UTF8.self), fields: fields)
    }
}
