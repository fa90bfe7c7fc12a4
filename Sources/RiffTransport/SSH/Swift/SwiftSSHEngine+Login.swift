// Riff
// SPDX-License-Identifier: Apache-2.0

#if SSH
internal import RiffCore
internal import RiffSSH

extension SwiftSSHEngine {
    package func handshake(
        with host: String,
        preferring algorithms: SSHAlgorithms,
        completion: @escaping Completion<SSHHandshake>
    ) {
        if let failure { return completion(.failure(failure)) }
        self.host = host
        login.algorithms = algorithms
        login.handshake = completion
        var configuration = SSHClient.Configuration()
        configuration.algorithms = SSHAlgorithmList(algorithms)
        client = SSHClient(configuration)
    }

    func finishHandshake(with key: SSHPublicKey) {
        guard let completion = login.take(\.handshake), let agreement = client?.agreement else { return }
        if !preamble.introduction.isEmpty {
            login.words.append(SSHEngineWords(text: preamble.introduction, isEncrypted: false))
        }
        let version = String(decoding: client?.serverIdentification ?? [], as: UTF8.self)
        completion(.success(SSHHandshake(key, version, agreement)))
    }

    package func takeWords() -> [SSHEngineWords] {
        defer { login.words = [] }
        return login.words
    }

    /// Accepts the host key: a driver that continues has accepted it. The new keys and what follows are one flight.
    private func acceptHostKey() throws(SSHError) {
        guard client != nil else { throw SSHError.noConnection }
        if client?.isHostKeyPending == true { try client?.acceptHostKey() }
    }

    package func authenticationMethods(user: String, completion: @escaping Completion<[String]?>) {
        if let failure { return completion(.failure(failure)) }
        do throws(SSHError) {
            try acceptHostKey()
            try client?.authenticate(user: user, with: .none)
            login.methods = completion
        } catch {
            completion(.failure(transportError(error)))
        }
    }

    package func authenticate(
        user: String,
        with credential: SSHEngineCredential,
        completion: @escaping Completion<SSHAuthenticationOutcome>
    ) {
        if let failure { return completion(.failure(failure)) }
        do throws(SSHError) {
            try acceptHostKey()
            let login: SSHLogin =
                switch credential {
                case .key(let key): .key(try SSHSigningKey(opening: key))
                case .password(let password, _): .password(password)
                case .prompts: .questions
                // Asking first spares a person a touch for a key that the server does not take.
                case .signer(let key, _): .outsideKey(key, asksFirst: true)
                }
            try client?.authenticate(user: user, with: login)
            self.login.begin(credential, completion)
        } catch {
            completion(.failure(transportError(error)))
        }
    }

    // MARK: Questions

    func ask(_ questions: SSHQuestions) {
        guard let attempt = login.attempt, case .prompts(let ask) = attempt.credential else { return }
        let request = SSHEngineRequest(
            name: questions.name,
            instruction: questions.instruction,
            prompts: questions.prompts.map { SSHEngineRequest.Prompt(text: $0.text, echoes: $0.isEchoed) }
        )
        login.asks = true
        ask(request) { [weak self] in self?.take(.answers($0), for: attempt.number) }
    }

    func askForNewPassword(_ prompt: String) {
        guard let attempt = login.attempt, case .password(_, let change) = attempt.credential else { return }
        guard let change else { return giveUp(.success(.passwordExpired)) }
        let request = SSHEngineRequest(prompts: [SSHEngineRequest.Prompt(text: prompt, echoes: false)])
        login.asks = true
        change(request) { [weak self] in self?.take(.newPassword($0), for: attempt.number) }
    }

    func askForSignature(of data: [UInt8], by algorithm: SSHSignatureAlgorithm) {
        guard let attempt = login.attempt, case .signer(_, let sign) = attempt.credential else { return }
        sign(SSHSigningRequest(data: data, algorithm: algorithm.rawValue)) { [weak self] in
            self?.take(.signature($0, of: algorithm), for: attempt.number)
        }
    }

    /// Takes a reply; an answer to a question of an attempt that is over is dropped.
    private func take(_ reply: SwiftSSHLogin.Reply, for number: Int) {
        guard login.attempt?.number == number else { return }
        login.asks = false
        login.reply = reply
    }

    /// Sends what was answered since the last pump.
    func sendReply() {
        guard let reply = login.take(\.reply) else { return }
        do throws(TransportError) {
            switch reply {
            case .answers(let answers):
                let answers = try answers.get()
                tell { (client) throws(SSHError) in try client.answer(answers) }
            case .newPassword(let password):
                guard let password = try password.get().first else {
                    throw TransportError(.noUsableCredential, "No new password was given.")
                }
                tell { (client) throws(SSHError) in try client.changePassword(to: password) }
            case .signature(let signature, let algorithm):
                let bytes = try signature.get().bare(of: algorithm.rawValue)
                tell { (client) throws(SSHError) in try client.provide(signature: bytes) }
            }
        } catch {
            giveUp(.failure(error))
        }
    }

    /// Ends an attempt without a word of it to the server.
    private func giveUp(_ outcome: Result<SSHAuthenticationOutcome, TransportError>) {
        tell { (client) throws(SSHError) in try client.abandonAttempt() }
        login.take(\.attempt)?.done(outcome)
    }
}

extension SSHSigningKey {
    fileprivate init(opening key: SSHPrivateKey) throws(SSHError) {
        do {
            self = try OpenedPrivateKey(key).signingKey
        } catch {
            let words = (error as? CoreError)?.message ?? "The private key cannot be used."
            throw SSHError(.unusableKey, words, cause: error)
        }
    }
}

extension SSHHandshake {
    fileprivate init(_ key: SSHPublicKey, _ version: String, _ agreement: SSHAgreement) {
        self.init(
            hostKey: key,
            serverVersion: version,
            keyExchange: agreement.keyExchange.rawValue,
            hostKeyAlgorithm: agreement.hostKey.rawValue,
            cipher: agreement.toServer.cipher.rawValue,
            mac: agreement.toServer.mac?.rawValue ?? "",
            compression: agreement.toServer.compression.rawValue
        )
    }
}
#endif
