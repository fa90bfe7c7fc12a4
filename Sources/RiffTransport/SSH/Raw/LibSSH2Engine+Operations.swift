// Riff
// SPDX-License-Identifier: Apache-2.0

#if SSH && (os(macOS) || os(Linux))
internal import CLibSSH2
internal import RiffCore

extension LibSSH2Engine {
    /// Queues an operation whose C call returns 0 when done, EAGAIN to be repeated, and another code on failure.
    private func enqueue<Value>(
        _ what: String,
        completion: @escaping Completion<Value>,
        call: @escaping (LibSSH2Engine) -> Int32,
        outcome: @escaping (LibSSH2Engine, Int32) -> Result<Value, TransportError>
    ) {
        if let failure { return completion(.failure(failure)) }
        operations.append(
            Operation(
                step: { [unowned self] in
                    let code = call(self)
                    guard code != LIBSSH2_ERROR_EAGAIN else { return .again }
                    let result = outcome(self, code)
                    // A failure of the engine tells this operation too.
                    if failure == nil, case .failure = result, failIfFatal(code, what) { return .done }
                    if failure == nil { completion(result) }
                    return .done
                },
                fail: { completion(.failure($0)) }
            )
        )
    }

    // MARK: Handshake

    package func handshake(
        with host: String,
        preferring algorithms: SSHAlgorithms,
        completion: @escaping Completion<SSHHandshake>
    ) {
        hasBegun = true
        // Without the flag the library knows of no compression but "none".
        let offersCompression = algorithms.compression != ["none"]
        if offersCompression { libssh2_session_flag(session, LIBSSH2_FLAG_COMPRESS, 1) }
        let preferences: [(Int32, [String])] = [
            (LIBSSH2_METHOD_KEX, algorithms.keyExchange), (LIBSSH2_METHOD_HOSTKEY, algorithms.hostKey),
            (LIBSSH2_METHOD_CRYPT_CS, algorithms.cipher), (LIBSSH2_METHOD_CRYPT_SC, algorithms.cipher),
            (LIBSSH2_METHOD_MAC_CS, algorithms.mac), (LIBSSH2_METHOD_MAC_SC, algorithms.mac),
            (LIBSSH2_METHOD_COMP_CS, algorithms.compression), (LIBSSH2_METHOD_COMP_SC, algorithms.compression),
        ]
        for (method, names) in preferences {
            guard libssh2_session_method_pref(session, method, names.joined(separator: ",")) == 0 else {
                let message = lastError(LIBSSH2_ERROR_METHOD_NOT_SUPPORTED, "libssh2 has none of \(names)")
                return completion(.failure(TransportError(.sshUnavailable, message)))
            }
        }
        enqueue(
            "exchanging keys",
            completion: completion,
            call: {
                // libssh2 would read lines without end.
                guard !$0.preamble.hasGivenUp else { return LIBSSH2_ERROR_BANNER_RECV }
                return libssh2_session_handshake($0.session, LibSSH2Engine.noDescriptor)
            },
            outcome: { engine, code in
                guard code == 0 else { return .failure(engine.handshakeFailure(code, algorithms, host)) }
                return engine.agreement(algorithms)
            }
        )
    }

    private func handshakeFailure(_ code: Int32, _ algorithms: SSHAlgorithms, _ host: String) -> TransportError {
        let error: TransportError
        if let offer = preamble.kexInit, let mismatch = algorithms.mismatch(with: offer, on: host) {
            error = mismatch
        } else if preamble.serverVersion == nil, !preamble.hasBeenTurnedAway {
            error = TransportError(
                .notSSHServer,
                "What answers at \(host) is not an SSH server. Check the port.",
                recovery: .openSettings(.port)
            )
        } else if inputHasEnded, preamble.serverVersion == nil {
            let message =
                "\(host) closed the connection before it said that it speaks SSH. It may have too many new connections "
                + "at once (MaxStartups) or refuse this address for a while. Try again in a moment."
            error = TransportError(.droppedBeforeBanner, message, recovery: .retry)
        } else if inputHasEnded {
            error = TransportError(
                .connectionLost,
                "The server closed the connection during the key exchange.",
                recovery: .retry
            )
        } else if let version = preamble.serverVersion, version.utf8.count > 253 {
            let message =
                "\(host) identifies itself in \(version.utf8.count) bytes, and 253 is the most that SSH allows. Shorten "
                + "VersionAddendum in its sshd_config."
            error = TransportError(.sshProtocol, message)
        } else {
            error = TransportError(.sshProtocol, lastError(code, "The key exchange failed"), recovery: .retry)
        }
        // A session that failed here cannot be used again.
        fail(error)
        return error
    }

