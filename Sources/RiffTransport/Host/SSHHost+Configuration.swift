// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension SSHHost {
    /// Everything needed to reach a host by SSH.
    public struct Configuration: Sendable {
        /// The address of the host's SSH server.
        public var address: HostAddress
        /// The account's name on the host.
        public var user: String
        /// Ways to prove who the user is, tried in order.
        public var credentials: [SSHCredential]
        /// Which host keys are trusted; asked after the key exchange and before anything of the user is sent.
        public var trust: HostTrust
        /// The link of the host through which this one is reached (`ssh -J`); shared by all hosts behind it.
        package var jump: HostLink?
        /// The dialer that opens the connection to ``address``: sockets of the system, unless another one is given. A
        /// host behind a jump host is reached through that one's connection, whose own dialer opens it, and not by
        /// this.
        public var dialer: any HostDialer = .network
        /// The name under which its key is pinned, where that is not its way and address (`HostKeyAlias`).
        package var knownAs: HostAddress?
        /// For the TCP connection, and again for the key exchange.
        public var connectTimeout: Duration = .seconds(10)
        /// For each step after that: authentication, opening a channel, starting a program, and the sign of life that
        /// the host gives behind a text.
        public var operationTimeout: Duration = .seconds(10)
        /// The time that a person has while one is needed to log in: to answer questions, to touch a key, to sign in on
        /// a page that the server named. It begins again with each question and each answer. A server has its own
        /// limit, OpenSSH's of two minutes for all of it (`LoginGraceTime`).
        public var personTimeout: Duration = .seconds(300)
        /// The person whom the server speaks to while it lets the user in. Without one, its words are shown nowhere but
        /// in errors, and only credentials answer questions.
        public var conversation: (any SSHConversation)?
        /// The interval between keepalives.
        public var keepAliveInterval: Duration = .seconds(15)
        /// The time that the host has to show a sign of life when the app comes to the foreground or the network
        /// changed.
        public var probeTimeout: Duration = .seconds(4)
        /// When to dial again after a loss.
        public var reconnect: ReconnectPolicy = .standard
        /// The terminal's type, told to the host as `TERM`.
        public var terminalType = "xterm-256color"
        /// Whether compression is offered to the host (`zlib@openssh.com`, after authentication): for slow links. It
        /// costs processor time at both ends, and a server that does not want it is used without.
        public var compresses = false
        /// The engine that speaks SSH with the host; the first of ``SSHEngineName/available`` if `nil`. With one that
        /// the build does not have, connecting fails with `sshUnavailable`.
        public var engine: SSHEngineName?

        /// Creates a configuration with the defaults for everything else.
        ///
        /// - Parameters:
        ///   - address: The address of the SSH server.
        ///   - user: The account.
        ///   - credentials: The ways to prove who the user is, tried in order.
        ///   - trust: The host keys that are trusted.
        ///   - jump: The host through which this one is reached (`ssh -J`).
        public init(
            address: HostAddress,
            user: String,
            credentials: [SSHCredential],
            trust: HostTrust,
            jump: SSHHost? = nil
        ) {
            self.address = address
            self.user = user
            self.credentials = credentials
            self.trust = trust
            self.jump = jump?.link
        }

        /// Under which id the host's key is pinned: the hops before it, and its address.
        public var pin: HostPin { knownAs.map { HostPin(address: $0) } ?? HostPin(address: address, via: hops) }

        private var hops: [HostAddress] {
            guard let outer = jump?.configuration else { return [] }
            return outer.hops + [outer.address]
        }

        /// Checks that this build can use one of the credentials, if there are any.
        ///
        /// - Throws: `keyUnusable`.
        package func checkCredentials() throws(TransportError) { _ = try plan.withUsableCredentials() }

        var plan: SSHConnection.Plan {
            SSHConnection.Plan(
                address: address,
                pin: pin,
                user: user,
                credentials: credentials,
                trust: trust,
                connectLimit: connectTimeout,
                operationLimit: operationTimeout,
                personLimit: personTimeout,
                keepAliveInterval: keepAliveInterval,
                compresses: compresses,
                conversation: conversation,
                engine: engine
            )
        }
    }
}
