// Riff
// SPDX-License-Identifier: Apache-2.0

/// Reads a server's identification line and its offer from the first bytes of a connection, which are in clear.
///
/// Fed at any split; reads at most 64 KiB and then gives up, because it only serves messages.
package struct SSHPreambleParser: Sendable {
    private static let limit = 64 * 1024
    private var bytes: [UInt8] = []
    /// The index at which the line begins that is being read, or the first packet; and the index up to which a line's
    /// end was looked for.
    private var start = 0
    private var searched = 0
    private var isDone = false
    private var beginning: [UInt8] = []

    /// The identification line, without its line end (RFC 4253 section 4.2), once it came.
    package private(set) var serverVersion: String?
    /// The number of bytes before the identification string.
    package private(set) var introductionBytes = 0
    /// The text of these bytes, at most 4,096 bytes of it.
    package private(set) var introduction = ""
    /// The offer, once it came whole.
    package private(set) var kexInit: SSHKexInit?

    /// Whether so much came without an identification line that none is to be expected: a server may say other things
    /// before it, but not without end.
    package private(set) var hasGivenUp = false

    package init() {}

    /// Whether a server that closed without identifying itself refused for now, or was cut off: it sent nothing, a part
    /// of an identification string, or what OpenSSH sends for too many new connections (MaxStartups) and to penalized
    /// addresses. Anything else is not an SSH server.
    package var hasBeenTurnedAway: Bool {
        guard serverVersion == nil else { return false }
        let text = String(decoding: beginning, as: UTF8.self)
        if "SSH-2.0-".hasPrefix(text) || text.hasPrefix("SSH-2.0-") { return true }
        return text.hasPrefix("Exceeded MaxStartups") || text.hasPrefix("Not allowed at this time")
    }

    package mutating func receive(_ more: UnsafeRawBufferPointer) {
        guard !isDone else { return }
        if beginning.count < 32 { beginning.append(contentsOf: more.prefix(32 - beginning.count)) }
        bytes.append(contentsOf: more.prefix(Self.limit - bytes.count))
        advance()
        if kexInit != nil || bytes.count >= Self.limit {
            isDone = true
            hasGivenUp = serverVersion == nil
            bytes = []
        }
    }

    private mutating func advance() {
        // A server may send other lines before the one that starts with "SSH-".
        while serverVersion == nil, let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            var line = bytes[start..<end]
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if line.starts(with: Array("SSH-".utf8)) {
                serverVersion = String(decoding: line, as: UTF8.self)
                introductionBytes = start
                introduction = String(decoding: bytes[..<min(start, 4_096)], as: UTF8.self)
            }
            (start, searched) = (end + 1, end + 1)
        }
        guard serverVersion != nil else { return searched = bytes.count }
        guard bytes.count >= start + 6 else { return }
        let length = bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
        let padding = Int(bytes[start + 4])
        guard length < Self.limit, length > padding + 18 else {
            isDone = true
            return
        }
        guard bytes.count >= start + 4 + length else { return }
        let messageIsKexInit = bytes[start + 5] == 20
        if messageIsKexInit { kexInit = Self.lists(bytes[(start + 22)..<(start + 4 + length - padding)]) }
        isDone = true
    }

    /// The first eight name lists of ten.
    private static func lists(_ payload: ArraySlice<UInt8>) -> SSHKexInit? {
        var rest = payload
        var lists: [[String]] = []
        while lists.count < 8 {
            guard rest.count >= 4 else { return nil }
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard rest.count >= length else { return nil }
            lists.append(
                rest.prefix(length).split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
            )
            rest = rest.dropFirst(length)
        }
        var offer = SSHKexInit()
        (offer.keyExchange, offer.hostKey) = (lists[0], lists[1])
        (offer.cipherToServer, offer.cipherToClient) = (lists[2], lists[3])
        (offer.macToServer, offer.macToClient) = (lists[4], lists[5])
        (offer.compressionToServer, offer.compressionToClient) = (lists[6], lists[7])
        return offer
    }
}
