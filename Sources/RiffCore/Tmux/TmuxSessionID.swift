// Riff
// SPDX-License-Identifier: Apache-2.0

/// The server's own identifier of a session, such as `$3`: unlike a name, no other session of the server ever gets it.
package struct TmuxSessionID: Sendable, Hashable {
    /// The identifier as tmux writes it.
    package let rawValue: String

    /// Takes a text that is an identifier; `nil` for any other.
    package init?(_ text: String) {
        guard text.hasPrefix("$"), text.utf8.count > 1, text.utf8.count < 12,
            text.dropFirst().utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        rawValue = text
    }

    /// The number of sessions that the server had made before it.
    package var number: Int { Int(rawValue.dropFirst()) ?? 0 }

    /// The session's active pane: for `-t` of commands that take a window or a pane.
    package var paneTarget: ShellWord { ShellWord("\(rawValue):") }
}
