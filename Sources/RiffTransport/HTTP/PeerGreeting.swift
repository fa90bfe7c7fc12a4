// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The first bytes of a peer that does not speak HTTP, as the cause of an error that says so.
package struct PeerGreeting: Error, Hashable {
    /// The most bytes that are looked at.
    package static let limitBytes = 96

    /// A phrase that says what answered.
    package let phrase: String

    /// Creates a greeting from the first bytes of a connection; `nil` where nothing came, or what did is HTTP.
    package init?(_ bytes: some Collection<UInt8>) {
        let bytes = bytes.prefix(Self.limitBytes)
        guard !bytes.isEmpty, !bytes.starts(with: "HTTP/".utf8.prefix(bytes.count)) else { return nil }
        let known = Self.known.first { bytes.starts(with: $0.start) }?.name
        // Half a character at the end would be a mark of its own.
        let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        let isText = !line.isEmpty && line.allSatisfy { (0x20...0x7E).contains($0) }
        let words = isText ? InertText.line(String(decoding: line.prefix(64), as: UTF8.self)) : ""
        let quoted = words.isEmpty ? "" : " (\u{201C}\(words)\u{201D})"
        phrase = (known ?? "something that does not speak HTTP") + quoted
    }

    private static let known: [(start: [UInt8], name: String)] = [
        (Array("SSH-".utf8), "an SSH server"), (Array("220".utf8), "a mail or file server"),
        (Array("+OK".utf8), "a mail server"), (Array("* OK".utf8), "a mail server"),
        (Array("RFB ".utf8), "a server of remote screens (VNC)"), (Array("-ERR".utf8), "a Redis server"),
        (Array("-DENIED".utf8), "a Redis server"),
        // An alert or a handshake of TLS; the settings of HTTP/2.
        ([0x15, 0x03], "a server that wants TLS (https)"), ([0x16, 0x03], "a server that wants TLS (https)"),
        ([0x00, 0x00, 0x12, 0x04], "a server that speaks HTTP/2 alone"),
        ([0x00, 0x00, 0x00, 0x04], "a server that speaks HTTP/2 alone"),
    ]
}

extension DomainError<TransportErrorCode> {
    /// A phrase that says what answered, where it was not HTTP and its first bytes are known.
    package var peerPhrase: String? { (cause as? PeerGreeting)?.phrase }
}
