// Riff
// SPDX-License-Identifier: Apache-2.0

/// A file of OpenSSH's own private key format, `openssh-key-v1` (OpenSSH's PROTOCOL.key): its clear part, and the
/// section that may be encrypted.
package struct OpenSSHPrivateKeyFormat {
    private static let magic = Array("openssh-key-v1\0".utf8)

    /// The cipher's name, `none` for a key that is not encrypted.
    package let cipher: String
    /// The key derivation's name.
    package let derivation: String
    /// The salt that the key derivation needs beside the passphrase, for `bcrypt`.
    package let salt: [UInt8]
    package let rounds: UInt32
    package let publicKey: SSHPublicKey
    /// The private section as it is in the file.
    package let section: [UInt8]
    /// The tag of a cipher that brings its own integrity; else empty.
    package let tag: [UInt8]

    package var isEncrypted: Bool { cipher != "none" }

    /// Reads the clear part.
    package init(_ bytes: [UInt8]) throws(CoreError) {
        var reader = SSHWireReader(bytes)
        guard bytes.starts(with: Self.magic) else { throw .damagedKey("it does not begin as a key of OpenSSH") }
        _ = try reader.readBytes(Self.magic.count)
        cipher = try reader.readName()
        derivation = try reader.readName()
        let options = try reader.readString()
        guard try reader.readUInt32() == 1 else {
            throw CoreError(.invalidKey, "The file holds several keys; one is expected.", recovery: .keySettings)
        }
        publicKey = try SSHPublicKey(blob: Array(try reader.readString()))
        section = Array(try reader.readString())
        tag = Array(reader.remaining)
        guard cipher != "none" else {
            guard derivation == "none", options.isEmpty, tag.isEmpty else {
                throw .damagedKey("it is not encrypted, and has what belongs to an encrypted one")
            }
            salt = []
            rounds = 0
            return
        }
        guard derivation == "bcrypt" else {
            throw .unsupportedKey(
                "The private key is encrypted by a key derivation that is not known here, "
                    + "\(SSHPublicKey.printable(derivation)). Encrypt it again with: ssh-keygen -p -f FILE"
            )
        }
        // The tag of an AEAD cipher follows the section: 16 bytes for AES-GCM and ChaCha20-Poly1305.
        guard !section.isEmpty, [0, 16].contains(tag.count) else {
            throw .damagedKey("its encrypted part has a wrong length")
        }
        var parameters = SSHWireReader(options)
        salt = Array(try parameters.readString())
        rounds = try parameters.readUInt32()
        guard !salt.isEmpty, rounds > 0, parameters.isAtEnd else {
            throw .damagedKey("its key derivation has no salt or no rounds")
        }
    }

    /// Returns the facts about the key that need no passphrase.
    func contents() throws(CoreError) -> PrivateKeyContents {
        guard isEncrypted else { return try contents(ofSection: section) }
        return PrivateKeyContents(algorithm: publicKey.algorithm, publicKey: publicKey, isEncrypted: true)
    }

    /// Reads the private section once it is decrypted, and checks that its numbers belong to the public key. A type
    /// whose numbers are not known has none.
    ///
    /// - Throws: ``CoreError`` with `passphraseWrong` if the two numbers differ that are there to show it, and
    ///   `invalidKey`.
    package func contents(ofSection section: [UInt8]) throws(CoreError) -> PrivateKeyContents {
        do throws(CoreError) {
            return try readContents(ofSection: section)
        } catch  where error.code == .malformedSSHData {
            throw .damagedKey("its private part ends too early, or holds something else than it should")
        }
    }

    private func readContents(ofSection section: [UInt8]) throws(CoreError) -> PrivateKeyContents {
        var reader = SSHWireReader(section)
        guard try reader.readUInt32() == reader.readUInt32() else {
            if isEncrypted { throw .wrongPassphrase(isCertain: true) }
            throw .damagedKey("the two check numbers of its private part differ")
        }
        guard try reader.readName() == publicKey.algorithm.rawValue else {
            throw .damagedKey("its public and its private part are of different types")
        }
        guard let numbers = try readNumbers(&reader) else {
            return PrivateKeyContents(algorithm: publicKey.algorithm, publicKey: publicKey)
        }
        let comment = try reader.readString()
        guard zip(reader.remaining, 1...).allSatisfy({ Int($0) == $1 }), reader.remaining.count < 256 else {
            throw .damagedKey("its padding is wrong")
        }
        let named = try SSHPublicKey(blob: publicKey.blob, comment: String(decoding: comment, as: UTF8.self))
        return PrivateKeyContents(algorithm: named.algorithm, publicKey: named, numbers: numbers)
    }

    private func readNumbers(_ reader: inout SSHWireReader) throws(CoreError) -> PrivateKeyNumbers? {
        var known = SSHWireReader(publicKey.blob)
        _ = try known.readString()
        if publicKey.algorithm == .ed25519 {
            let publicBytes = try known.readString()
            let repeated = try reader.readString()
            let both = try reader.readString()
            guard repeated == publicBytes, let seed = Ed25519Seed(both.prefix(32)), both.dropFirst(32) == publicBytes,
                seed.publicBytes.elementsEqual(publicBytes)
            else { throw Self.mismatch }
            return .ed25519(seed: Secret(Array(both.prefix(32))))
        }
        if let curve = EllipticCurve(publicKey.algorithm) {
            guard try reader.readString() == known.readString() else { throw Self.mismatch }
            let point = try known.readString()
            let repeated = try reader.readString()
            let scalar = try reader.readMPInt()
            guard repeated == point, let own = curve.publicPoint(ofScalar: scalar), own.elementsEqual(point) else {
                throw Self.mismatch
            }
            return .ecdsa(curve, scalar: Secret(Array(scalar)))
        }
        guard publicKey.algorithm == .rsa else { return nil }
        let exponent = try known.readMPInt()
        let modulus = try known.readMPInt()
        guard try reader.readMPInt() == modulus, try reader.readMPInt() == exponent else { throw Self.mismatch }
        let privateExponent = try reader.readMPInt()
        let coefficient = try reader.readMPInt()
        let p = try reader.readMPInt()
        let q = try reader.readMPInt()
        return .rsa(
            PrivateKeyNumbers.RSA(
                modulus: Array(modulus),
                publicExponent: Array(exponent),
                privateExponent: Secret(Array(privateExponent)),
                p: Secret(Array(p)),
                q: Secret(Array(q)),
                coefficient: Secret(Array(coefficient))
            )
        )
    }

    private static var mismatch: CoreError { .damagedKey("its private numbers do not belong to its public key") }
}

extension CoreError {
    /// A private key of a type that cannot be used from a file, by its name.
    package static func unsupportedKeyType(_ algorithm: SSHKeyAlgorithm) -> CoreError {
        let name = SSHPublicKey.printable(algorithm.rawValue)
        if algorithm.rawValue.hasPrefix(bytes: "sk-") {
            return .unsupportedKey(
                "The private key is of the type \(name): its secret is in a security key, and the file alone cannot sign."
            )
        }
        if algorithm.rawValue.contains("-cert-v0") {
            return .unsupportedKey("The file holds a certificate (\(name)), which is no private key.")
        }
        return .unsupportedKey(
            "The private key is of the type \(name), which cannot be used. Ed25519, ECDSA and RSA can."
        )
    }
}
