// Riff
// SPDX-License-Identifier: Apache-2.0

package import Crypto
package import CryptoExtras
package import RiffCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A private key that can sign, in the library's types, which zero themselves.
package enum SSHSigningKey: Sendable {
    case ed25519(Curve25519.Signing.PrivateKey)
    case p256(P256.Signing.PrivateKey)
    case p384(P384.Signing.PrivateKey)
    case p521(P521.Signing.PrivateKey)
    case rsa(_RSA.Signing.PrivateKey)

    /// The algorithms it can sign by, best first.
    package var algorithms: [SSHSignatureAlgorithm] {
        switch self {
        case .ed25519: [.ed25519]
        case .p256: [.ecdsaP256]
        case .p384: [.ecdsaP384]
        case .p521: [.ecdsaP521]
        case .rsa: [.rsaSHA512, .rsaSHA256]
        }
    }

    /// The public half in its wire form.
    package func publicKey() throws(SSHError) -> SSHPublicKey {
        var writer = SSHWireWriter()
        do {
            switch self {
            case .ed25519(let key):
                writer.write(text: "ssh-ed25519")
                writer.write(string: key.publicKey.rawRepresentation)
            case .p256(let key): Self.write(&writer, "nistp256", key.publicKey.x963Representation)
            case .p384(let key): Self.write(&writer, "nistp384", key.publicKey.x963Representation)
            case .p521(let key): Self.write(&writer, "nistp521", key.publicKey.x963Representation)
            case .rsa(let key):
                let numbers = try key.publicKey.getKeyPrimitives()
                writer.write(text: "ssh-rsa")
                writer.write(mpint: numbers.publicExponent)
                writer.write(mpint: numbers.modulus)
            }
            return try SSHPublicKey(blob: writer.bytes)
        } catch {
            throw SSHError(.unusableKey, "The private key cannot be used.", cause: error)
        }
    }

    /// Signs data by an algorithm.
    package func signature(
        of data: [UInt8],
        by algorithm: SSHSignatureAlgorithm
    ) throws(SSHError) -> SSHSignature {
        guard algorithms.contains(algorithm) else {
            throw SSHError(.unusableKey, "The private key does not sign by \(algorithm.rawValue).")
        }
        do {
            return SSHSignature(algorithm: algorithm, bytes: try bytes(of: data, by: algorithm))
        } catch {
            throw SSHError(.unusableKey, "The private key could not sign.", cause: error)
        }
    }

    private func bytes(of data: [UInt8], by algorithm: SSHSignatureAlgorithm) throws -> [UInt8] {
        switch self {
        case .ed25519(let key): return Array(try key.signature(for: data))
        case .p256(let key): return SSHSignature.ecdsaBytes(raw: Array(try key.signature(for: data).rawRepresentation))
        case .p384(let key): return SSHSignature.ecdsaBytes(raw: Array(try key.signature(for: data).rawRepresentation))
        case .p521(let key): return SSHSignature.ecdsaBytes(raw: Array(try key.signature(for: data).rawRepresentation))
        case .rsa(let key):
            let padding = _RSA.Signing.Padding.insecurePKCS1v1_5
            let signature =
                algorithm == .rsaSHA256
                ? try key.signature(for: SHA256.hash(data: data), padding: padding)
                : try key.signature(for: SHA512.hash(data: data), padding: padding)
            return Array(signature.rawRepresentation)
        }
    }

    private static func write(_ writer: inout SSHWireWriter, _ curve: String, _ point: Data) {
        writer.write(text: "ecdsa-sha2-" + curve)
        writer.write(text: curve)
        writer.write(string: point)
    }
}
