// Riff
// SPDX-License-Identifier: Apache-2.0

/// The handshake with a proxy as a state machine: the proxy's bytes in, at any split; bytes for it and the outcome out.
package protocol ProxyHandshake: Sendable {
    /// What is sent first.
    var greeting: [UInt8] { get }

    /// Takes what the proxy sent.
    ///
    /// - Returns: What to do next.
    /// - Throws: ``ProxyFailure``; the machine is then over.
    mutating func handle(_ bytes: [UInt8]) throws(ProxyFailure) -> ProxyStep
}

/// The next step of a handshake.
package enum ProxyStep: Sendable, Hashable {
    /// More bytes of the proxy.
    case wait
    /// To send these, and then more bytes of the proxy.
    case send([UInt8])
    /// The handshake is done: the connection is open, and these bytes are the first ones of the host.
    case connected(first: [UInt8])
}

/// Why a handshake failed. The words are the proxy's own where they are quoted, and harmless.
package enum ProxyFailure: Error, Hashable {
    /// The server that answers is no proxy of this kind.
    case stranger(String)
    /// A login is wanted, or another one.
    case notAuthorized(String)
    /// The proxy will not connect there.
    case refused(String)
    /// The host refused the connection.
    case targetRefused
    /// The proxy has no way to the host.
    case targetUnreachable(String)
}
