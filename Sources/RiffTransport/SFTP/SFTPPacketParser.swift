// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Cuts a stream of bytes into SFTP packets: a length of four bytes, then so many bytes of which the first is the type.
package struct SFTPPacketParser: Sendable {
    /// The longest packet that is taken: what OpenSSH calls its message limit, and room for the fields around the data.
    package static let longestPacket = 256 * 1024 + 1024

    private var buffer: [UInt8] = []
    private var head = 0

    package init() {}

    /// Adds bytes, split anywhere.
    package mutating func append(_ bytes: [UInt8]) {
        if head == buffer.count {
            buffer = bytes
            head = 0
        } else {
            if head > 64 * 1024 {
                buffer.removeSubrange(..<head)
                head = 0
            }
            buffer += bytes
        }
    }

    /// The next whole packet without its length, or `nil` where more bytes are needed. Use it before the next `append`.
    ///
    /// - Throws: `TransportError` with `sftpMalformed` for a length that no SFTP server sends; the stream is then
    ///   useless.
    package mutating func next() throws(TransportError) -> ArraySlice<UInt8>? {
        guard buffer.count - head >= 4 else { return nil }
        let length = buffer[head..<head + 4].reduce(0) { $0 << 8 | Int($1) }
        guard (1...Self.longestPacket).contains(length) else {
            throw TransportError(
                .sftpMalformed,
                """
                The host's file service did not answer in SFTP. Mostly a login script on the host prints something: make \
                it silent for sessions that are not interactive.
                """
            )
        }
        guard buffer.count - head - 4 >= length else { return nil }
        defer { head += 4 + length }
        return buffer[head + 4..<head + 4 + length]
    }
}
