// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The agreement of two offers (RFC 4253 section 7.1): of each kind the client's first that the server has too.
package struct SSHAgreement: Sendable, Hashable {
    package let keyExchange: SSHKeyExchangeMethod
    package let hostKey: SSHSignatureAlgorithm
    package let toServer: SSHProtection
    package let toClient: SSHProtection

    /// The cipher, the MAC and the compression of one direction; no MAC beside a cipher that brings its own.
    package struct SSHProtection: Sendable, Hashable {
        package let cipher: SSHCipher
        package let mac: SSHMAC?
        package let compression: SSHCompression
    }

    package init(client: SSHOffer, server: SSHOffer) throws(SSHError) {
        keyExchange = try Self.first("key exchange", client.keyExchange, server.keyExchange)
        hostKey = try Self.first("host key", client.hostKey, server.hostKey)
        toServer = try Self.protection(
            (client.cipherToServer, server.cipherToServer),
            (client.macToServer, server.macToServer),
            (client.compressionToServer, server.compressionToServer)
        )
        toClient = try Self.protection(
            (client.cipherToClient, server.cipherToClient),
            (client.macToClient, server.macToClient),
            (client.compressionToClient, server.compressionToClient)
        )
    }

    private static func protection(
        _ ciphers: ([String], [String]),
        _ macs: ([String], [String]),
        _ compressions: ([String], [String])
    ) throws(SSHError) -> SSHProtection {
        let cipher: SSHCipher = try first("cipher", ciphers.0, ciphers.1)
        // The lists of MACs do not count beside such a cipher: servers without a MAC in common are to be reached.
        let mac: SSHMAC? = cipher.isAuthenticated ? nil : try first("MAC", macs.0, macs.1)
        let compression: SSHCompression = try first("compression", compressions.0, compressions.1)
        return SSHProtection(cipher: cipher, mac: mac, compression: compression)
    }

    private static func first<Algorithm: RawRepresentable<String>>(
        _ kind: String,
        _ client: [String],
        _ server: [String]
    ) throws(SSHError) -> Algorithm {
        // Names that are no algorithm (strict key exchange, extensions) do not read as one.
        for name in client where server.contains(name) {
            if let algorithm = Algorithm(rawValue: name) { return algorithm }
        }
        throw mismatch(kind, client, server)
    }

    private static func mismatch(_ kind: String, _ ours: [String], _ theirs: [String]) -> SSHError {
        let quoted = InertText.quote(theirs.joined(separator: ", "), limitBytes: 1_000)
        let message = "No \(kind) in common: we offer \(ours.joined(separator: ", ")); the server offers \(quoted)."
        return SSHError(.noCommonAlgorithm, message)
    }
}
