// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Makes hosts, with the hops before them, from what ssh_config files say.
struct SSHConfigHostMaker: Sendable {
    /// Most hops on the way to a host.
    private static let longest = 8

    let files: SSHConfigFiles
    let home: String
    let localUser: String
    let trust: HostTrust?
    let credentials: [SSHCredential]
    let conversation: (any SSHConversation)?
    let passphrase: @Sendable (String) async -> Secret?

    /// Makes one host.
    ///
    /// - Parameters:
    ///   - alias: The name to look up.
    ///   - hop: What the hop that named it says of it itself.
    ///   - outer: The names that led here, for a way that comes back to itself.
    ///   - jump: The hop before it, where it is one of several.
    /// - Returns: The host; nothing is dialed.
    /// - Throws: As ``SSHHost/init(alias:files:trust:credentials:passphrase:)``.
    func host(_ alias: String, hop: SSHConfigHop?, before outer: [String], jump: SSHHost? = nil) async throws -> SSHHost
    {
        guard !outer.contains(alias), outer.count < Self.longest else {
            let way = (outer + [alias]).map { InertText.line($0) }.joined(separator: " -> ")
            throw CoreError(.jumpLoop, "The way to \(InertText.line(outer.first ?? alias)) never ends: \(way).")
        }
        let values = try await files.values(for: alias)
        let user = hop?.user ?? values.user ?? localUser
        let address = try HostAddress(values.resolvedHostName, port: hop?.port ?? values.port ?? 22)
        let tokens = SSHConfigTokens(
            home: home,
            localUser: localUser,
            alias: alias,
            hostName: values.resolvedHostName,
            port: address.port,
            user: user
        )
        var configuration = SSHHost.Configuration(
            address: address,
            user: user,
            credentials: try await SSHConfigIdentities(files: files, passphrase: passphrase)
                .credentials(of: values, tokens) + credentials,
            trust: try trust ?? .onlyKnown(knownHosts(of: values, tokens)),
            jump: try await hops(before: values, outer + [alias], jump)
        )
        if let dialer = try dialer(of: values, tokens), jump == nil { configuration.dialer = dialer }
        guard !configuration.credentials.isEmpty else {
            let tried = SSHConfigIdentities.files(of: values).map { InertText.line($0) }.joined(separator: ", ")
            throw TransportError(
                .noUsableCredential,
                "No key for \(InertText.line(alias)) can be used; tried \(tried), and the ssh-agent where there is one."
            )
        }
        configuration.conversation = conversation
        // As OpenSSH names it in known_hosts, whatever lies on the way.
        configuration.knownAs = try values.hostKeyAlias.map { try HostAddress($0) } ?? address
        return SSHHost(configuration)
    }

    /// The hops of `ProxyJump`; of the first one, its own way counts as well.
    private func hops(before values: SSHConfigValues, _ outer: [String], _ given: SSHHost?) async throws -> SSHHost? {
        if let given { return given }
        var last: SSHHost?
        for hop in values.proxyJump ?? [] {
            last = try await host(hop.host, hop: hop, before: outer, jump: last)
        }
        return last
    }

    /// The command of `ProxyCommand`, with what it may be told.
    private func dialer(of values: SSHConfigValues, _ tokens: SSHConfigTokens) throws -> (any HostDialer)? {
        guard let command = values.proxyCommand, !command.isEmpty else { return nil }
        do {
            return try CommandDialer(command, user: tokens.user, name: tokens.alias)
        } catch {
            let message = "The `ProxyCommand` of \(InertText.line(values.alias)) cannot be run: \(error.message)"
            throw TransportError(.sshConfigUnreadable, message, cause: error)
        }
    }

    private func knownHosts(of values: SSHConfigValues, _ tokens: SSHConfigTokens) throws -> any HostKeyStore {
        guard let named = values.userKnownHostsFiles else {
            let own = ["known_hosts2"].map { "\(home)/.ssh/\($0)" }
            return HostKeyFiles("\(home)/.ssh/known_hosts", own + ["/etc/ssh/ssh_known_hosts"])
        }
        let paths = try named.map { try tokens.path($0, for: "UserKnownHostsFile") }
        guard let first = paths.first else { return InMemoryHostKeyStore() }
        return HostKeyFiles(first, Array(paths.dropFirst()))
    }
}
