// Riff
// SPDX-License-Identifier: Apache-2.0

/// OpenSSH's own private key format, `openssh-key-v1` (OpenSSH's PROTOCOL.key).
enum OpenSSHPrivateKeyFormat {
    private static let magic = Array("openssh-key-v1\0".utf8)

    /// Reads and checks a key. Of an encrypted one only the clear part can be checked.
    static func contents(of bytes: [UInt8]) throws(CoreError) -> PrivateKeyContents {
        var reader = SSHWireReader(bytes)
        guard try reader.readBytes(magic.count).elementsEqual(magic) else { throw DERReader.damaged }
        let cipher = try reader.readName()
        let derivation = try reader.readName()
        let options = try reader.readString()
        guard try reader.readUInt32() == 1 else {
            throw CoreError(.invalidKey, "The file holds several keys; one is expected.", recovery: .keySettings)
        }
        let publicBlob = Array(try reader.readString())
        let section = try reader.readString()
        let publicKey = try SSHPublicKey(blob: publicBlob)
        if cipher == "none" {
            guard derivation == "none", options.isEmpty, reader.isAtEnd else { throw DERReader.damaged }
            let comment = try checkPrivateSection(section, against: publicKey)
            let named = try SSHPublicKey(blob: publicBlob, comment: comment)
            return PrivateKeyContents(algorithm: named.algorithm, publicKey: named, isEncrypted: false)
        }
        // The tag of an AEAD cipher follows the section: 16 bytes for AES-GCM and ChaCha20-Poly1305.
        guard derivation == "bcrypt", !section.isEmpty, [0, 16].contains(reader.remaining.count) else {
            throw DERReader.damaged
        }
        var parameters = SSHWireReader(options)
        guard try !parameters.readString().isEmpty, try parameters.readUInt32() > 0, parameters.isAtEnd else {
            throw DERReader.damaged
        }
        return PrivateKeyContents(algorithm: publicKey.algorithm, publicKey: publicKey, isEncrypted: true)
    }

    /// Writes an unencrypted Ed25519 key. `check` is any number; it stands twice, so that decryption can be verified.
    static func encode(_ seed: Ed25519Seed, comment: String, check: UInt32) -> [UInt8] {
        var section = SSHWireWriter()
        section.write(uint32: check)
        section.write(uint32: check)
        section.write(raw: seed.publicBlob)
        section.write(string: seed.bytes + seed.publicBytes)
        section.write(text: comment)
        // Filled up to 8 bytes, the block size of "no cipher", with 1, 2, 3...
        var filler: UInt8 = 0
        while section.bytes.count % 8 != 0 {
            filler += 1
            section.write(byte: filler)
        }
        var writer = SSHWireWriter()
        writer.write(raw: magic)
        writer.write(text: "none")
        writer.write(text: "none")
        writer.write(text: "")
        writer.write(uint32: 1)
        writer.write(string: seed.publicBlob)
        writer.write(string: section.bytes)
        return writer.bytes
    }

    /// Checks that the private numbers belong to the public key, and returns the comment.
    private static func checkPrivateSection(
        _ section: ArraySlice<UInt8>,
        against publicKey: SSHPublicKey
    ) throws(CoreError) -> String {
        var reader = SSHWireReader(section)
        guard try reader.readUInt32() == reader.readUInt32() else { throw DERReader.damaged }
        guard try reader.readName() == publicKey.algorithm.rawValue else { throw DERReader.damaged }
        var known = SSHWireReader(publicKey.blob)
        _ = try known.readString()
        if publicKey.algorithm == .ed25519 {
            let publicBytes = try known.readString()
            guard try reader.readString() == publicBytes else { throw DERReader.damaged }
            let both = try reader.readString()
            guard let seed = Ed25519Seed(both.prefix(32)), both.dropFirst(32) == publicBytes,
                seed.publicBytes.elementsEqual(publicBytes)
            else { throw DERReader.damaged }
        } else if let curve = EllipticCurve(publicKey.algorithm) {
            guard try reader.readString() == known.readString() else { throw DERReader.damaged }
            let point = try known.readString()
            guard try reader.readString() == point, let own = curve.publicPoint(ofScalar: try reader.readMPInt()),
                own.elementsEqual(point)
            else { throw DERReader.damaged }
        } else if publicKey.algorithm == .rsa {
            let exponent = try known.readMPInt()
            guard try reader.readMPInt() == known.readMPInt(), try reader.readMPInt() == exponent else {
                throw DERReader.damaged
            }
            for _ in ["d", "1/q mod p", "p", "q"] { _ = try reader.readMPInt() }
        } else {
            // A type without a private format known here; the engine says whether it can use it.
            return ""
        }
        let comment = try reader.readString()
        guard zip(reader.remaining, 1...).allSatisfy({ Int($0) == $1 }), reader.remaining.count < 256 else {
            throw DERReader.damaged
        }
        return String(decoding: comment, as: UTF8.self)
    }
}
