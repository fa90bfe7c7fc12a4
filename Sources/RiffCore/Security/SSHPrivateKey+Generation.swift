// Riff
// SPDX-License-Identifier: Apache-2.0

extension SSHPrivateKey {
    /// A new Ed25519 key from the system's secure random source, in OpenSSH's format, not encrypted.
    ///
    /// - Parameter comment: What people call the key; it stands in the key file and at the end of its public line.
    /// - Returns: The key. Keep it in a SecretStore.
    public static func makeEd25519(comment: String = "") -> SSHPrivateKey {
        let seed = Ed25519Seed()
        let comment = SSHPublicKey.printable(comment)
        let check = UInt32.random(in: .min ... .max)
        let body = OpenSSHPrivateKeyFormat.encode(
            .ed25519(seed: Secret(seed.bytes)),
            publicBlob: seed.publicBlob,
            comment: comment,
            check: check
        )
        let publicKey = SSHPublicKey(ed25519: seed, comment: comment)
        return SSHPrivateKey(
            algorithm: .ed25519,
            publicKey: publicKey,
            pem: PEMBlock(label: PEMBlock.openSSH, body: body).text
        )
    }
}

extension SecretStore {
    /// The Ed25519 key kept under a name, made and kept at the first call. Of calls that race for the first one, also
    /// in other processes where the store allows them, all get the same key.
    ///
    /// - Parameters:
    ///   - name: The secret's name in the store.
    ///   - comment: The comment of a key that is made now.
    /// - Returns: The key. One that was put there by hand may be of any type, but not encrypted.
    /// - Throws: What the store throws; CoreError with `invalidKey` or `passphraseNeeded` for what is kept there.
    public func privateKey(named name: String, comment: String = "") async throws -> SSHPrivateKey {
        if let kept = try await secret(for: name) { return try SSHPrivateKey(pem: kept) }
        let made = SSHPrivateKey.makeEd25519(comment: comment)
        return try await SSHPrivateKey(pem: insert(made.pem, for: name))
    }
}
