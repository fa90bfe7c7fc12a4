// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Reads the peer's identification line (RFC 4253 section 4.2) from the first bytes of a connection.
///
/// A server may say other lines before it; all of them together, and the line, are bounded.
package struct SSHIdentificationParser: Sendable {
    /// The most bytes up to the end of the line.
    package static let limitBytes = 16 * 1_024
    /// The longest line that counts as an identification; the specification says 255 with its end.
    package static let lineLimitBytes = 255

    private var bytes: [UInt8] = []
    private var lineStart = 0
    private var searched = 0

    package init() {}

    /// Takes bytes.
    ///
    /// - Returns: The identification line without its end, and the bytes after it; `nil` while it is not whole.
    package mutating func receive(
        _ more: ArraySlice<UInt8>
    ) throws(SSHError) -> (line: [UInt8], rest: ArraySlice<UInt8>)? {
        // No more than what can still be a preamble is looked at; the rest is kept for the packets.
        bytes += more
        while let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            guard end < Self.limitBytes else { throw Self.notSSH("it talks without end") }
            var line = bytes[lineStart..<end]
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            lineStart = end + 1
            searched = lineStart
            guard line.starts(with: Array("SSH-".utf8)) else { continue }
            try Self.check(line)
            let rest = bytes[lineStart...]
            bytes = []
            return (Array(line), rest)
        }
        searched = bytes.count
        guard bytes.count < Self.limitBytes else { throw Self.notSSH("it talks without end") }
        return nil
    }

    private static func check(_ line: ArraySlice<UInt8>) throws(SSHError) {
        guard line.count <= lineLimitBytes - 2 else { throw notSSH("its identification is too long") }
        guard line.starts(with: Array("SSH-2.0-".utf8)) || line.starts(with: Array("SSH-1.99-".utf8)) else {
            throw notSSH("it has another version of the protocol")
        }
        guard !line.contains(0) else { throw notSSH("its identification has a NUL in it") }
    }

    private static func notSSH(_ why: String) -> SSHError {
        SSHError(.notSSH, "What answers there is no SSH 2 server: \(why).")
    }
}
