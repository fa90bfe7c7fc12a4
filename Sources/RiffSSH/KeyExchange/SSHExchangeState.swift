// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The state of the key exchange. Both directions have their own: each side's offer, and each side's new keys.
struct SSHExchangeState: Sendable {
    enum Step: Sendable {
        case idle
        /// Our offer is out.
        case offered([UInt8])
        /// Both offers and our half are out.
        case sharing(Sharing)
    }

    struct Sharing: Sendable {
        let agreement: SSHAgreement
        let share: SSHExchangeShare
        let ownOffer: [UInt8]
        let peerOffer: [UInt8]
        /// Whether a message follows that the server guessed wrong, and that is not to be looked at.
        var ignoresNext: Bool
    }

    var step = Step.idle
    /// The first exchange's hash.
    var sessionID: [UInt8]?
    /// The agreement of the last exchange.
    var agreement: SSHAgreement?
    var hostKey: SSHPublicKey?
    /// Both sides know strict key exchange (draft-miller-sshm-strict-kex).
    var isStrict = false
    /// Keys for what we send, until our new keys were told.
    var keysToServer: SSHPacketKeys?
    /// Keys for what the server sends, until it told its new keys.
    var keysToClient: SSHPacketKeys?
    /// Whether the caller has to judge the host key.
    var isDeciding = false
    var isFirstMessageAfterKeys = false
    /// The first new keys of the peer came.
    var hasPeerKeys = false
    var count = 0
    var packetsBeforeAuthentication: UInt64 = 0

    /// Between our offer and our new keys we send nothing else.
    var isHolding: Bool {
        if case .idle = step { keysToServer != nil } else { true }
    }

    /// Between the peer's offer and its new keys it may send nothing else.
    var isPeerInside: Bool {
        if case .sharing = step { true } else { keysToClient != nil }
    }

    /// Inside the first exchange, with strict rules: what does not belong to it ends the connection.
    var isStrictlyInside: Bool { isStrict && !hasPeerKeys }
}
