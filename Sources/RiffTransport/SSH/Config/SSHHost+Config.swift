// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension SSHHost {
    /// Creates a host from what a person's ssh_config says of it, as `ssh ALIAS` would reach it.
    ///
    /// Followed are `Host`, `Match` by host, originalhost, user and localuser, `Include` (1,024 files altogether),
    /// `HostName`, `User`, `Port`, `IdentityFile`, `IdentitiesOnly`, `IdentityAgent`, `ProxyJump`, `ProxyCommand` (run
    /// by `/bin/sh`), `UserKnownHostsFile` and `HostKeyAlias`. What changes neither the way nor who is let in is passed
    /// over; anything else that counts for this host is an error, which names the file and the line. The files are read
    /// once, now.
    ///
    /// - Parameters:
    ///   - alias: The name, as one would give it to `ssh`.
    ///   - files: The configuration files, the one that counts first first; one that is missing says nothing.
    ///   - trust: Which host keys are trusted; unless said, those in the person's known_hosts files.
    ///   - credentials: Further ways to prove who the user is, behind the identity files.
    ///   - conversation: The person whom the servers on the way and at its end speak to, and ask after the other ways.
    ///   - passphrase: Opens an encrypted identity file; one that is not opened is not used.
    /// - Throws: `TransportError` with `sshConfigUnreadable`, or `noUsableCredential` where no identity file is there
    ///   and none of `credentials`; `CoreError` with `invalidHost` or `jumpLoop`, and what its key files are refused
    ///   with.
    public init(
        alias: String,
        files: [String] = ["~/.ssh/config", "/etc/ssh/ssh_config"],
        trust: HostTrust? = nil,
        credentials: [SSHCredential] = [],
        conversation: (any SSHConversation)? = nil,
        passphrase: @escaping @Sendable (_ file: String) async -> Secret? = { _ in nil }
    ) async throws {
        let home = LocalAccount.home()
        let user = LocalAccount.name()
        let maker = SSHConfigHostMaker(
            files: SSHConfigFiles(files, home: home, user: user),
            home: home,
            localUser: user,
            trust: trust,
            credentials: credentials + (conversation == nil ? [] : [.questions]),
            conversation: conversation,
            passphrase: passphrase
        )
        self = try await maker.host(alias, hop: nil, before: [])
    }
}
