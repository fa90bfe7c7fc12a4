// Riff
// SPDX-License-Identifier: Apache-2.0

/// Masking (RFC 6455 section 5.3): each byte of a payload is combined with a byte of the key, in turn. It is its own
/// inverse.
package enum WebSocketMask {
    /// Masks in place.
    ///
    /// - Parameters:
    ///   - key: The key, in the order of its bytes on the wire.
    ///   - bytes: A piece of a payload.
    ///   - offset: Where in the payload the piece starts.
    package static func apply(_ key: UInt32, to bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
        copy(UnsafeRawBufferPointer(bytes), to: bytes, key, at: offset)
    }

    /// Copies a piece of a payload, masked; both may be the same memory.
    package static func copy(
        _ source: UnsafeRawBufferPointer,
        to target: UnsafeMutableRawBufferPointer,
        _ key: UInt32,
        at offset: Int
    ) {
        precondition(target.count >= source.count, "There is no room for what is masked.")
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        // In memory order, so that the words below need no thought for the byte order.
        let turn = UInt32((offset & 3) * 8)
        let turned: UInt32 =
            turn == 0
            ? key : UInt32(littleEndian: UInt32(littleEndian: key) >> turn | UInt32(littleEndian: key) << (32 - turn))
        let wide = UInt64(turned) << 32 | UInt64(turned)
        var index = 0
        while index + 8 <= source.count {
            let word = from.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ wide
            to.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        withUnsafeBytes(of: turned) { key in
            while index < source.count {
                let byte = from.load(fromByteOffset: index, as: UInt8.self) ^ key[index & 3]
                to.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
                index += 1
            }
        }
    }
}
