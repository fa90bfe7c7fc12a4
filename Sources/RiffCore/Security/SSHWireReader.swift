// Riff
// SPDX-License-Identifier: Apache-2.0

/// Reads the data types of SSH (RFC 4251 section 5) from bytes; never past their end.
package struct SSHWireReader {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: some Collection<UInt8>) { rest = Array(bytes)[...] }

    /// Whether everything was read.
    package var isAtEnd: Bool { rest.isEmpty }
    /// The bytes that were not read yet.
    package var remaining: ArraySlice<UInt8> { rest }

    /// The next bytes, exactly `count` of them.
    package mutating func readBytes(_ count: Int) throws(CoreError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest.count else {
            throw CoreError(.malformedSSHData, "SSH data ends too early: \(count) bytes wanted, \(rest.count) left.")
        }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A `byte`.
    package mutating func readByte() throws(CoreError) -> UInt8 {
        let bytes = try readBytes(1)
        return bytes[bytes.startIndex]
    }

    /// A `boolean`: any value but 0 is true.
    package mutating func readBool() throws(CoreError) -> Bool { try readByte() != 0 }

    /// A `uint32`.
    package mutating func readUInt32() throws(CoreError) -> UInt32 {
        try readBytes(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// A `string`: a length and that many bytes.
    package mutating func readString() throws(CoreError) -> ArraySlice<UInt8> {
        let before = rest
        do throws(CoreError) {
            return try readBytes(Int(try readUInt32()))
        } catch {
            rest = before
            throw error
        }
    }

    /// A `string` that is printable ASCII without spaces: the name of an algorithm, a curve, a cipher.
    package mutating func readName() throws(CoreError) -> String {
        let bytes = try readString()
        guard !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CoreError(.malformedSSHData, "SSH data holds something else where a name is expected.")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// An `mpint` that is not negative: its bytes, highest first, without leading zeros; empty for 0.
    package mutating func readMPInt() throws(CoreError) -> ArraySlice<UInt8> {
        let bytes = try readString()
        guard (bytes.first ?? 0) < 0x80 else {
            throw CoreError(.malformedSSHData, "SSH data holds a negative number where a positive one is expected.")
        }
        return bytes.drop { $0 == 0 }
    }
}

extension CoreErrorCode {
    /// Bytes that should be in SSH's data types (RFC 4251) are not.
    public static let malformedSSHData = CoreError.Code(rawValue: "malformedSSHData")
}
