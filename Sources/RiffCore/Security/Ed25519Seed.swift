// Riff
// SPDX-License-Identifier: Apache-2.0

import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The 32 secret bytes of an Ed25519 key (RFC 8032), with their public half.
struct Ed25519Seed {
    private let key: Curve25519.Signing.PrivateKey

    /// A new one, from the system's secure random source.
    init() { key = Curve25519.Signing.PrivateKey() }

    /// 32 bytes; `nil` for any other count.
    init?(_ bytes: some Collection<UInt8>) {
        // The only failure is a wrong count, which is this initializer's answer.
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: Array(bytes)) else { return nil }
        self.key = key
    }

    var bytes: [UInt8] { Array(key.rawRepresentation) }
    var publicBytes: [UInt8] { Array(key.publicKey.rawRepresentation) }

    /// The public half in SSH's wire form: 51 bytes.
    var publicBlob: [UInt8] {
        var writer = SSHWireWriter()
        writer.write(text: SSHKeyAlgorithm.ed25519.rawValue)
        writer.write(string: publicBytes)
        return writer.bytes
    }
}
