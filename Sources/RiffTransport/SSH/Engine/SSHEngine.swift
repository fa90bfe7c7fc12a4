// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// A seam: the SSH protocol of one connection without I/O: bytes in, bytes and outcomes out.
///
/// An engine is confined to its driver's executor and does no I/O, no waiting and no timing. The driver calls
/// ``receive(_:)`` for what arrived, ``pump(isWritable:)`` after anything changed, and then sends ``takeOutput()``.
/// Completions are called from inside `pump`, exactly once each, also when the engine fails. An operation that was
/// begun cannot be taken back: a driver that no longer wants it discards its outcome.
package protocol SSHEngine: AnyObject {
    /// The function that receives a result; called from inside ``pump(isWritable:)``.
    typealias Completion<Value> = (Result<Value, TransportError>) -> Void

    /// The engine's name, version, algorithms and capabilities.
    var info: SSHEngineInfo { get }

    /// Adds bytes from the peer; they are copied.
    func receive(_ bytes: UnsafeRawBufferPointer)

    /// Tells that the peer will send no more. Everything outstanding fails with `connectionLost`, after what was
    /// received before was delivered.
    func receiveEnd()

    /// Does all that can be done now.
    ///
    /// - Parameter isWritable: Whether channel data may be turned into output; `false` while the wire is behind.
    func pump(isWritable: Bool)

    /// Whether the user is typing, as the driver knows. While it is so, little of one channel's output is let on its
    /// way ahead of another's echo.
    var isTyping: Bool { get set }

    /// Takes the bytes to send to the peer.
    func takeOutput() -> [UInt8]

    /// Takes what the server said to the user since the last call, oldest first: the banners of authentication (RFC
    /// 4252 section 5.4), and the lines in clear before its identification (RFC 4253 section 4.2). Bounded by
    /// ``SSHLoginLimits``; a server that says more ends the engine.
    func takeWords() -> [SSHEngineWords]

    /// Exchanges versions and keys. Nothing secret has been sent when it completes. The host is named in errors.
    func handshake(
        with host: String,
        preferring algorithms: SSHAlgorithms,
        completion: @escaping Completion<SSHHandshake>
    )

    /// The authentication methods the server takes from this user; `nil` when it already let the user in.
    func authenticationMethods(user: String, completion: @escaping Completion<[String]?>)

    /// Tries one credential. A refusal is an outcome, not an error.
    ///
    /// What the credential asks of others, it asks from inside ``pump(isWritable:)``; whoever answers calls `done` on
    /// the driver's executor, then or later, and pumps. A question that fails gives the attempt up, without a word of
    /// it to the server, and the operation fails with the question's error. An engine that is over drops its questions.
    func authenticate(
        user: String,
        with credential: SSHEngineCredential,
        completion: @escaping Completion<SSHAuthenticationOutcome>
    )

    /// Opens a channel; its bytes go through `port`.
    func open(_ kind: SSHChannelKind, port: any SSHChannelPort, completion: @escaping Completion<SSHChannelID>)

    /// Asks something of a channel's other side. A refusal fails with `channelRequestRefused`.
    func request(_ request: SSHChannelRequest, of channel: SSHChannelID, completion: @escaping Completion<Void>)

    /// Closes a channel from our side; its port then gets its end.
    func close(_ channel: SSHChannelID)

    /// Closes a channel whose peer does not answer: its port gets its end now, and what the peer says later is dropped.
    func abandon(_ channel: SSHChannelID)

    /// A round trip that needs no channel slot of its own where that is possible; proves that the peer is there.
    func probe(completion: @escaping Completion<Void>)

    /// Says good-bye and fails everything outstanding with `error`. The engine is then over.
    func disconnect(_ error: TransportError)

    /// The error that ended the engine.
    var failure: TransportError? { get }
}

/// Names a channel of one engine.
package struct SSHChannelID: Hashable, Sendable {
    package let number: Int

    package init(_ number: Int) { self.number = number }
}

/// The kind of a channel.
package enum SSHChannelKind: Sendable {
    /// A command, a terminal or a subsystem (RFC 4254 section 6.1). `mergesDiagnostics` puts standard error into
    /// output.
    case session(window: Int, mergesDiagnostics: Bool)
    /// From the server to somewhere. `window` is `nil` for the engine's own, of which a connection inside the tunnel
    /// takes care.
    case tunnel(to: SSHTunnelTarget, window: Int?)
}

/// A request on a session channel (RFC 4254 sections 6.2 to 6.7).
package enum SSHChannelRequest: Sendable {
    case terminal(type: String, size: TerminalSize)
    case exec(String)
    case subsystem(String)
    case resize(TerminalSize)
}

/// The engine's view of a channel's other side; used on the driver's executor only.
package protocol SSHChannelPort: AnyObject {
    /// Bytes for the peer, as many as there are up to a limit; `.ended` makes the engine send the end of input.
    func take(upTo limit: Int) -> BytePipe.Taken

    /// Whether ``deliver(_:)`` is welcome; while it is not, the peer is held back by the channel's window.
    var wantsBytes: Bool { get }

    /// Whether ``deliverDiagnostics(_:)`` is welcome. The two streams share one window, so holding one back holds both.
    var wantsDiagnostics: Bool { get }

    /// Bytes of the output; the port copies what it keeps.
    func deliver(_ bytes: UnsafeRawBufferPointer)

    /// Bytes of standard error.
    func deliverDiagnostics(_ bytes: UnsafeRawBufferPointer)

    /// No more output will come.
    func deliverEnd()

    /// Reports that the channel is over: how its command ended (`nil` if the server did not say), or the error that
    /// broke it. Called once.
    func close(_ end: Result<ExitStatus?, TransportError>)
}

/// The result of the key exchange.
package struct SSHHandshake: Sendable {
    package let hostKey: SSHPublicKey
    /// The server's identification line, such as `SSH-2.0-OpenSSH_9.2p1`.
    package let serverVersion: String
    package let keyExchange: String
    package let hostKeyAlgorithm: String
    package let cipher: String
    package let mac: String
    /// `none`, or how both ways are compressed once the user is let in.
    package let compression: String

    package init(
        hostKey: SSHPublicKey,
        serverVersion: String,
        keyExchange: String,
        hostKeyAlgorithm: String,
        cipher: String,
        mac: String,
        compression: String = "none"
    ) {
        self.hostKey = hostKey
        self.serverVersion = serverVersion
        self.keyExchange = keyExchange
        self.hostKeyAlgorithm = hostKeyAlgorithm
        self.cipher = cipher
        self.mac = mac
        self.compression = compression
    }
}
