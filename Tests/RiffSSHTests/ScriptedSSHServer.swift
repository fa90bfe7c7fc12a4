// Riff
// SPDX-License-Identifier: Apache-2.0

import Crypto
import RiffCore
import RiffSSH

/// The server's end of a connection, made of the same codec: it exchanges keys by itself, and the rest is the test's.
struct ScriptedSSHServer {
    var identification = "SSH-2.0-Scripted"
    var algorithms = SSHAlgorithmList()
    var isStrict = true
    var key: SSHSigningKey
    /// Whether the exchange is answered; a test that wants to answer itself turns it off.
    var exchangesKeys = true
    /// Messages that are sent right after the new keys.
    var afterKeys: [[UInt8]] = []
    /// The messages that the client sent beside the exchanges.
    var inbox: [[UInt8]] = []
    var output: [UInt8] = []
    private(set) var exchanges = 0
    private(set) var sessionID: [UInt8]?

    private var parser = SSHIdentificationParser()
    private var clientIdentification: [UInt8]?
    private var opener = SSHPacketOpener()
    private var sealer = SSHPacketSealer()
    private var ownOffer: [UInt8]?
    private var clientOffer: [UInt8] = []
    private var keysFromClient: SSHPacketKeys?

    init(key: SSHSigningKey = .ed25519(Curve25519.Signing.PrivateKey())) { self.key = key }

    mutating func start(offering: Bool = true) throws {
        output += Array((identification + "\r\n").utf8)
        if offering { try offer() }
    }

    mutating func offer() throws {
        let names = isStrict && sessionID == nil ? ["kex-strict-s-v00@openssh.com"] : []
        let offer = SSHOffer(cookie: Array(repeating: 7, count: 16), algorithms: algorithms, extensions: names)
        ownOffer = offer.payload
        try send(offer.payload)
    }

    /// Compresses from now on, and reads what is compressed, if that was agreed on.
    mutating func startCompression() {
        sealer.startCompression()
        opener.startCompression()
    }

    mutating func send(_ payload: [UInt8]) throws { try sealer.seal(payload, into: &output) }

    mutating func receive(_ bytes: [UInt8]) throws {
        if clientIdentification == nil {
            guard let found = try parser.receive(bytes[...]) else { return }
            clientIdentification = found.line
            opener.receive(found.rest)
        } else {
            opener.receive(bytes)
        }
        while let payload = try opener.next() {
            switch payload[0] {
            case 20 where exchangesKeys:
                clientOffer = payload
                if ownOffer == nil { try offer() }
            case 30 where exchangesKeys: try reply(to: SSHExchangeInitMessage(payload: payload))
            case 21 where exchangesKeys:
                if let keys = keysFromClient { opener.use(keys, resettingSequence: isStrict) }
                keysFromClient = nil
            default: inbox.append(payload)
            }
        }
    }

    private mutating func reply(to message: SSHExchangeInitMessage) throws {
        guard let own = ownOffer, let version = clientIdentification else { return }
        let agreement = try SSHAgreement(client: SSHOffer(payload: clientOffer), server: SSHOffer(payload: own))
        let half = try SSHExchangeShare.reply(agreement.keyExchange, to: message.share)
        let blob = try key.publicKey().blob
        let transcript = SSHTranscript(
            versions: (version, Array(identification.utf8)),
            offers: (clientOffer, own),
            hostKey: blob,
            shares: (message.share, half.share)
        )
        let hash = agreement.keyExchange.hash.exchangeHash(of: transcript, secret: half.secret)
        let signature = try key.signature(of: hash, by: agreement.hostKey).blob
        try send(SSHExchangeReplyMessage(hostKey: blob, share: half.share, signature: signature).payload)
        try send(SSHNewKeysMessage().payload)
        let source = SSHKeySource(
            hash: agreement.keyExchange.hash,
            secret: half.secret,
            exchangeHash: hash,
            sessionID: sessionID
        )
        sessionID = source.sessionID
        sealer.use(source.toClient(agreement), resettingSequence: isStrict)
        keysFromClient = source.toServer(agreement)
        ownOffer = nil
        exchanges += 1
        for payload in afterKeys { try send(payload) }
        afterKeys = []
    }

    /// The messages of a type that came, taken out.
    mutating func take<Message: SSHMessage>(_: Message.Type) throws -> [Message] {
        let found = inbox.filter { $0[0] == Message.number }
        inbox.removeAll { $0[0] == Message.number }
        return try found.map { try Message(payload: $0) }
    }
}
