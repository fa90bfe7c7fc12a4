// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
public import RiffCore

extension SSHConnection {
    /// The values that a dial needs.
    package struct Plan: Sendable {
        package var address: HostAddress
        /// Under which id its key is pinned.
        package var pin: HostPin
        package var user: String
        package var credentials: [SSHCredential]
        package var trust: HostTrust
        package var connectLimit: Duration
        package var operationLimit: Duration
        /// The time that a person has if one is needed.
        package var personLimit: Duration = .seconds(300)
        package var keepAliveInterval: Duration
        package var compresses = false
        package var conversation: (any SSHConversation)?
        /// The engine; the build's first unless named.
        package var engine: SSHEngineName?
    }

    /// Connects, exchanges keys, verifies the host key, and only then authenticates.
    ///
    /// - Parameters:
    ///   - plan: Where and as whom.
    ///   - wire: What carries it, connected.
    ///   - loop: Where the connection lives; the wire's.
    ///   - attach: Gives the connection to the wire; called on the loop.
    /// - Returns: A connection that takes channels.
    /// - Throws: `TransportError` and `CoreError` as their codes say; the connection is then closed.
    static func dial(
        _ plan: Plan,
        wire: NIOLoopBound<any SSHWire>,
        on loop: any EventLoop,
        attach: @escaping @Sendable (SSHConnection) -> Void
    ) async throws -> SSHConnection {
        let connection = try await loop.submit {
            let connection = SSHConnection(
                engine: try SSHEngines.make(plan.engine),
                wire: wire,
                loop: loop,
                pin: plan.pin
            )
            attach(connection)
            return connection
        }.get()
        do {
            try await connection.establish(plan)
            return connection
        } catch {
            let reason = error as? TransportError ?? TransportError(.closed, "The connection was not established.")
            await connection.close(reason)
            throw error
        }
    }

    private func establish(_ plan: Plan) async throws {
        let preferred = try await plan.trust.preferredAlgorithms(for: plan.pin)
        let algorithms = engine.info.algorithms.adapted(to: preferred, compresses: plan.compresses)
        let handshake = try await perform("The key exchange", within: plan.connectLimit) {
            (engine, done: @escaping (Result<SSHHandshake, TransportError>) -> Void) in
            engine.handshake(with: "\(plan.pin)", preferring: algorithms, completion: done)
        }
        gatesCommands = SSHCommandGate.isNeeded(by: handshake.serverVersion)
        try await plan.trust.verify(handshake.hostKey, for: plan.pin, askedFor: algorithms.hostKeyTypes)
        talk = SSHLoginTalk(plan)
        defer { talk = nil }
        tellWords()
        try await authenticate(plan)
        startKeepAlive(every: plan.keepAliveInterval)
    }
}

extension SSHConnection.Plan {
    /// Without the keys that this build cannot use. libssh2 before 1.11 signs for RSA user keys with SHA-1 only, which
    /// no server of today takes: that is said before anything is dialed, instead of letting it look like a wrong key.
    ///
    /// - Throws: `keyUnusable` where nothing else is left.
    func withUsableCredentials() throws(TransportError) -> SSHConnection.Plan {
        let info = try SSHEngines.info(of: engine)
        guard !info.capabilities.contains(.signsRSAWithSHA2) else { return self }
        var plan = self
        plan.credentials.removeAll { $0.publicKeyAlgorithm == .rsa }
        guard plan.credentials.isEmpty, !credentials.isEmpty else { return plan }
        let message =
            "The RSA key cannot be used with \(pin): \(info.engine.rawValue) \(info.version) signs RSA with SHA-1 only, which "
            + "servers refuse. Use an ed25519 key."
        throw TransportError(.keyUnusable, message, recovery: .openSettings(.key))
    }
}
