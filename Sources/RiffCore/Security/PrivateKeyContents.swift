// Riff
// SPDX-License-Identifier: Apache-2.0

import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The facts about a private key that reading its PEM block yields.
package struct PrivateKeyContents {
    package private(set) var algorithm: SSHKeyAlgorithm?
    package private(set) var publicKey: SSHPublicKey?
    package private(set) var isEncrypted = false
    /// The numbers of a key that is not encrypted.
    package private(set) var numbers: PrivateKeyNumbers?

    package init(_ block: PEMBlock) throws(CoreError) {
        if block.headers.contains(where: { $0.hasPrefix(bytes: "Proc-Type:") && $0.contains("ENCRYPTED") }) {
            isEncrypted = true
            algorithm = block.label == "RSA PRIVATE KEY" ? .rsa : nil
            return
        }
        do throws(CoreError) {
            switch block.label {
            case PEMBlock.openSSH: self = try OpenSSHPrivateKeyFormat(block.body).contents()
            case "PRIVATE KEY": try readPKCS8(block.body)
            case "ENCRYPTED PRIVATE KEY": try readEncryptedPKCS8(block.body)
            case "EC PRIVATE KEY": try readSEC1(block.body, curve: nil)
            case "RSA PRIVATE KEY": try readPKCS1(block.body)
            case "DSA PRIVATE KEY": throw CoreError.unsupportedKeyType(SSHKeyAlgorithm(rawValue: "ssh-dss"))
            case let label:
                throw CoreError.unsupportedKey(
                    "A private key of the kind \"\(SSHPublicKey.printable(label))\" cannot be used with SSH here."
                )
            }
        } catch  where error.code == .malformedSSHData {
            let message = "The private key is damaged or cut off."
            throw CoreError(.invalidKey, message, recovery: .keySettings, cause: error)
        }
    }

    init(
        algorithm: SSHKeyAlgorithm,
        publicKey: SSHPublicKey,
        isEncrypted: Bool = false,
        numbers: PrivateKeyNumbers? = nil
    ) {
        self.algorithm = algorithm
        self.publicKey = publicKey
        self.isEncrypted = isEncrypted
        self.numbers = numbers
    }

    /// Reads PKCS#8 that was decrypted.
    package init(pkcs8 bytes: [UInt8]) throws(CoreError) { try readPKCS8(bytes) }

    /// PKCS#8 (RFC 5958); Ed25519 inside it is RFC 8410.
    private mutating func readPKCS8(_ bytes: [UInt8]) throws(CoreError) {
        var key = try Self.onlySequence(in: bytes)
        guard try key.readInteger().count <= 1 else { throw CoreError.damagedKey("its PKCS#8 version is not known") }
        var identifier = DERReader(try key.read(.sequence))
        let type = Array(try identifier.read(.objectIdentifier))
        let inner = try key.read(.octetString)
        switch type {
        case [0x2B, 0x65, 0x70]:
            var reader = DERReader(inner)
            let seed = try reader.read(.octetString)
            guard reader.isAtEnd else { throw CoreError.damagedKey("something follows its Ed25519 seed") }
            try take(.ed25519(seed: Secret(Array(seed))))
        case [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]:
            try readSEC1(inner, curve: try identifier.read(.objectIdentifier))
        case [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]:
            try readPKCS1(inner)
        default:
            let message = "The private key is of a type that SSH does not have (Ed25519, ECDSA and RSA are known)."
            throw CoreError.unsupportedKey(message)
        }
    }

    /// PKCS#8 encrypted: the type is inside. Only the frame can be checked.
    private mutating func readEncryptedPKCS8(_ bytes: [UInt8]) throws(CoreError) {
        var frame = try Self.onlySequence(in: bytes)
        _ = try frame.read(.sequence)
        _ = try frame.read(.octetString)
        guard frame.isAtEnd else { throw DERReader.damaged }
        isEncrypted = true
    }

    /// SEC1 (RFC 5915). The curve is named outside (PKCS#8) or inside.
    private mutating func readSEC1(_ bytes: some Collection<UInt8>, curve outer: ArraySlice<UInt8>?) throws(CoreError) {
        var key = try Self.onlySequence(in: bytes)
        guard try key.readInteger().elementsEqual([1]) else { throw DERReader.damaged }
        let scalar = try key.read(.octetString)
        var name = outer
        if key.isNext(.context0) {
            var parameters = DERReader(try key.read(.context0))
            let inner = try parameters.read(.objectIdentifier)
            guard outer == nil || outer == inner else { throw DERReader.damaged }
            name = inner
        }
        guard let name, let curve = EllipticCurve.allCases.first(where: { $0.objectIdentifier.elementsEqual(name) })
        else {
            let message = "The private key is on a curve that SSH does not have (P-256, P-384 and P-521 are known)."
            throw CoreError.unsupportedKey(message)
        }
        guard let point = curve.publicPoint(ofScalar: scalar) else {
            throw CoreError.damagedKey("its number is none of the curve \(curve.wireName)")
        }
        if key.isNext(.context1) {
            var wrapped = DERReader(try key.read(.context1))
            // A BIT STRING begins with its count of unused bits.
            guard try wrapped.read(.bitString).elementsEqual([0] + point) else {
                throw CoreError.damagedKey("its private number does not belong to its public point")
            }
        }
        guard key.isAtEnd else { throw DERReader.damaged }
        try take(.ecdsa(curve, scalar: Secret(Array(scalar))))
    }

    /// PKCS#1 (RFC 8017 appendix A.1.2).
    private mutating func readPKCS1(_ bytes: some Collection<UInt8>) throws(CoreError) {
        var key = try Self.onlySequence(in: bytes)
        guard try key.readInteger().isEmpty else {
            throw CoreError.damagedKey("its RSA numbers are of another version")
        }
        let modulus = try key.readInteger()
        let exponent = try key.readInteger()
        let privateExponent = try key.readInteger()
        let p = try key.readInteger()
        let q = try key.readInteger()
        for _ in ["d mod p-1", "d mod q-1"] { _ = try key.readInteger() }
        let coefficient = try key.readInteger()
        guard key.isAtEnd else { throw CoreError.damagedKey("something follows its RSA numbers") }
        try take(
            .rsa(
                PrivateKeyNumbers.RSA(
                    modulus: Array(modulus),
                    publicExponent: Array(exponent),
                    privateExponent: Secret(Array(privateExponent)),
                    p: Secret(Array(p)),
                    q: Secret(Array(q)),
                    coefficient: Secret(Array(coefficient))
                )
            )
        )
    }

    private mutating func take(_ numbers: PrivateKeyNumbers) throws(CoreError) {
        let key = try SSHPublicKey(blob: numbers.publicBlob())
        algorithm = key.algorithm
        publicKey = key
        self.numbers = numbers
    }

    private static func onlySequence(in bytes: some Collection<UInt8>) throws(CoreError) -> DERReader {
        var outer = DERReader(bytes)
        let contents = try outer.read(.sequence)
        guard outer.isAtEnd else { throw DERReader.damaged }
        return DERReader(contents)
    }
}
