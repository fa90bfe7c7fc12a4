// Riff
// SPDX-License-Identifier: Apache-2.0

/// Reads the few shapes of ASN.1 DER (X.690) that private keys use; never past the end.
package struct DERReader {
    /// The tags that private keys use.
    package enum Tag: UInt8 {
        case integer = 0x02, bitString = 0x03, octetString = 0x04, objectIdentifier = 0x06, sequence = 0x30
        case context0 = 0xA0, context1 = 0xA1
    }

    private var rest: ArraySlice<UInt8>

    package init(_ bytes: some Collection<UInt8>) { rest = Array(bytes)[...] }

    /// Whether everything was read.
    package var isAtEnd: Bool { rest.isEmpty }

    /// Whether the next element has this tag.
    package func isNext(_ tag: Tag) -> Bool { rest.first == tag.rawValue }

    /// The contents of the next element, which must have this tag.
    package mutating func read(_ tag: Tag) throws(CoreError) -> ArraySlice<UInt8> {
        guard rest.first == tag.rawValue else { throw DERReader.damaged }
        var cursor = rest.dropFirst()
        guard let first = cursor.popFirst() else { throw DERReader.damaged }
        var length = Int(first)
        if first >= 0x80 {
            // Indefinite lengths are not DER; four bytes are more than any key.
            let count = Int(first & 0x7F)
            guard (1...4).contains(count), count <= cursor.count else { throw DERReader.damaged }
            length = cursor.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            cursor = cursor.dropFirst(count)
        }
        guard length <= cursor.count else { throw DERReader.damaged }
        rest = cursor.dropFirst(length)
        return cursor.prefix(length)
    }

    /// A non-negative INTEGER: its bytes, highest first, without leading zeros.
    package mutating func readInteger() throws(CoreError) -> ArraySlice<UInt8> {
        let bytes = try read(.integer)
        guard let first = bytes.first, first < 0x80 else { throw DERReader.damaged }
        return bytes.drop { $0 == 0 }
    }

    static var damaged: CoreError { .damagedKey("a part of it is missing, or of another kind than it should be") }
}
