// Riff
// SPDX-License-Identifier: Apache-2.0

#if SSH
internal import RiffCore
internal import RiffSSH

/// The operations before a user is let in; at most one of them is under way.
struct SwiftSSHLogin {
    var algorithms: SSHAlgorithms?
    var handshake: SwiftSSHEngine.Completion<SSHHandshake>?
    var methods: SwiftSSHEngine.Completion<[String]?>?
    var attempt: Attempt?
    /// The reply that was given, until it is sent.
    var reply: Reply?
    /// Whether a question was asked that is not answered yet.
    var asks = false
    /// The server's words that were not taken yet.
    var words: [SSHEngineWords] = []
    private var bannerCount = 0
    private var attemptCount = 0

    struct Attempt {
        let number: Int
        let credential: SSHEngineCredential
        let done: SwiftSSHEngine.Completion<SSHAuthenticationOutcome>
    }

    enum Reply {
        case answers(Result<[Secret], TransportError>)
        case newPassword(Result<[Secret], TransportError>)
        case signature(Result<SSHSignatureBytes, TransportError>, of: SSHSignatureAlgorithm)
    }

    /// Whether keys are being exchanged for the first time.
    var isExchanging: Bool { handshake != nil }

    mutating func begin(
        _ credential: SSHEngineCredential,
        _ done: @escaping SwiftSSHEngine.Completion<SSHAuthenticationOutcome>
    ) {
        attemptCount += 1
        attempt = Attempt(number: attemptCount, credential: credential, done: done)
        reply = nil
        asks = false
    }

    /// - Returns: Whether it is one too many.
    mutating func hear(banner text: String) -> Bool {
        words.append(SSHEngineWords(text: text, isEncrypted: true))
        bannerCount += 1
        return bannerCount > SSHLoginLimits.banners
    }

    mutating func succeed() {
        let (methods, attempt) = (take(\.methods), take(\.attempt))
        methods?(.success(nil))
        attempt?.done(.success(.accepted))
    }

    mutating func refuse(_ offered: [String], isPartialSuccess: Bool) {
        let (methods, attempt) = (take(\.methods), take(\.attempt))
        methods?(.success(offered))
        attempt?.done(.success(.refused(SSHRefusal(methods: offered, isPartialSuccess: isPartialSuccess))))
    }

    mutating func fail(_ error: TransportError) {
        let (handshake, methods, attempt) = (take(\.handshake), take(\.methods), take(\.attempt))
        reply = nil
        asks = false
        handshake?(.failure(error))
        methods?(.failure(error))
        // A server that leaves because it refused too many has refused this one, too.
        let isRefusal = error.code == .connectionLost && error.message.contains("authentication failures")
        attempt?.done(isRefusal ? .success(.refused(SSHRefusal())) : .failure(error))
    }

    mutating func take<Value>(_ path: WritableKeyPath<SwiftSSHLogin, Value?>) -> Value? {
        defer { self[keyPath: path] = nil }
        return self[keyPath: path]
    }
}
#endif
