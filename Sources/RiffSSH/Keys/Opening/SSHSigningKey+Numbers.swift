// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import CryptoExtras
package import RiffCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension SSHSigningKey {
    /// A key of its numbers. An RSA key signs once, and its own public half checks that: numbers that do not belong
    /// together show here and not at a server.
    ///
    /// - Throws: ``CoreError`` with `invalidKey`, or `keyUnsupported` for an RSA key of a length that is not taken.
    package init(_ numbers: PrivateKeyNumbers) throws(CoreError) {
        do {
            switch numbers {
            case .ed25519(let seed): self = .ed25519(try Curve25519.Signing.PrivateKey(rawRepresentation: seed.bytes))
            case .ecdsa(let curve, let scalar):
                let digits = scalar.bytes.drop { $0 == 0 }
                guard digits.count <= curve.scalarBytes else { throw CoreError.damagedKey("its number is too long") }
                let raw = [UInt8](repeating: 0, count: curve.scalarBytes - digits.count) + digits
                switch curve {
                case .p256: self = .p256(try P256.Signing.PrivateKey(rawRepresentation: raw))
                case .p384: self = .p384(try P384.Signing.PrivateKey(rawRepresentation: raw))
                case .p521: self = .p521(try P521.Signing.PrivateKey(rawRepresentation: raw))
                }
            case .rsa(let rsa): self = try Self.rsa(rsa)
            }
        } catch let error as CoreError {
            throw error
        } catch {
            throw .damagedKey("its numbers are none of its type")
        }
    }

    private static func rsa(_ numbers: PrivateKeyNumbers.RSA) throws -> SSHSigningKey {
        let bits = numbers.modulus.count * 8 - (numbers.modulus.first?.leadingZeroBitCount ?? 0)
        guard (2_048...16_384).contains(bits) else {
            throw CoreError.unsupportedKey(
                "The RSA key has \(bits) bits; 2,048 to 16,384 are taken. Make a new one: ssh-keygen -t ed25519"
            )
        }
        let key = try _RSA.Signing.PrivateKey(
            n: numbers.modulus,
            e: numbers.publicExponent,
            d: numbers.privateExponent.bytes,
            p: numbers.p.bytes,
            q: numbers.q.bytes
        )
        let digest = SHA256.hash(data: Array("riff".utf8))
        let signature = try key.signature(for: digest, padding: .insecurePKCS1v1_5)
        guard key.publicKey.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5) else {
            throw CoreError.damagedKey("its RSA numbers do not belong together")
        }
        return .rsa(key)
    }
}
