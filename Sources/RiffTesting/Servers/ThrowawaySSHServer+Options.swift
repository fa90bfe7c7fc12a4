// Riff
// SPDX-License-Identifier: Apache-2.0

extension ThrowawaySSHServer {
    /// The behavior of a throwaway `sshd`; see sshd_config(5) for each keyword. An option that is `nil` is not written,
    /// so that sshd's own default holds.
    public struct Options: Sendable {
        /// The types of its host keys, as `ssh-keygen -t` names them. The first is the one
        /// ``ThrowawayServer/hostPublicKeyLine`` tells.
        public var hostKeyTypes = ["ed25519"]
        /// `MaxSessions`: channels of one connection that are sessions.
        public var maxSessions: Int?
        /// `MaxStartups`, such as `100` or `10:30:60`: connections that are not yet authenticated.
        public var maxStartups: String?
        /// `MaxAuthTries`.
        public var maxAuthTries: Int?
        /// `RekeyLimit`, such as `1M` or `default 5s`.
        public var rekeyLimit: String?
        /// `ForceCommand`: runs instead of what the client asked for.
        public var forceCommand: String?
        /// `PasswordAuthentication`: whether the method is offered (the account's password is not ours to know).
        public var allowsPasswords = false
        /// `KbdInteractiveAuthentication`; with a ``password``, PAM asks for it.
        public var allowsKeyboardInteractive = false
        /// The account's password at this server alone, which then runs in a mount namespace of its own
        /// (``ThrowawaySSHServer/canHavePassword()``).
        public var password: String?
        /// `Ciphers`, a comma-separated list.
        public var ciphers: String?
        /// `MACs`, a comma-separated list.
        public var macs: String?
        /// `KexAlgorithms`, a comma-separated list.
        public var keyExchanges: String?
        /// `HostKeyAlgorithms`, a comma-separated list.
        public var hostKeyAlgorithms: String?
        /// `AcceptEnv` patterns.
        public var acceptedVariables: [String] = []
        /// Variables that every session gets (`SetEnv`). The values must have no space and no quote. `HOME` is an empty
        /// folder of the server's own, and `TMUX_TMPDIR` another one, unless they are given here.
        public var variables: [String: String] = [:]
        /// The file subsystem: `internal-sftp`, the path of a server, or `nil` for a host without one.
        public var sftp: String? = "internal-sftp"
        /// Another login shell (an absolute path) than the account's. sshd takes the shell from the account database,
        /// which is not ours to change; a forced command stands in: it hands every command line to this shell with
        /// `-c`, starts it as a login shell where there is no command, and sets `SHELL`. The outer shell that runs
        /// that one script is still the account's. Not together with ``forceCommand``.
        public var shell: String?
        /// `LogLevel`: `VERBOSE` names keys and methods of each login; `DEBUG3` shows every packet.
        public var logLevel = "VERBOSE"
        /// More lines for sshd_config. They stand first, and sshd takes the first value of a keyword, so they win.
        public var extraLines: [String] = []
        /// The one address on which it listens, `::1` for instance.
        package var listenAddress = "127.0.0.1"
        /// A script of `sh` that is run in a mount namespace of the server's own before it starts, such as one that
        /// mounts a home folder (``ThrowawaySSHServer/canMount()``). What is mounted must lie outside of the server's
        /// folder.
        package var mountScript: String?
        /// The time limit for each start and stop.
        public var deadline: Duration = .seconds(30)

        /// One ed25519 host key, publickey only, SFTP, sshd's defaults otherwise.
        public init() {}
    }
}

extension ThrowawaySSHServer.Options {
    /// The text of sshd_config, without the port, which is given on the command line.
    func configuration(folder: String) -> String {
        var lines = extraLines
        func add(_ keyword: String, _ value: String?) { if let value { lines.append("\(keyword) \(value)") } }
        add("ListenAddress", listenAddress)
        for type in hostKeyTypes { add("HostKey", "\(folder)/host_\(type)") }
        add("AuthorizedKeysFile", "\(folder)/authorized_keys")
        add("LogLevel", logLevel)
        add("PidFile", "none")
        add("StrictModes", "no")
        add("UsePAM", password != nil && allowsKeyboardInteractive ? "yes" : "no")
        add("UseDNS", "no")
        add("PrintMotd", "no")
        add("PrintLastLog", "no")
        add("PermitRootLogin", "yes")
        add("PubkeyAuthentication", "yes")
        add("PasswordAuthentication", allowsPasswords ? "yes" : "no")
        add("KbdInteractiveAuthentication", allowsKeyboardInteractive ? "yes" : "no")
        add("MaxSessions", maxSessions.map(String.init))
        add("MaxStartups", maxStartups)
        add("MaxAuthTries", maxAuthTries.map(String.init))
        add("RekeyLimit", rekeyLimit)
        add("Ciphers", ciphers)
        add("MACs", macs)
        add("KexAlgorithms", keyExchanges)
        add("HostKeyAlgorithms", hostKeyAlgorithms)
        if !acceptedVariables.isEmpty { add("AcceptEnv", acceptedVariables.joined(separator: " ")) }
        // The account's own start-up files have no part in a test, and may hang.
        // A tmux server of a name is this one's own: on a developer's machine the person's sessions run on `riff`.
        let standard = ["HOME": "\(folder)/home", "RIFF_THROWAWAY_SERVER": folder, "TMUX_TMPDIR": folder]
        let marked = standard.merging(variables) { $1 }
        add("SetEnv", marked.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "))
        add("Subsystem", sftp.map { "sftp \($0)" })
        add("ForceCommand", forceCommand ?? shell.map { _ in "\(folder)/login-shell" })
        return lines.map { $0 + "\n" }.joined()
    }

    /// Returns the forced command that replaces another login shell. A forced command also replaces the file subsystem,
    /// whose in-process form no other program knows, so that one is started as the program of the same code.
    func shellScript(_ shell: String, fileServer: String?) -> String {
        """
        #!/bin/sh
        SHELL='\(shell)'
        export SHELL
        case ${SSH_ORIGINAL_COMMAND-} in
            '') exec '\(shell)' -l ;;
            internal-sftp) exec \(fileServer ?? "false") ;;
        esac
        exec '\(shell)' -c "$SSH_ORIGINAL_COMMAND"

        """
    }
}
