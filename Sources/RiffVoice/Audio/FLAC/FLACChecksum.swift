// Riff
// SPDX-License-Identifier: Apache-2.0

/// The two checksums of a FLAC frame (RFC 9639, sections 9.1.8 and 9.3).
enum FLACChecksum {
    /// Of a frame's header: polynomial 0x07.
    static func header(_ bytes: [UInt8]) -> UInt8 {
        bytes.reduce(0) { crc, byte in
            (0..<8).reduce(crc ^ byte) { crc, _ in crc & 0x80 == 0 ? crc << 1 : crc << 1 ^ 0x07 }
        }
    }

    /// Of a whole frame: polynomial 0x8005.
    static func frame(_ bytes: [UInt8]) -> UInt16 {
        bytes.reduce(0) { crc, byte in crc << 8 ^ table[Int(crc >> 8 ^ UInt16(byte))] }
    }

    private static let table: [UInt16] = (0..<256).map { byte in
        (0..<8).reduce(UInt16(byte) << 8) { crc, _ in crc & 0x8000 == 0 ? crc << 1 : crc << 1 ^ 0x8005 }
    }
}
