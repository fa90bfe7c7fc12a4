// Riff
// SPDX-License-Identifier: Apache-2.0

extension HostProfiles {
    /// A host's own key, as every connection to it uses it.
    ///
    /// - Throws: ``CoreError`` with `keyNotFound`, `invalidKey`, `keyUnsupported` or `passphraseNeeded`; what the store
    ///   throws.
    public func key(of profile: HostProfile) async throws -> SSHPrivateKey { try await key(profile.keyID) }

    /// A key by its id.
    ///
    /// - Throws: As ``key(of:)``.
    public func key(_ id: RiffIdentifier) async throws -> SSHPrivateKey {
        guard let pem = try await secrets.secret(for: Self.keyName(id)) else {
            let message = "The private key of this host is not on this device. Make or import one, and authorize it."
            throw CoreError(.keyNotFound, message, recovery: .keySettings)
        }
        return try SSHPrivateKey(pem: pem, passphrase: try await secrets.secret(for: Self.passphraseName(id)))
    }

    /// Keeps a key under an id of its own. It never takes the place of another.
    ///
    /// - Returns: The id, for ``HostProfile/keyID``.
    /// - Throws: What the store throws.
    public func addKey(_ key: SSHPrivateKey) async throws -> RiffIdentifier {
        let id = RiffIdentifier.random()
        // The passphrase first: a key without it would be one that cannot be opened.
        if let passphrase = key.passphrase { try await secrets.set(passphrase, for: Self.passphraseName(id)) }
        try await secrets.set(key.pem, for: Self.keyName(id))
        return id
    }

    /// Removes a key that no host uses; one that is used stays.
    ///
    /// - Throws: What the stores throw.
    public func discardKey(_ id: RiffIdentifier) async throws {
        let listing = try await list()
        // One that cannot be read may use it.
        guard listing.problems.isEmpty, !listing.profiles.contains(where: { $0.keyID == id }) else { return }
        try await secrets.remove(Self.keyName(id))
        try await secrets.remove(Self.passphraseName(id))
    }

    private static func keyName(_ id: RiffIdentifier) -> String { "riff.key.\(id)" }
    private static func passphraseName(_ id: RiffIdentifier) -> String { "riff.passphrase.\(id)" }
}

extension CoreErrorCode {
    /// There is no private key under an id.
    public static let keyNotFound = CoreError.Code(rawValue: "keyNotFound")
}
