// Riff
// SPDX-License-Identifier: Apache-2.0

#if LibSSH2 && (os(macOS) || os(Linux))
internal import CLibSSH2
internal import RiffCore

extension LibSSH2Engine {
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
                if found == nil { engine.finishLogin() }
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
        let session = session
        switch credential {
        case .key(let key):
            let pem = key.pem.bytes.map(CChar.init(bitPattern:)) + [0]
            let passphrase = key.passphrase.map { $0.bytes.map(CChar.init(bitPattern:)) + [0] }
            enqueueAttempt(completion) { _ in
                // No public half is needed; libssh2 derives it.
                libssh2_userauth_publickey_frommemory(session, name, nameCount, nil, 0, pem, pem.count - 1, passphrase)
            }
        case .signer(let key, let sign):
            let signing = LibSSH2Signing(sign)
            enqueueAttempt(completion) { engine in
                engine.signing = signing
                return key.blob.withUnsafeBufferPointer { blob in
                    libssh2_userauth_publickey(session, name, blob.baseAddress, blob.count, libssh2Sign, nil)
                }
            }
        case .password(let password, nil):
            let text = password.bytes.map(CChar.init(bitPattern:)) + [0]
            context.pointee.login.forgetRequest()
            enqueueAttempt(completion, ofPassword: true) { _ in
                libssh2_userauth_password_ex(session, name, UInt32(nameCount), text, UInt32(text.count - 1), nil)
            }
        case .password(let password, let change?):
            let text = password.bytes.map(CChar.init(bitPattern:)) + [0]
            enqueueAsking(
                LibSSH2Asking(isOfPrompts: false, ask: change, completion: completion) {
                    let count = UInt32(text.count - 1)
                    return libssh2_userauth_password_ex(
                        session,
                        name,
                        UInt32(nameCount),
                        text,
                        count,
                        libssh2NewPassword
                    )
                }
            )
        case .prompts(let ask):
            enqueueAsking(
                LibSSH2Asking(isOfPrompts: true, ask: ask, completion: completion) {
                    libssh2_userauth_keyboard_interactive_ex(session, name, UInt32(nameCount), libssh2Prompt)
                }
            )
        }
    }

    private func enqueueAttempt(
        _ completion: @escaping Completion<SSHAuthenticationOutcome>,
        ofPassword: Bool = false,
        call: @escaping (LibSSH2Engine) -> Int32
    ) {
        enqueue("authenticating", completion: completion, call: call) { engine, code in
            let signingFailure = engine.signing?.result
            engine.signing = nil
            if case .failure(let error) = signingFailure { return .failure(error) }
            return engine.authenticationOutcome(code, ofPassword: ofPassword)
        }
    }

    func authenticationOutcome(
        _ code: Int32,
        ofPassword: Bool
    ) -> Result<SSHAuthenticationOutcome, TransportError> {
        context.pointee.login.readEntries()
        let refusal = context.pointee.login.takeRefusal()
        switch code {
        case 0:
            finishLogin()
            return .success(.accepted)
        case LIBSSH2_ERROR_PASSWORD_EXPIRED: return .success(.passwordExpired)
        case LIBSSH2_ERROR_AUTHENTICATION_FAILED, LIBSSH2_ERROR_PUBLICKEY_UNVERIFIED:
            // Without somebody to ask, 1.10 takes the request for a new password for a refusal.
            if ofPassword, context.pointee.login.request != nil { return .success(.passwordExpired) }
            // The same codes stand for an answer that never came: only the words tell. That says nothing of the key,
            // unless the server left because it had refused too many.
            let hasAnswer = !lastErrorText.hasPrefix(bytes: "Waiting for")
            let isRefusal = hasAnswer || goodbye?.contains("authentication failures") == true
            if isRefusal { return .success(.refused(refusal)) }
            guard inputHasEnded || hasSaidGoodbye else {
                let message =
                    "The server sent a message that is damaged, or longer than the 40,000 bytes that libssh2 takes; the "
                    + "connection was ended."
                fail(TransportError(.sshProtocol, message))
                return .failure(lost)
            }
            return .failure(lost)
        case LIBSSH2_ERROR_FILE, LIBSSH2_ERROR_KEYFILE_AUTH_FAILED:
            return .failure(TransportError(.keyUnusable, lastError(code, "The private key or its passphrase is wrong")))
        default: return .failure(TransportError(.sshProtocol, lastError(code, "Authentication failed")))
        }
    }

    // MARK: The server's words

    package func takeWords() -> [SSHEngineWords] {
        defer { words = [] }
        return words
    }

    /// The lines before the server's identification.
    func takeIntroduction() {
        guard !preamble.introduction.isEmpty else { return }
        words.append(SSHEngineWords(text: preamble.introduction, isEncrypted: false))
    }

    /// Takes the banners that came; ends the engine if there are too many.
    func collectBanners() {
        // A call that waits for a person may be in the middle of anything.
        guard fiber?.asks != true else { return }
        context.pointee.login.readEntries()
        for text in context.pointee.login.takeBanners() where failure == nil {
            bannerBytes += text.utf8.count
            bannerCount += 1
            guard bannerBytes <= SSHLoginLimits.bannerBytes, bannerCount <= SSHLoginLimits.banners else {
                return fail(SSHLoginLimits.bannersDoNotEnd)
            }
            words.append(SSHEngineWords(text: text, isEncrypted: true))
        }
    }

    /// Ends the watch over the login; what came until now is still told.
    private func finishLogin() {
        collectBanners()
        context.pointee.login.finish()
    }
}
#endif
