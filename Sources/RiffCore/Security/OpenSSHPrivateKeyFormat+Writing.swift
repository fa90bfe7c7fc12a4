// Riff
// SPDX-License-Identifier: Apache-2.0

extension OpenSSHPrivateKeyFormat {
    /// Writes a key that is not encrypted.
    ///
    /// - Parameters:
    ///   - numbers: The numbers.
    ///   - publicBlob: Their public half.
    ///   - comment: What people call the key.
    ///   - check: Any number; it is there twice, so that decryption can be verified.
    /// - Returns: The file's bytes, without PEM.
    static func encode(_ numbers: PrivateKeyNumbers, publicBlob: [UInt8], comment: String, check: UInt32) -> [UInt8] {
        var section = SSHWireWriter()
        section.write(uint32: check)
        section.write(uint32: check)
        switch numbers {
        case .ed25519(let seed):
            section.write(raw: publicBlob)
            section.write(string: seed.bytes + publicBlob.suffix(32))
        case .ecdsa(_, let scalar):
            section.write(raw: publicBlob)
            section.write(mpint: scalar.bytes)
        case .rsa(let rsa):
            // The other way round than in the public half.
            section.write(text: SSHKeyAlgorithm.rsa.rawValue)
            section.write(mpint: rsa.modulus)
            section.write(mpint: rsa.publicExponent)
            for number in [rsa.privateExponent, rsa.coefficient, rsa.p, rsa.q] { section.write(mpint: number.bytes) }
        }
        section.write(text: comment)
        // Filled up to 8 bytes, the block size of "no cipher", with 1, 2, 3...
        var filler: UInt8 = 0
        while section.bytes.count % 8 != 0 {
            filler += 1
            section.write(byte: filler)
        }
        var writer = SSHWireWriter()
        writer.write(raw: Array("openssh-key-v1\0".utf8))
        writer.write(text: "none")
        writer.write(text: "none")
        writer.write(text: "")
        writer.write(uint32: 1)
        writer.write(string: publicBlob)
        writer.write(string: section.bytes)
        return writer.bytes
    }
}
