// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The algorithms a connection offers, best first, and accepts. Which there are is the engine's to say.
package struct SSHAlgorithms: Sendable, Hashable {
    package var keyExchange: [String]
    package var hostKey: [String]
    package var cipher: [String]
    package var mac: [String]
    package var compression = ["none"]

    /// Creates an offer without compression.
    package init(keyExchange: [String], hostKey: [String], cipher: [String], mac: [String]) {
        self.keyExchange = keyExchange
        self.hostKey = hostKey
        self.cipher = cipher
        self.mac = mac
    }

    /// The same for one host.
    ///
    /// - Parameters:
    ///   - preferred: Algorithms already pinned for the host; they come first, as OpenSSH does, so that a server with
    ///     several keys shows the one that is known.
    ///   - compresses: Whether compression is offered. Only the kind that begins after authentication: before it,
    ///     whoever connects could feed a decompressor.
    /// - Returns: The offer.
    package func adapted(to preferred: [SSHKeyAlgorithm] = [], compresses: Bool = false) -> SSHAlgorithms {
        var offer = self
        if compresses { offer.compression = ["zlib@openssh.com", "none"] }
        let pinned = preferred.flatMap { $0 == .rsa ? ["rsa-sha2-512", "rsa-sha2-256"] : [$0.rawValue] }
        offer.hostKey = pinned.filter(hostKey.contains) + hostKey.filter { !pinned.contains($0) }
        return offer
    }

    /// The types of the host keys that are asked for.
    package var hostKeyTypes: Set<SSHKeyAlgorithm> {
        Set(hostKey.map { $0.hasPrefix("rsa-sha2-") ? .rsa : SSHKeyAlgorithm(rawValue: $0) })
    }

    /// The first agreed algorithm that was not offered, as a refusal; `nil` when all are sound. The library is asked
    /// to agree only on what was offered; this is the check that it did.
    package func weakness(of handshake: SSHHandshake) -> TransportError? {
        // AEAD ciphers bring their own integrity; the library then names no MAC.
        let hasOwnMAC = handshake.cipher.contains("gcm") || handshake.cipher.contains("poly1305")
        let agreed = [
            ("key exchange", handshake.keyExchange, keyExchange), ("host key", handshake.hostKeyAlgorithm, hostKey),
            ("cipher", handshake.cipher, cipher), ("MAC", handshake.mac, hasOwnMAC ? [handshake.mac] : mac),
            ("compression", handshake.compression, compression),
        ]
        for (what, name, offered) in agreed where !offered.contains(name) {
            return TransportError(
                .weakAlgorithm,
                "The server agreed on the \(what) \"\(name)\", which is not offered here."
            )
        }
        return nil
    }

    /// Why no connection is possible with a server that offers this, naming both sides' lists; `nil` where it is.
    package func mismatch(with server: SSHKexInit, on host: String) -> TransportError? {
        let pairs = [
            ("key exchange", keyExchange, server.keyExchange), ("host key", hostKey, server.hostKey),
            ("cipher", cipher, server.cipherToServer), ("cipher", cipher, server.cipherToClient),
            ("MAC", mac, server.macToServer), ("MAC", mac, server.macToClient),
        ]
        if let mismatch = compressionMismatch(with: server, on: host) { return mismatch }
        for (what, ours, theirs) in pairs where !ours.contains(where: theirs.contains) {
            let message =
                "No \(what) algorithm in common with \(host): we offer \(ours.joined(separator: ", ")); "
                + "it offers \(InertText.quote(theirs.joined(separator: ", "), limitBytes: 1_000))."
            return TransportError(.noCommonAlgorithm, message)
        }
        return nil
    }
}

extension SSHAlgorithms {
    /// A server that wants compression alone: some small ones, and such as were set up so.
    private func compressionMismatch(with server: SSHKexInit, on host: String) -> TransportError? {
        for theirs in [server.compressionToServer, server.compressionToClient] {
            // No server sends an empty list; whoever reads only a part of one has none.
            guard !theirs.isEmpty, !compression.contains(where: theirs.contains) else { continue }
            let list = InertText.quote(theirs.joined(separator: ", "))
            let advice =
                theirs.contains("zlib@openssh.com")
                ? "Turn compression on for this host."
                : "That kind would unpack what came before anybody logged in, and is not offered here: set Compression "
                    + "to no, yes or delayed in its sshd_config."
            return TransportError(
                .noCommonAlgorithm,
                "\(host) takes compressed connections alone (\(list)), and this one was to be without. \(advice)"
            )
        }
        return nil
    }
}

extension TransportErrorCode {
    /// Both sides have no algorithm of some kind in common; the message has both lists.
    public static let noCommonAlgorithm = TransportError.Code(rawValue: "noCommonAlgorithm")
    /// The server agreed on an algorithm that was not offered.
    public static let weakAlgorithm = TransportError.Code(rawValue: "weakAlgorithm")
}
