// Riff
// SPDX-License-Identifier: Apache-2.0

/// A POSIX shell line run on a host without a terminal, framed so that its output can be told from everything else.
///
/// A login profile may print what it likes before the command. So the output stands between two marker lines that carry
/// a number used once, and the end marker carries the command's status: what came before, what came after, and output
/// that happens to show a marker are not mistaken for it, and an empty output is told from a connection that died. The
/// account's login shell only finds the PATH; the line itself is run by `sh`, whatever the login shell is.
///
/// Give ``line`` to the host, and the standard output to a ``ManagementOutputParser``.
package struct ManagementCommand: Sendable, Hashable {
    /// The POSIX shell line.
    package let command: String
    /// The number used once: 32 hexadecimal digits.
    package let nonce: String
    /// What is sent to the host as an `exec` request.
    package let line: String

    /// A command with a number from a generator.
    ///
    /// - Parameters:
    ///   - command: A line for `sh`; build its words with ``ShellQuoting``.
    ///   - generator: Where the number comes from.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package init(_ command: String, using generator: inout some RandomNumberGenerator) throws(CoreError) {
        let nonce = Self.makeNonce(using: &generator)
        let framed = try ShellQuoting.join(["exec", "sh", "-c", Self.script, "riff", command, nonce])
        self.command = command
        self.nonce = nonce
        line = try LoginShellCommand(framed).line
    }

    /// A command with a number from the system's generator.
    ///
    /// - Parameter command: A line for `sh`; build its words with ``ShellQuoting``.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package init(_ command: String) throws(CoreError) {
        var generator = SystemRandomNumberGenerator()
        try self.init(command, using: &generator)
    }

    /// The words that begin the line after which the command's output follows, before the number.
    package static let beginMarker = "__RIFF_BOF__"
    /// The words that begin the line after the command's output, before the number and the status.
    package static let endMarker = "__RIFF_EOF__"

    /// The command's standard error, without what a login profile wrote there before it.
    ///
    /// - Parameter bytes: All of the standard error.
    /// - Returns: What followed the begin marker, or everything where the command did not begin.
    package func diagnostics(in bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        let marker = "\n\(Self.beginMarker) \(nonce)\n"
        guard let begin = text.firstRange(of: marker) else { return text }
        return String(text[begin.upperBound...])
    }

    /// Returns the text that a login profile wrote before the command began, to standard output and to standard error;
    /// the latter only if the command began.
    package func chatter(output: [UInt8], diagnostics: [UInt8]) -> String {
        let marker = Array("\n\(Self.beginMarker) \(nonce)\n".utf8)
        let parts = [output, diagnostics].compactMap { bytes in
            bytes.firstRange(of: marker).map { String(decoding: bytes[..<$0.lowerBound], as: UTF8.self) }
        }
        return parts.joined(separator: "\n")
    }

    /// The markers are put together on the host, so that a process list in the output cannot show a whole one. The
    /// line's end before each keeps it at the start of a line; the parser takes it away again.
    private static let script =
        #"echo; echo "\#(beginMarker) $2"; echo >&2; echo "\#(beginMarker) $2" >&2; "#
        + #"(eval "$1"); s=$?; echo; echo "\#(endMarker) $2 $s"; exit "$s""#

    private static func makeNonce(using generator: inout some RandomNumberGenerator) -> String {
        (0..<2).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
