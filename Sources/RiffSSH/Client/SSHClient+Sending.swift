// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension SSHClient {
    /// Sends a message, or keeps it while keys are exchanged (RFC 4253 section 7.1).
    mutating func send(_ message: some SSHMessage, isSecret: Bool = false) throws(SSHError) {
        var payload = message.payload
        guard exchange.isHolding else {
            try sendNow(payload, isSecret: isSecret)
            if isSecret { payload.wipe() }
            return
        }
        // The server chooses how long an exchange takes, and can ask for answers meanwhile.
        guard held.count < Limits.heldMessages, heldBytes + payload.count <= Limits.heldBytes else {
            throw .limit("so many questions within a key exchange")
        }
        heldBytes += payload.count
        held.append((payload, isSecret))
    }

    /// Refuses what a caller gave if it makes a longer message than servers have to take (RFC 4253 section 6.1).
    static func checkSize(_ fields: [UInt8]) throws(SSHError) {
        guard fields.count <= 32 * 1_024 else {
            throw SSHError(.notPossible, "A command, a path or a name is longer than SSH carries (32 KiB).")
        }
    }

    mutating func sendHeld() throws(SSHError) {
        let messages = held
        held = []
        heldBytes = 0
        for var message in messages {
            try sendNow(message.payload, isSecret: message.isSecret)
            if message.isSecret { message.payload.wipe() }
        }
    }
}
