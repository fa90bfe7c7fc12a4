// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
public import RiffCore

extension SSHConnection {
    /// Tries the credentials in their order, as far as the server takes their kind. A server may want several, one
    /// after another, and names the kind of the next only when it has the one before (RFC 4252 section 5.1). Its
    /// refusal says which; where the engine does not tell, the server is asked.
    func authenticate(_ plan: Plan) async throws {
        guard var methods = try await methods(plan) else { return }
        var isCurrent = true
        var rest = plan.credentials
        var last: SSHRefusal?
        while true {
            guard let index = rest.firstIndex(where: { $0.way(among: methods, plan) != nil }),
                let way = rest[index].way(among: methods, plan)
            else {
                guard !isCurrent, !rest.isEmpty else {
                    throw TransportError.notAuthorized(plan, offered: methods, after: last)
                }
                guard let now = try await self.methods(plan) else { return }
                methods = now
                isCurrent = true
                continue
            }
            let credential = rest.remove(at: index)
            guard let refusal = try await refusal(of: credential, way, plan) else { return }
            if let next = refusal.methods { methods = next }
            isCurrent = refusal.methods != nil
            last = refusal
        }
    }

    private func methods(_ plan: Plan) async throws -> [String]? {
        try await perform("Asking for authentication methods", within: loginLimit(plan), isLogin: true) {
            (engine, done: @escaping (Result<[String]?, TransportError>) -> Void) in
            engine.authenticationMethods(user: plan.user, completion: done)
        }
    }

    /// A step's limit: a person's where the server named a page to sign in on.
    private func loginLimit(_ plan: Plan) -> Duration { hasHeardLink ? plan.personLimit : plan.operationLimit }

    /// The time that a server may take without a word while a person approves elsewhere: a push to a telephone is good
    /// for a minute as a rule. A connection that died meanwhile is detected as late.
    private var silentLimit: Duration { .seconds(75) }

    /// Tries one credential.
    ///
    /// - Returns: `nil` if it was accepted.
    private func refusal(
        of credential: SSHCredential,
        _ way: SSHCredential.Way,
        _ plan: Plan
    ) async throws -> SSHRefusal? {
        let credential = try await credential.opened()
        let outside = OutsideTask()
        defer { outside.cancel() }
        let engineCredential = credential.forEngine(self, by: way, outside, plan)
        // A person may have to touch a sensor, type a code or approve on a telephone.
        let limit =
            credential.mayNeedPerson ? max(loginLimit(plan), min(plan.personLimit, silentLimit)) : loginLimit(plan)
        let outcome: SSHAuthenticationOutcome
        do {
            outcome = try await perform("Authentication", within: limit, isLogin: true) {
                (engine, done: @escaping (Result<SSHAuthenticationOutcome, TransportError>) -> Void) in
                engine.authenticate(user: plan.user, with: engineCredential, completion: done)
            }
        } catch let error as TransportError where outside.isPassedOver && error.code == .noUsableCredential {
            return SSHRefusal()
        }
        switch outcome {
        case .accepted: return nil
        case .refused(let refusal): return refusal
        case .passwordExpired:
            let message =
                "\(plan.pin) lets \(plan.user) in only with a new password: the one that was given has expired. Change it "
                + "in a terminal, with ssh \(plan.user)@\(plan.address.name) or on the host itself, and then connect again."
            throw TransportError(.notAuthorized, message, recovery: .openSettings(.user))
        }
    }

    // MARK: The server's words

    /// Takes what the server said. It is held until the host's key was verified, and never told if that fails.
    func hear(_ words: [SSHEngineWords]) {
        heldWords += words
        tellWords()
    }

    /// Tells what is held.
    func tellWords() {
        guard let talk else { return }
        let words = heldWords
        heldWords = []
        for words in words where talk.tell(words) {
            hasHeardLink = true
            extendLogin?(talk.personLimit)
        }
    }
}

extension TransportError {
    static func notAuthorized(
        _ plan: SSHConnection.Plan,
        offered: [String],
        after refusal: SSHRefusal?
    ) -> TransportError {
        let key = plan.credentials.lazy.compactMap(\.publicKey).first
        let methods = InertText.quote(offered.joined(separator: ", "))
        guard let refusal else {
            let message = "\(plan.pin) takes \(methods) for \(plan.user), and none of these was given."
            return TransportError(.noUsableCredential, message, recovery: .openSettings(.key))
        }
        if refusal.isPartialSuccess {
            let message =
                "\(plan.pin) accepted what was given for \(plan.user) and wants more: \(methods), and none of these was "
                + "given."
            return TransportError(.noUsableCredential, message, recovery: .openSettings(.user))
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
    /// The server takes no method for which a credential was given, or wants an answer that was not given.
    public static let noUsableCredential = TransportError.Code(rawValue: "noUsableCredential")
    /// A person was needed to log in, and did not do their part in time.
    public static let personAbsent = TransportError.Code(rawValue: "personAbsent")
}
