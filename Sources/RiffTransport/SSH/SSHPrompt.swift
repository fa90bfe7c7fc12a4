// Riff
// SPDX-License-Identifier: Apache-2.0

/// One question of a keyboard-interactive authentication (RFC 4256 section 3.2).
public struct SSHPrompt: Sendable, Hashable {
    /// The server's words, such as `Verification code: `, without control characters but tabs and line ends.
    public let text: String
    /// Whether the answer may be shown while it is typed.
    public let echoes: Bool

    /// A prompt.
    public init(text: String, echoes: Bool) {
        self.text = text
        self.echoes = echoes
    }
}
