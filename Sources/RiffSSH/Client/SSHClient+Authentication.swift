// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

extension SSHClient {
    package var isAuthenticated: Bool { authentication.isDone }

    /// Tries one credential; legal once the host key was accepted, and when no other attempt is under way. The outcome
    /// is an event.
    package mutating func authenticate(user: String, with login: SSHLogin) throws(SSHError) {
        try call { (client) throws(SSHError) in
            guard client.exchange.sessionID != nil, !client.exchange.isDeciding, !client.authentication.isDone,
                client.authentication.attempt == nil
            else { throw SSHError.notYet("authentication") }
            client.authentication.attempt = SSHAuthenticationState.Attempt(user: user, login: login, stage: .waiting)
            if client.authentication.service == .none {
                client.authentication.service = .requested
                try client.send(SSHServiceRequestMessage(service: SSHService.authentication))
            }
            // In one flight with the request for the service, unless what is to be sent depends on its answer.
            if client.authentication.service == .accepted || !Self.dependsOnExtensions(login) {
                try client.beginAttempt()
            }
        }
    }

    /// Answers questions, in their order.
    package mutating func answer(_ answers: [Secret]) throws(SSHError) {
        try call { (client) throws(SSHError) in
            guard case .answering(let count)? = client.authentication.attempt?.stage, count == answers.count else {
                throw SSHError.notYet("so many questions")
            }
            client.authentication.attempt?.stage = .sent
            try client.send(SSHAnswers(answers: answers.map(\.bytes)), isSecret: true)
        }
    }

    /// Replaces a password that has to be.
    package mutating func changePassword(to replacement: Secret) throws(SSHError) {
        try call { (client) throws(SSHError) in
            guard let attempt = client.authentication.attempt, case .changing = attempt.stage,
                case .password(let old) = attempt.login
            else { throw SSHError.notYet("password to replace") }
            client.authentication.attempt?.stage = .sent
            let method = SSHAuthenticationRequest.Method.password(old.bytes, replacement: replacement.bytes)
            try client.send(SSHAuthenticationRequest(user: attempt.user, method: method), isSecret: true)
        }
    }

    /// Gives what an outside key signed: the bytes of the algorithm, without its name.
    package mutating func provide(signature bytes: [UInt8]) throws(SSHError) {
        try call { (client) throws(SSHError) in
            guard let attempt = client.authentication.attempt, case .signing = attempt.stage,
                case .outsideKey(let key, _) = attempt.login, let algorithm = attempt.algorithm
            else { throw SSHError.notYet("signature") }
            try client.sendKey(key.blob, SSHSignature(algorithm: algorithm, bytes: bytes), algorithm)
        }
    }

    /// Takes an attempt back that waits for a person or a key; nothing is sent to the server.
    package mutating func abandonAttempt() throws(SSHError) {
        try call { (client) throws(SSHError) in
            switch client.authentication.attempt?.stage {
            case .signing?, .answering?, .changing?: client.authentication.attempt = nil
            default: throw SSHError.notYet("attempt to take back")
            }
        }
    }

    private static func dependsOnExtensions(_ login: SSHLogin) -> Bool {
        switch login {
        case .key(let key): key.algorithms.count > 1
        case .outsideKey(let key, _): key.algorithm == .rsa
        case .none, .password, .questions: false
        }
    }

    /// Of a key's algorithms the first that the server takes. Without its word the first: a server of before that word
    /// (RFC 8308) either takes both forms of RSA with SHA-2 or none.
    private func chosen(of algorithms: [SSHSignatureAlgorithm]) throws(SSHError) -> SSHSignatureAlgorithm {
        let taken = algorithms.first { extensions.signatures?.contains($0.rawValue) ?? true } ?? algorithms.first
        guard let taken else { throw SSHError(.unusableKey, "A key of this type cannot be used.") }
        return taken
    }

    mutating func beginAttempt() throws(SSHError) {
        guard let attempt = authentication.attempt, case .waiting = attempt.stage else { return }
        do throws(SSHError) {
            try begin(attempt)
        } catch {
            authentication.attempt = nil
            throw error
        }
    }

    private mutating func begin(_ attempt: SSHAuthenticationState.Attempt) throws(SSHError) {
        authentication.attempt?.stage = .sent
        switch attempt.login {
        case .none: try send(SSHAuthenticationRequest(user: attempt.user, method: .none))
        case .questions: try send(SSHAuthenticationRequest(user: attempt.user, method: .keyboardInteractive))
        case .password(let password):
            let method = SSHAuthenticationRequest.Method.password(password.bytes, replacement: nil)
            try send(SSHAuthenticationRequest(user: attempt.user, method: method), isSecret: true)
        case .key(let key):
            let algorithm = try chosen(of: key.algorithms)
            let blob = try key.publicKey().blob
            let data = signedData(attempt.user, algorithm, blob)
            try sendKey(blob, try key.signature(of: data, by: algorithm), algorithm)
        case .outsideKey(let key, let asksFirst):
            let algorithm = try chosen(
                of: SSHSignatureAlgorithm.allCases.filter { $0.keyType == key.algorithm.rawValue }
            )
            authentication.attempt?.algorithm = algorithm
            if asksFirst {
                authentication.attempt?.stage = .asked
                try sendKey(key.blob, nil, algorithm)
            } else {
                askForSignature(attempt.user, key, algorithm)
            }
        }
    }

    mutating func askForSignature(_ user: String, _ key: SSHPublicKey, _ algorithm: SSHSignatureAlgorithm) {
        authentication.attempt?.stage = .signing
        emit(.signatureNeeded(data: signedData(user, algorithm, key.blob), algorithm: algorithm))
    }

    private func signedData(_ user: String, _ algorithm: SSHSignatureAlgorithm, _ blob: [UInt8]) -> [UInt8] {
        SSHAuthenticationRequest.signedData(
            user: user,
            algorithm: algorithm,
            blob: blob,
            sessionID: exchange.sessionID ?? []
        )
    }

    private mutating func sendKey(
        _ blob: [UInt8],
        _ signature: SSHSignature?,
        _ algorithm: SSHSignatureAlgorithm
    ) throws(SSHError) {
        guard let user = authentication.attempt?.user else { return }
        if signature != nil { authentication.attempt?.stage = .sent }
        let method = SSHAuthenticationRequest.Method.publicKey(
            algorithm: algorithm.rawValue,
            blob: blob,
            signature: signature?.blob
        )
        try send(SSHAuthenticationRequest(user: user, method: method))
    }
}