    private func agreement(_ algorithms: SSHAlgorithms) -> Result<SSHHandshake, TransportError> {
        func method(_ kind: Int32) -> String {
            libssh2_session_methods(session, kind).map { String(cString: $0) } ?? ""
        }
        var length = 0
        var type: Int32 = 0
        guard let bytes = libssh2_session_hostkey(session, &length, &type),
            let key = try? SSHPublicKey(
                blob: Array(UnsafeRawBufferPointer(start: bytes, count: length)),
                comment: ""
            )  // A blob that cannot be read is told below.
        else {
            let error = TransportError(.sshProtocol, "The server's host key could not be read.")
            fail(error)
            return .failure(error)
        }
        let handshake = SSHHandshake(
            hostKey: key,
            serverVersion: libssh2_session_banner_get(session).map { String(cString: $0) } ?? "",
            keyExchange: method(LIBSSH2_METHOD_KEX),
            hostKeyAlgorithm: method(LIBSSH2_METHOD_HOSTKEY),
            cipher: method(LIBSSH2_METHOD_CRYPT_CS),
            mac: method(LIBSSH2_METHOD_MAC_CS),
            compression: method(LIBSSH2_METHOD_COMP_CS)
        )
        if let weakness = algorithms.weakness(of: handshake) {
            fail(weakness)
            return .failure(weakness)
        }
        return .success(handshake)
    }

    // MARK: Authentication

    package func authenticationMethods(user: String, completion: @escaping Completion<[String]?>) {
        var found: [String]?
        let user = Array(user.utf8CString)
        enqueue(
            "asking for authentication methods",
            completion: completion,
            call: { engine in
                if let list = libssh2_userauth_list(engine.session, user, UInt32(user.count - 1)) {
                    found = String(cString: list).split(separator: ",").map(String.init)
                    return 0
                }
                return libssh2_userauth_authenticated(engine.session) == 1
                    ? 0 : libssh2_session_last_errno(engine.session)
            },
            outcome: { engine, code in
                guard code == 0 else {
                    return .failure(
                        TransportError(.sshProtocol, engine.lastError(code, "Asking for authentication methods"))
                    )
                }
                return .success(found)
            }
        )
    }

    package func authenticate(
        user: String,
        with credential: SSHEngineCredential,
        completion: @escaping Completion<SSHAuthenticationOutcome>
    ) {
        let name = Array(user.utf8CString)
        let nameCount = name.count - 1
        let call: (LibSSH2Engine) -> Int32
        switch credential {
        case .key(let key):
            let pem = key.pem.bytes.map(CChar.init(bitPattern:)) + [0]
            let passphrase = key.passphrase.map { $0.bytes.map(CChar.init(bitPattern:)) + [0] }
            call = {
                // No public half is needed; libssh2 derives it.
                libssh2_userauth_publickey_frommemory(
                    $0.session,
                    name,
                    nameCount,
                    nil,
                    0,
                    pem,
                    pem.count - 1,
                    passphrase
                )
            }
        case .password(let password):
            let text = password.bytes.map(CChar.init(bitPattern:)) + [0]
            call = {
                libssh2_userauth_password_ex($0.session, name, UInt32(nameCount), text, UInt32(text.count - 1), nil)
            }
        case .prompts(let answer):
            call = {
                $0.answerPrompts = answer
                return libssh2_userauth_keyboard_interactive_ex($0.session, name, UInt32(nameCount), libssh2Prompt)
            }
        case .signer(let key, let sign):
            let signing = LibSSH2Signing(sign)
            call = { engine in
                engine.signing = signing
                return key.blob.withUnsafeBufferPointer { blob in
                    libssh2_userauth_publickey(engine.session, name, blob.baseAddress, blob.count, libssh2Sign, nil)
                }
            }
        }
        enqueue("authenticating", completion: completion, call: call) { engine, code in
            let signingFailure = engine.signing?.result
            engine.answerPrompts = nil
            engine.signing = nil
            if case .failure(let error) = signingFailure { return .failure(error) }
            return engine.authenticationOutcome(code)
        }
    }

    private func authenticationOutcome(_ code: Int32) -> Result<SSHAuthenticationOutcome, TransportError> {
        switch code {
        case 0: return .success(.accepted)
        case LIBSSH2_ERROR_PASSWORD_EXPIRED: return .success(.passwordExpired)
        case LIBSSH2_ERROR_AUTHENTICATION_FAILED, LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED:
            // The same codes stand for an answer that never came: only the words tell. That says nothing of the key,
            // unless the server left because it had refused too many.
            let hasAnswer = !lastErrorText.hasPrefix("Waiting for")
            let isRefusal = hasAnswer || goodbye?.contains("authentication failures") == true
            return isRefusal ? .success(.refused) : .failure(lost)
        case LIBSSH2_ERROR_FILE, LIBSSH2_ERROR_KEYFILE_AUTH_FAILED:
            return .failure(TransportError(.keyUnusable, lastError(code, "The private key or its passphrase is wrong")))
        default: return .failure(TransportError(.sshProtocol, lastError(code, "Authentication failed")))
        }
    }
}
#endif
