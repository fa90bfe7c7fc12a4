// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The algorithms of one side (SSH_MSG_KEXINIT, RFC 4253 section 7.1).
package struct SSHOffer: SSHMessage {
    package static let number: UInt8 = 20
    package var cookie: [UInt8]
    package var keyExchange: [String]
    package var hostKey: [String]
    package var cipherToServer: [String]
    package var cipherToClient: [String]
    package var macToServer: [String]
    package var macToClient: [String]
    package var compressionToServer: [String]
    package var compressionToClient: [String]
    /// Whether a guessed message of the exchange follows at once.
    package var isFollowedByGuess = false

    /// Creates an offer that is the same both ways.
    package init(cookie: [UInt8], algorithms: SSHAlgorithmList, extensions: [String]) {
        self.cookie = cookie
        keyExchange = algorithms.keyExchange.map(\.rawValue) + extensions
        hostKey = algorithms.hostKey.map(\.rawValue)
        cipherToServer = algorithms.cipher.map(\.rawValue)
        cipherToClient = cipherToServer
        macToServer = algorithms.mac.map(\.rawValue)
        macToClient = macToServer
        compressionToServer = algorithms.compression.map(\.rawValue)
        compressionToClient = compressionToServer
    }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        cookie = Array(try reader.readBytes(16))
        keyExchange = try reader.readNameList()
        hostKey = try reader.readNameList()
        cipherToServer = try reader.readNameList()
        cipherToClient = try reader.readNameList()
        macToServer = try reader.readNameList()
        macToClient = try reader.readNameList()
        compressionToServer = try reader.readNameList()
        compressionToClient = try reader.readNameList()
        // Languages, which nothing uses.
        _ = try reader.readNameList()
        _ = try reader.readNameList()
        isFollowedByGuess = try reader.readBool()
        _ = try reader.readUInt32()
    }

    package func write(to writer: inout SSHWireWriter) {
        writer.write(raw: cookie)
        let lists = [
            keyExchange, hostKey, cipherToServer, cipherToClient, macToServer, macToClient, compressionToServer,
            compressionToClient, [], [],
        ]
        for list in lists { writer.write(names: list) }
        writer.write(bool: isFollowedByGuess)
        writer.write(uint32: 0)
    }
}

/// The client's half of an exchange (RFC 5656 section 4, RFC 8731, the hybrid's draft).
package struct SSHExchangeInitMessage: SSHMessage {
    package static let number: UInt8 = 30
    package var share: [UInt8]

    package init(share: [UInt8]) { self.share = share }
    package init(reading reader: inout SSHWireReader) throws(CoreError) { share = Array(try reader.readString()) }
    package func write(to writer: inout SSHWireWriter) { writer.write(string: share) }
}

/// The server's half, with its host key and its signature over the exchange.
package struct SSHExchangeReplyMessage: SSHMessage {
    package static let number: UInt8 = 31
    package var hostKey: [UInt8]
    package var share: [UInt8]
    package var signature: [UInt8]

    package init(hostKey: [UInt8], share: [UInt8], signature: [UInt8]) {
        self.hostKey = hostKey
        self.share = share
        self.signature = signature
    }

    package init(reading reader: inout SSHWireReader) throws(CoreError) {
        hostKey = Array(try reader.readString())
        share = Array(try reader.readString())
        signature = Array(try reader.readString())
    }

    package func write(to writer: inout SSHWireWriter) {
        writer.write(string: hostKey)
        writer.write(string: share)
        writer.write(string: signature)
    }
}
