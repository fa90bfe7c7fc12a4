// Riff
// SPDX-License-Identifier: Apache-2.0

/// Text for the arguments that tmux expands as a format: a new session's name and its start directory. Unescaped,
/// `#(command)` in a directory's name would be run.
package enum TmuxFormat {
    /// The text with every `#` doubled, but those right before a `[`: tmux keeps those as they are, however many (seen
    /// with 3.3a; tmux(1), FORMATS and STYLES).
    package static func escape(_ text: String) -> String {
        var escaped: [UInt8] = []
        var run = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "#") {
                run += 1
                continue
            }
            appendRun(run, doubled: byte != UInt8(ascii: "["), to: &escaped)
            run = 0
            escaped.append(byte)
        }
        appendRun(run, doubled: true, to: &escaped)
        return String(decoding: escaped, as: UTF8.self)
    }

    private static func appendRun(_ count: Int, doubled: Bool, to escaped: inout [UInt8]) {
        escaped.append(contentsOf: repeatElement(UInt8(ascii: "#"), count: doubled ? count * 2 : count))
    }
}
