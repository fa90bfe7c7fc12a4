// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// Words of a server to the person, before it lets the user in: a notice, or the address of a page to sign in on.
public struct SSHServerWords: Sendable, Hashable {
    /// The most bytes that the text has; the middle of a longer one is left out.
    public static let longestTextBytes = 64 * 1_024

    /// The host that said it.
    public let host: HostPin
    /// The account that is logged in to.
    public let user: String
    /// The words, without control characters but tabs and line ends. One text may come in several parts.
    public let text: String
    /// Whether the words are the verified host's. Others came in clear before the key exchange (RFC 4253 section 4.2),
    /// and anybody on the way can have said them: show them as such, if at all.
    public let isVerified: Bool

    /// The web addresses in the text, in their order. Nothing opens them by itself: show the whole address, and let the
    /// person decide.
    public var links: [String] { WebLinks.links(in: text) }

    /// Creates words, for a front end's tests.
    ///
    /// - Parameters:
    ///   - host: The host that said them.
    ///   - user: The account.
    ///   - text: The words.
    ///   - isVerified: Whether the host's key was verified.
    public init(host: HostPin, user: String, text: String, isVerified: Bool) {
        self.host = host
        self.user = user
        self.text = text
        self.isVerified = isVerified
    }
}
