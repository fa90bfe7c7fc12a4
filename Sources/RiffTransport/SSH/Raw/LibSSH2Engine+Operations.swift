// Riff
// SPDX-License-Identifier: Apache-2.0

#if LibSSH2 && (os(macOS) || os(Linux))
internal import CLibSSH2
internal import RiffCore

extension LibSSH2Engine {
    /// Queues an operation whose C call returns 0 when done, EAGAIN to be repeated, and another code on failure.
    func enqueue<Value>(
        _ what: String,
        completion: @escaping Completion<Value>,
        call: @escaping (LibSSH2Engine) -> Int32,
        outcome: @escaping (LibSSH2Engine, Int32) -> Result<Value, TransportError>
    ) {
        if let failure { return completion(.failure(failure)) }
        var received: Int?
        operations.append(
            Operation(
                step: { [unowned self] in
                    guard !isStillWaiting(since: received) else { return .again }
                    let code = call(self)
                    guard code != LIBSSH2_ERROR_EAGAIN else {
                        received = receivedBytes
                        return .again
                    }
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
                engine.takeIntroduction()
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
}
#endif
