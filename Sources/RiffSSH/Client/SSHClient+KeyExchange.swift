// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

extension SSHClient {
    private static let strictClient = "kex-strict-c-v00@openssh.com"
    private static let strictServer = "kex-strict-s-v00@openssh.com"

    /// Asks for new keys now; nothing if an exchange is going on.
    package mutating func rekey() throws(SSHError) {
        try call { (client) throws(SSHError) in
            guard client.exchange.sessionID != nil else { throw SSHError.notYet("the first key exchange") }
            if !client.exchange.isHolding, !client.exchange.isPeerInside { try client.sendOffer() }
        }
    }

    /// Accepts the host key. What is sent from now on is for this host alone.
    package mutating func acceptHostKey() throws(SSHError) {
        try call { (client) throws(SSHError) in
            guard client.exchange.isDeciding else { throw SSHError.notYet("a host key") }
            client.exchange.isDeciding = false
            try client.sendNewKeys()
        }
    }

    /// Refuses the host key, which ends the connection.
    package mutating func refuseHostKey() {
        end(with: SSHError(.hostKeyRefused, "The server's host key was refused."), reason: 9)
    }

    /// Whether the server's first key waits for ``acceptHostKey()`` or ``refuseHostKey()``.
    package var isHostKeyPending: Bool { exchange.isDeciding }
    /// The agreement, once there is one.
    package var agreement: SSHAgreement? { exchange.agreement }
    /// The server's host key, once it was proved.
    package var hostKey: SSHPublicKey? { exchange.hostKey }
    /// The hash that names this connection.
    package var sessionID: [UInt8]? { exchange.sessionID }
    package var isKeyExchangeStrict: Bool { exchange.isStrict }

    mutating func sendOffer() throws(SSHError) {
        var random = SystemRandomNumberGenerator()
        let cookie = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let names = exchange.sessionID == nil ? ["ext-info-c", Self.strictClient] : []
        let offer = SSHOffer(cookie: cookie, algorithms: configuration.algorithms, extensions: names).payload
        exchange.step = .offered(offer)
        try sendNow(offer)
    }

    mutating func handleExchange(_ number: UInt8, _ payload: [UInt8]) throws(SSHError) {
        switch number {
        case SSHOffer.number: try handleOffer(payload)
        case SSHNewKeysMessage.number: try handleNewKeys(payload)
        case SSHMessageNumber.keyExchange:
            guard case .sharing(var sharing) = exchange.step else {
                throw .violation("a key exchange message came at the wrong time")
            }
            if sharing.ignoresNext {
                sharing.ignoresNext = false
                exchange.step = .sharing(sharing)
            } else {
                try handleReply(payload, sharing)
            }
        default: throw .violation("a key exchange message of type \(number) is not known")
        }
    }

    private mutating func handleOffer(_ payload: [UInt8]) throws(SSHError) {
        guard !exchange.isPeerInside, exchange.keysToServer == nil else {
            throw .violation("an offer came within a key exchange")
        }
        let offer = try SSHOffer(payload: payload)
        if exchange.sessionID == nil {
            exchange.isStrict = offer.keyExchange.contains(Self.strictServer)
            // Whoever is in between could have put messages before it, and moved all numbers.
            guard !exchange.isStrict || opener.sequence == 1 else {
                throw .violation("a message came before the offer, in strict key exchange")
            }
        }
        exchange.count += 1
        guard authentication.isDone || exchange.count <= Limits.exchangesBeforeAuthentication else {
            throw .limit("so many key exchanges")
        }
        if case .idle = exchange.step { try sendOffer() }
        guard case .offered(let own) = exchange.step else { throw .violation("an offer came at the wrong time") }
        let ownOffer = try SSHOffer(payload: own)
        let agreement = try SSHAgreement(client: ownOffer, server: offer)
        let isGuessRight =
            ownOffer.keyExchange.first == offer.keyExchange.first && ownOffer.hostKey.first == offer.hostKey.first
        let share = try SSHExchangeShare(agreement.keyExchange)
        try sendNow(SSHExchangeInitMessage(share: share.bytes).payload)
        exchange.step = .sharing(
            SSHExchangeState.Sharing(
                agreement: agreement,
                share: share,
                ownOffer: own,
                peerOffer: payload,
                ignoresNext: offer.isFollowedByGuess && !isGuessRight
            )
        )
    }

    private mutating func handleReply(_ payload: [UInt8], _ sharing: SSHExchangeState.Sharing) throws(SSHError) {
        let reply = try SSHExchangeReplyMessage(payload: payload)
        let agreement = sharing.agreement
        let key = try Self.hostKey(reply.hostKey)
        guard exchange.hostKey == nil || exchange.hostKey == key else {
            throw SSHError(.keyExchangeFailed, "The server came with another host key for its new keys.")
        }
        let secret = try sharing.share.secret(with: reply.share)
        let transcript = SSHTranscript(
            versions: (Array(configuration.identification.utf8), serverIdentification ?? []),
            offers: (sharing.ownOffer, sharing.peerOffer),
            hostKey: reply.hostKey,
            shares: (sharing.share.bytes, reply.share)
        )
        let hash = agreement.keyExchange.hash
        let exchangeHash = hash.exchangeHash(of: transcript, secret: secret)
        let signature = try SSHSignature(blob: reply.signature)
        guard key.isValid(signature, by: agreement.hostKey, for: exchangeHash) else {
            throw SSHError(.keyExchangeFailed, "The server's signature is wrong: it does not have the key it shows.")
        }
        let isFirst = exchange.sessionID == nil
        let source = SSHKeySource(
            hash: hash,
            secret: secret,
            exchangeHash: exchangeHash,
            sessionID: exchange.sessionID
        )
        exchange.sessionID = source.sessionID
        exchange.agreement = agreement
        exchange.hostKey = key
        exchange.keysToServer = source.toServer(agreement)
        exchange.keysToClient = source.toClient(agreement)
        exchange.step = .idle
        exchange.isDeciding = isFirst
        if isFirst { emit(.hostKey(key)) } else { try sendNewKeys() }
    }

    private static func hostKey(_ blob: [UInt8]) throws(SSHError) -> SSHPublicKey {
        do throws(CoreError) {
            return try SSHPublicKey(blob: blob)
        } catch {
            throw SSHError(.keyExchangeFailed, "The server's host key is damaged.", cause: error)
        }
    }

    private mutating func sendNewKeys() throws(SSHError) {
        guard let keys = exchange.keysToServer else { return }
        try sendNow(SSHNewKeysMessage().payload)
        sealer.use(keys, resettingSequence: exchange.isStrict)
        exchange.keysToServer = nil
        try sendHeld()
        if exchange.keysToClient == nil { finishExchange() }
        tellWaitingCallers()
    }

    private mutating func handleNewKeys(_ payload: [UInt8]) throws(SSHError) {
        _ = try SSHNewKeysMessage(payload: payload)
        guard let keys = exchange.keysToClient else { throw .violation("new keys came at the wrong time") }
        opener.use(keys, resettingSequence: exchange.isStrict)
        exchange.keysToClient = nil
        exchange.isFirstMessageAfterKeys = !exchange.hasPeerKeys
        exchange.hasPeerKeys = true
        if exchange.keysToServer == nil { finishExchange() }
    }

    private mutating func finishExchange() {
        if exchange.count > 1 { emit(.rekeyed) }
    }
}

extension SSHError {
    static func notYet(_ what: String) -> SSHError {
        SSHError(.notPossible, "There is no \(what) to go by now.")
    }
}
