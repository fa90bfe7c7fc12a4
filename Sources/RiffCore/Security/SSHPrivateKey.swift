// Riff
// SPDX-License-Identifier: Apache-2.0

/// A private SSH key with what is needed to use it.
///
/// Making one reads and checks the key. An encrypted one is not opened: that takes a good part of a second, and a wrong
/// passphrase shows only then. RiffTransport opens keys, at import (`opened()`) and whenever a host is dialed. An RSA
/// key is read, too; whether the engine can sign with it is the engine's to say.
///
/// Not `Codable`: it belongs into a SecretStore. Printing it shows type and fingerprint only.
public struct SSHPrivateKey: Sendable, Hashable {
    /// The key type, or `nil` where it is known only after decryption (encrypted PKCS#8, and encrypted SEC1).
    public let algorithm: SSHKeyAlgorithm?
    /// The public half: always there for OpenSSH's format, encrypted or not (encrypted it has no comment), and for
    /// unencrypted keys of the types that SSHKeyAlgorithm names; `nil` otherwise.
    public let publicKey: SSHPublicKey?
    /// The key as PEM text, tidied (line breaks and what stood around it), contents unchanged.
    public let pem: Secret
    /// The passphrase that decrypts the PEM text; `nil` for a key that is not encrypted.
    public let passphrase: Secret?

    /// Whether pem is encrypted.
    package var isEncrypted: Bool { passphrase != nil }

    /// Whether it is encrypted in the way of old PEM files, by headers before the text (RFC 1421).
    package var hasPEMEncryption: Bool {
        isEncrypted && String(decoding: pem.bytes, as: UTF8.self).contains("DEK-Info:")
    }

    /// Reads a private key: OpenSSH's format, PKCS#8, SEC1 or PKCS#1, as PEM; plain or encrypted.
    ///
    /// - Parameters:
    ///   - pem: The text. Anything around the PEM block and any line breaks are accepted.
    ///   - passphrase: What opens an encrypted key; not checked here. Ignored for a key that is not encrypted.
    /// - Throws: CoreError with `passphraseNeeded` for an encrypted key without a passphrase, `keyUnsupported` for a
    ///   type or a format that cannot be used, `invalidKey` for anything damaged, cut off or not a private key.
    public init(pem: Secret, passphrase: Secret? = nil) throws(CoreError) {
        let block = try PEMBlock(pem)
        let contents = try PrivateKeyContents(block)
        if let algorithm = contents.algorithm, !SSHKeyAlgorithm.preferenceOrder.contains(algorithm) {
            throw CoreError.unsupportedKeyType(algorithm)
        }
        let passphrase = passphrase.flatMap { $0.isEmpty ? nil : $0 }
        if contents.isEncrypted, passphrase == nil {
            let name = contents.publicKey.map { " \($0.fingerprint)" } ?? ""
            let message = "The private key\(name) is encrypted; its passphrase is needed."
            throw CoreError(.passphraseNeeded, message, recovery: .openSettings(.passphrase))
        }
        self.algorithm = contents.algorithm
        self.publicKey = contents.publicKey
        self.pem = block.text
        self.passphrase = contents.isEncrypted ? passphrase : nil
    }

    /// Creates a key from its numbers, in OpenSSH's format and not encrypted.
    package init(_ numbers: PrivateKeyNumbers, comment: String) throws(CoreError) {
        let blob = try numbers.publicBlob()
        let key = try SSHPublicKey(blob: blob, comment: comment)
        let check = UInt32.random(in: .min ... .max)
        let body = OpenSSHPrivateKeyFormat.encode(numbers, publicBlob: blob, comment: key.comment, check: check)
        self.init(algorithm: key.algorithm, publicKey: key, pem: PEMBlock(label: PEMBlock.openSSH, body: body).text)
    }

    init(algorithm: SSHKeyAlgorithm, publicKey: SSHPublicKey, pem: Secret) {
        self.algorithm = algorithm
        self.publicKey = publicKey
        self.pem = pem
        self.passphrase = nil
    }

    /// The public half of a private key, read without opening it; for showing which key a file holds before its
    /// passphrase is known.
    ///
    /// - Parameter pem: The text, as for init(pem:passphrase:).
    /// - Returns: The public half, or `nil` where the format hides it until decryption.
    /// - Throws: CoreError with `invalidKey` or `keyUnsupported`.
    public static func publicKey(inPEM pem: Secret) throws(CoreError) -> SSHPublicKey? {
        try PrivateKeyContents(PEMBlock(pem)).publicKey
    }
}

extension SSHPrivateKey: CustomStringConvertible {
    /// Type and fingerprint, nothing secret.
    public var description: String {
        publicKey?.description ?? algorithm?.rawValue ?? "an encrypted key"
    }
}
