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

extension SSHPublicKey {
    /// Whether a signature is of this key, by this algorithm, over these bytes. Anything malformed is none.
    package func isValid(_ signature: SSHSignature, by algorithm: SSHSignatureAlgorithm, for data: [UInt8]) -> Bool {
        guard signature.algorithm == algorithm, algorithm.keyType == self.algorithm.rawValue else { return false }
        do {
            var reader = SSHWireReader(blob)
            _ = try reader.readName()
            switch algorithm {
            case .ed25519:
                guard signature.bytes.count == 64 else { return false }
                let key = try Curve25519.Signing.PublicKey(rawRepresentation: reader.readString())
                return key.isValidSignature(signature.bytes, for: data)
            case .ecdsaP256:
                guard let numbers = signature.ecdsaNumbers(bytes: 32) else { return false }
                _ = try reader.readName()
                let key = try P256.Signing.PublicKey(x963Representation: reader.readString())
                return key.isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: numbers), for: data)
            case .ecdsaP384:
                guard let numbers = signature.ecdsaNumbers(bytes: 48) else { return false }
                _ = try reader.readName()
                let key = try P384.Signing.PublicKey(x963Representation: reader.readString())
                return key.isValidSignature(try P384.Signing.ECDSASignature(rawRepresentation: numbers), for: data)
            case .ecdsaP521:
                guard let numbers = signature.ecdsaNumbers(bytes: 66) else { return false }
                _ = try reader.readName()
                let key = try P521.Signing.PublicKey(x963Representation: reader.readString())
                return key.isValidSignature(try P521.Signing.ECDSASignature(rawRepresentation: numbers), for: data)
            case .rsaSHA256: return try isValidRSA(&reader, signature.bytes, SHA256.hash(data: data))
            case .rsaSHA512: return try isValidRSA(&reader, signature.bytes, SHA512.hash(data: data))
            }
        } catch {
            return false
        }
    }

    /// RSA keys of 2,048 bits or more; the library refuses shorter ones, and exponents of more than 33 bits.
    private func isValidRSA(
        _ reader: inout SSHWireReader,
        _ signature: [UInt8],
        _ digest: some Digest
    ) throws -> Bool {
        let exponent = Array(try reader.readMPInt())
        let modulus = Array(try reader.readMPInt())
        guard (256...2_048).contains(modulus.count), !signature.isEmpty, signature.count <= modulus.count else {
            return false
        }
        let key = try _RSA.Signing.PublicKey(n: modulus, e: exponent)
        // Some signers leave leading zeros out.
        let padded = [UInt8](repeating: 0, count: modulus.count - signature.count) + signature
        let value = _RSA.Signing.RSASignature(rawRepresentation: padded)
        return key.isValidSignature(value, for: digest, padding: .insecurePKCS1v1_5)
    }
}
