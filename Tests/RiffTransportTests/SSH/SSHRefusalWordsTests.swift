// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import Testing

/// Refusals for which the protocol has a number at best, in words for a person.
@Suite struct SSHRefusalWordsTests {
    @Test func `a server that takes compressed connections alone`() {
        let plain = SSHAlgorithms(libssh2: 0x01_0A_00)
        let compressing = plain.adapted(compresses: true)
        var offer = SSHKexInit()
        (offer.keyExchange, offer.hostKey) = (plain.keyExchange, plain.hostKey)
        (offer.cipherToServer, offer.cipherToClient) = (plain.cipher, plain.cipher)
        (offer.macToServer, offer.macToClient) = (plain.mac, plain.mac)
        (offer.compressionToServer, offer.compressionToClient) = (["none"], ["none", "zlib"])
        #expect(plain.mismatch(with: offer, on: "box") == nil)
        offer.compressionToClient = ["zlib@openssh.com"]
        let refused = plain.mismatch(with: offer, on: "box")
        #expect(refused?.code == .noCommonAlgorithm)
        #expect(refused?.message.hasSuffix("Turn compression on for this host.") == true)
        #expect(compressing.mismatch(with: offer, on: "box") == nil)
        offer.compressionToServer = ["zlib"]
        let old = compressing.mismatch(with: offer, on: "box")
        #expect(old?.code == .noCommonAlgorithm && old?.message.contains("sshd_config") == true)
    }

    @Test func `what a server refuses on a channel`() {
        let asked: [(SSHChannelRequest, TransportError.Code, String)] = [
            (.subsystem("sftp"), .sftpUnavailable, "has no file service (SFTP)"),
            (.subsystem("netconf"), .channelRequestRefused, "netconf"),
            (.exec("x"), .channelRequestRefused, "commands"),
            (.terminal(type: "xterm", size: TerminalSize(columns: 80, rows: 24)), .channelRequestRefused, "PermitTTY"),
        ]
        for (request, code, words) in asked {
            #expect(request.refused.code == code)
            #expect(request.refused.message.contains(words) && !request.refused.message.contains("libssh2"))
        }
    }
}
