// Riff
// SPDX-License-Identifier: Apache-2.0

/// A link that a program put on its text with OSC 8.
public struct ScreenLink: Sendable, Hashable {
    /// The address as the program gave it. It comes from whatever the program shows: open it only after
    /// a person asked for it, and after a look at its scheme.
    public let uri: String
    /// The program's name for the link: cells of one link that are apart on the screen share it.
    public let id: String?

    /// Creates a link.
    package init(uri: String, id: String? = nil) {
        self.uri = uri
        self.id = id
    }

    /// The longest address that is taken.
    static let maximumBytes = 2083
}
