// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
public import RiffCore

extension SSHConnection {
    /// What a dial needs to know.
    package struct Plan: Sendable {
        package var address: HostAddress
        /// Under which id its key is pinned.
        package var pin: HostPin
        package var user: String
        package var credentials: [SSHCredential]
        package var trust: HostTrust
        package var connectLimit: Duration
        package var operationLimit: Duration
        package var keepAliveInterval: Duration
        package var compresses = false
    }

    /// Connects, exchanges keys, verifies the host key, and only then authenticates.
    ///
    /// - Parameters:
    ///   - plan: Where and as whom.
    ///   - wire: What carries it, connected.
    ///   - loop: Where the connection lives; the wire's.
    ///   - thread: The loop's owner, where it is not shared.
    ///   - attach: Gives the connection to the wire; called on the loop.
    /// - Returns: A connection that takes channels.
    /// - Throws: `TransportError` and `CoreError` as their codes say; the connection is then closed.
    static func dial(
        _ plan: Plan,
        wire: NIOLoopBound<any SSHWire>,
        on loop: any EventLoop,
        thread: SSHThread? = nil,
        attach: @escaping @Sendable (SSHConnection) -> Void
    ) async throws -> SSHConnection {
        let connection = try await loop.submit {
            let connection = SSHConnection(
                engine: try SSHEngines.make(),
                wire: wire,
                loop: loop,
                thread: thread,
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
        let algorithms = SSHAlgorithms(
            libssh2: SSHEngines.libssh2Version,
            preferredHostKeys: preferred,
            compresses: plan.compresses
        )
        let handshake = try await perform("The key exchange", within: plan.connectLimit) {
            (engine, done: @escaping (Result<SSHHandshake, TransportError>) -> Void) in
            engine.handshake(with: "\(plan.pin)", preferring: algorithms, completion: done)
        }
        gatesCommands = SSHCommandGate.isNeeded(by: handshake.serverVersion)
        try await plan.trust.verify(handshake.hostKey, for: plan.pin)
        try await authenticate(plan)
        startKeepAlive(every: plan.keepAliveInterval)
    }

    // MARK: Authentication

    /// Tries the credentials in their order, as far as the server takes their kind. A server may want several, one
    /// after another, and names the kind of the next only when it has the one before (RFC 4252, 5.1); so it is asked
    /// again while there are credentials of a kind that it did not name.
    private func authenticate(_ plan: Plan) async throws {
        var rest = plan.credentials
        var wasTried = false
        while true {
            guard let methods = try await methods(plan) else { return }
            let usable = rest.filter { methods.contains($0.method) }
            rest.removeAll { methods.contains($0.method) }
            for credential in usable {
                if try await isAccepted(credential, plan) { return }
                wasTried = true
            }
            guard !usable.isEmpty, !rest.isEmpty else {
                throw TransportError.notAuthorized(plan, offered: methods, wasTried: wasTried)
            }
        }
    }

    private func methods(_ plan: Plan) async throws -> [String]? {
        try await perform("Asking for authentication methods", within: plan.operationLimit) {
            (engine, done: @escaping (Result<[String]?, TransportError>) -> Void) in
            engine.authenticationMethods(user: plan.user, completion: done)
        }
    }

    private func isAccepted(_ credential: SSHCredential, _ plan: Plan) async throws -> Bool {
        let outside = OutsideTask()
        let engineCredential = credential.forEngine(self, outside)
        // A person may have to touch a sensor or type a code.
        let limit = credential.needsPerson ? Duration.seconds(120) : plan.operationLimit
        // Cancelled here and not by the operation: the loop itself may be waiting for the person's answer.
        let outcome = try await withTaskCancellationHandler {
            try await perform("Authentication", within: limit) {
                (engine, done: @escaping (Result<SSHAuthenticationOutcome, TransportError>) -> Void) in
                engine.authenticate(user: plan.user, with: engineCredential, completion: done)
            }
        } onCancel: {
            outside.cancel()
        }
        // Who gave no answers is not to hear that they were wrong.
        if let error = outside.failure {
            let message = "\(plan.pin) asked \(plan.user) for an answer, and none was given: \(error)."
            throw TransportError(.noUsableCredential, message, recovery: .retry, cause: error)
        }
        if outcome == .passwordExpired {
            let message =
                "\(plan.pin) lets \(plan.user) in only with a new password: the one that was given has expired. Change it "
                + "in a terminal, with ssh \(plan.user)@\(plan.address.name) or on the host itself, and then connect again."
            throw TransportError(.notAuthorized, message, recovery: .openSettings(.user))
        }
        return outcome == .accepted
    }
}

extension SSHConnection.Plan {
    /// Without the keys that this build cannot use. libssh2 before 1.11 signs for RSA user keys with SHA-1 only, which
    /// no server of today takes: that is said before anything is dialed, instead of letting it look like a wrong key.
    ///
    /// - Throws: `keyUnusable` where nothing else is left.
    func withUsableCredentials() throws(TransportError) -> SSHConnection.Plan {
        guard !SSHEngines.signsRSAWithSHA2 else { return self }
        var plan = self
        plan.credentials.removeAll { $0.publicKeyAlgorithm == .rsa }
        guard plan.credentials.isEmpty, !credentials.isEmpty else { return plan }
        let message =
            "The RSA key cannot be used with \(pin): this version of libssh2 signs RSA with SHA-1 only, which servers "
            + "refuse. Use an ed25519 key."
        throw TransportError(.keyUnusable, message, recovery: .openSettings(.key))
    }
}

extension TransportError {
    static func notAuthorized(_ plan: SSHConnection.Plan, offered: [String], wasTried: Bool) -> TransportError {
        let key = plan.credentials.lazy.compactMap(\.publicKey).first
        guard wasTried else {
            let methods = InertText.quote(offered.joined(separator: ", "))
            let message = "\(plan.pin) takes \(methods) for \(plan.user), and none of these was given."
            return TransportError(.noUsableCredential, message, recovery: .openSettings(.key))
        }
        guard let key else {
            let message = "\(plan.pin) did not accept \(plan.user)'s credentials. Check the user name and the password."
            return TransportError(.notAuthorized, message, recovery: .openSettings(.user))
        }
        let message =
            "Key not authorized: \(plan.pin) does not accept the key \(key.fingerprint) for \(plan.user). "
            + "Add the public key on the host (the command is given with this error), and check the user name."
        return TransportError(.notAuthorized, message, recovery: .authorizeKey(command: key.authorizeCommand))
    }
}

extension TransportErrorCode {
    /// The server refused every credential.
    public static let notAuthorized = TransportError.Code(rawValue: "notAuthorized")
    /// The server takes no method for which a credential was given.
    public static let noUsableCredential = TransportError.Code(rawValue: "noUsableCredential")
}
