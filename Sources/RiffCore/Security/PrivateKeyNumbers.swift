// Riff
// SPDX-License-Identifier: Apache-2.0

/// The numbers of a private key that is not encrypted, each highest byte first.
package enum PrivateKeyNumbers: Sendable, Hashable {
    /// The 32 bytes that an Ed25519 key is made of (RFC 8032).
    case ed25519(seed: Secret)
    /// The scalar, of at most the curve's length.
    case ecdsa(EllipticCurve, scalar: Secret)
    case rsa(RSA)

    /// The numbers of RSA as key files have them, without leading zeros.
    package struct RSA: Sendable, Hashable {
        package let modulus: [UInt8]
        package let publicExponent: [UInt8]
        package let privateExponent: Secret
        package let p: Secret
        package let q: Secret
        /// 1/q modulo p.
        package let coefficient: Secret
    }

    /// The public half in its wire form.
    ///
    /// - Throws: ``CoreError`` with `invalidKey` for numbers that are none of the key type.
    package func publicBlob() throws(CoreError) -> [UInt8] {
        var writer = SSHWireWriter()
        switch self {
        case .ed25519(let seed):
            guard let key = Ed25519Seed(seed.bytes) else { throw .damagedKey("its Ed25519 seed is not 32 bytes") }
            return key.publicBlob
        case .ecdsa(let curve, let scalar):
            guard let point = curve.publicPoint(ofScalar: scalar.bytes) else {
                throw .damagedKey("its number is none of the curve \(curve.wireName)")
            }
            writer.write(text: curve.algorithm.rawValue)
            writer.write(text: curve.wireName)
            writer.write(string: point)
        case .rsa(let numbers):
            writer.write(text: SSHKeyAlgorithm.rsa.rawValue)
            writer.write(mpint: numbers.publicExponent)
            writer.write(mpint: numbers.modulus)
        }
        return writer.bytes
    }
}
