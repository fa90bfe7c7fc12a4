// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The keys that ssh_config names for a host: of the ssh-agent, and of files.
///
/// In OpenSSH's order: keys of the agent that are named by a file, the agent's others unless `IdentitiesOnly` is set,
/// then files whose keys the agent does not have.
struct SSHConfigIdentities: Sendable {
    /// Which files there are where the configuration names none.
    private static let standard = ["~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.ssh/id_rsa"]

    let files: SSHConfigFiles
    let passphrase: @Sendable (String) async -> Secret?

    /// The identity files of a host.
    static func files(of values: SSHConfigValues) -> [String] {
        values.identityFiles.isEmpty ? standard : values.identityFiles.filter { $0 != "none" }
    }

    func credentials(of values: SSHConfigValues, _ tokens: SSHConfigTokens) async throws -> [SSHCredential] {
        let held = try await agentKeys(of: values, tokens)
        var named: [SSHPublicKey] = []
        var own: [SSHCredential] = []
        for file in Self.files(of: values) {
            let path = try tokens.path(file, for: "IdentityFile")
            let publicKey = try await publicKey(of: path)
            if let publicKey { named.append(publicKey) }
            if let publicKey, held.contains(where: { $0.publicKey == publicKey }) { continue }
            if let key = try await privateKey(in: path) { own.append(.key(key)) }
        }
        let first = held.filter { named.contains($0.publicKey) }
        let rest = values.identitiesOnly == true ? [] : held.filter { !named.contains($0.publicKey) }
        return (first + rest).map { .signer($0) } + own
    }

    private func agentKeys(of values: SSHConfigValues, _ tokens: SSHConfigTokens) async throws -> [any SSHSigner] {
        let agent: SSHAgent
        do {
            switch values.identityAgent {
            case "none": return []
            case nil, "SSH_AUTH_SOCK": agent = try SSHAgent()
            case let path?: agent = try SSHAgent(socket: tokens.path(path, for: "IdentityAgent"))
            }
            return try await agent.signers()
        } catch let error as TransportError where error.code == .agentUnavailable || error.code == .agentRefused {
            // As with `ssh`: there are files.
            return []
        }
    }

    /// The public half of a file, from the one beside it where it has one: an encrypted file need not be opened.
    private func publicKey(of path: String) async throws -> SSHPublicKey? {
        for name in ["\(path).pub", path] {
            guard let bytes = try await files.text(of: name) else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            if let key = try? SSHPublicKey(line: text.trimmingLines) { return key }
            // No public key: the private one may show it.
            if let key = try? SSHPrivateKey.publicKey(inPEM: Secret(text)) { return key }
        }
        return nil
    }

    private func privateKey(in path: String) async throws -> SSHPrivateKey? {
        // Several are named for several machines; one that is not here is none.
        guard let bytes = try await files.text(of: path) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        // A file with a public key names a key of the agent's.
        guard (try? SSHPublicKey(line: text.trimmingLines)) == nil else { return nil }
        let pem = Secret(text)
        do {
            return try SSHPrivateKey(pem: pem)
        } catch {
            // As with `ssh`: the file of a security key is passed over.
            if error.code == .keyUnsupported { return nil }
            guard error.code == .passphraseNeeded else { throw error }
            guard let secret = await passphrase(path) else { return nil }
            return try SSHPrivateKey(pem: pem, passphrase: secret)
        }
    }
}

extension String {
    /// The text without line breaks at its end.
    fileprivate var trimmingLines: String {
        var bytes = utf8[...]
        while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(bytes) ?? self
    }
}
