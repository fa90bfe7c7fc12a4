// Riff
// SPDX-License-Identifier: Apache-2.0

/// A private SSH key with what is needed to use it.
///
/// Making one reads and checks the key; encrypted keys are opened by the SSH engine when they are used, because
/// deriving their cipher key (bcrypt) is not done here: a wrong passphrase shows only then. An RSA key is read, too;
/// whether the engine can sign with it is the engine's to say.
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
    /// What opens pem; `nil` for a key that is not encrypted.
    public let passphrase: Secret?

    /// Whether pem is encrypted.
    package var isEncrypted: Bool { passphrase != nil }

    /// Reads a private key: OpenSSH's format, PKCS#8, SEC1 or PKCS#1, as PEM; plain or encrypted.
    ///
    /// - Parameters:
    ///   - pem: The text. Anything around the PEM block and any line breaks are accepted.
    ///   - passphrase: What opens an encrypted key; not checked here. Ignored for a key that is not encrypted.
    /// - Throws: CoreError with `passphraseNeeded` for an encrypted key without a passphrase, `invalidKey` for
    ///   anything damaged, cut off or not a private key.
    public init(pem: Secret, passphrase: Secret? = nil) throws(CoreError) {
        let block = try PEMBlock(pem)
        let contents = try PrivateKeyContents(block)
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
    /// - Throws: CoreError with `invalidKey`.
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

extension CoreErrorCode {
    /// A private key is encrypted and no passphrase was given.
    public static let passphraseNeeded = CoreError.Code(rawValue: "passphraseNeeded")
}
