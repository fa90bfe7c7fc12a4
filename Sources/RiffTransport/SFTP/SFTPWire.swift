// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// Reads the fields of one packet; draft-ietf-secsh-filexfer-02 section 2 with the types of RFC 4251 section 5.
struct SFTPReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    mutating func byte() throws(TransportError) -> UInt8 {
        guard position < bytes.endIndex else { throw Self.tooShort }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func uint32() throws(TransportError) -> UInt32 {
        guard bytes.endIndex - position >= 4 else { throw Self.tooShort }
        defer { position += 4 }
        return bytes[position..<position + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func uint64() throws(TransportError) -> UInt64 {
        let high = try uint32()
        return UInt64(high) << 32 | UInt64(try uint32())
    }

    /// A length and so many bytes.
    mutating func string() throws(TransportError) -> ArraySlice<UInt8> {
        let length = Int(try uint32())
        guard bytes.endIndex - position >= length else { throw Self.tooShort }
        defer { position += length }
        return bytes[position..<position + length]
    }

    /// A string that is shown or is a name; bytes that are not UTF-8 become U+FFFD.
    mutating func text() throws(TransportError) -> String { String(decoding: try string(), as: UTF8.self) }

    /// A file's name, and whether it is that, byte for byte.
    mutating func name() throws(TransportError) -> (text: String, isExact: Bool) {
        let bytes = try string()
        let text = String(decoding: bytes, as: UTF8.self)
        return (text, text.utf8.elementsEqual(bytes))
    }

    mutating func rest() -> ArraySlice<UInt8> {
        defer { position = bytes.endIndex }
        return bytes[position...]
    }

    private static var tooShort: TransportError {
        TransportError(.sftpMalformed, "The host's file service sent a packet that ends in the middle of a field.")
    }
}

/// Writes the fields of one packet, its length in front.
struct SFTPWriter {
    private var bytes: [UInt8] = [0, 0, 0, 0]

    /// The packet as it is sent.
    var packet: [UInt8] {
        var packet = bytes
        let length = UInt32(bytes.count - 4)
        for index in 0..<4 { packet[index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32(index))) }
        return packet
    }

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func uint32(_ value: UInt32) {
        for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func uint64(_ value: UInt64) {
        uint32(UInt32(truncatingIfNeeded: value >> 32))
        uint32(UInt32(truncatingIfNeeded: value))
    }

    mutating func string(_ value: some Collection<UInt8>) {
        uint32(UInt32(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func string(_ value: String) { string(value.utf8) }
}

extension TransportErrorCode {
    /// The host's file service sent something that is not SFTP, or not in step.
    public static let sftpMalformed = TransportError.Code(rawValue: "sftpMalformed")
}
