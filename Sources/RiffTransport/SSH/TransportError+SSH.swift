// Riff
// SPDX-License-Identifier: Apache-2.0

// Here and not beside the code that throws them: that code is not part of every build, and whoever decides what to do
// about an error needs the codes in each.
extension TransportErrorCode {
    /// The server refused to open a channel (RFC 4254 section 5.1): MaxSessions, forwarding not allowed, unreachable.
    public static let channelRefused = TransportError.Code(rawValue: "channelRefused")
    /// The server closed a channel without an answer to what was asked of it; a command was not run. Trying again is
    /// safe.
    public static let closedUnanswered = TransportError.Code(rawValue: "closedUnanswered")
    /// The server refused a request on a channel: no terminal, no such subsystem, no commands allowed.
    public static let channelRequestRefused = TransportError.Code(rawValue: "channelRequestRefused")
    /// The server closed the connection before its identification line came (MaxStartups, penalties).
    public static let droppedBeforeBanner = TransportError.Code(rawValue: "droppedBeforeBanner")
    /// The server at the port does not speak SSH.
    public static let notSSHServer = TransportError.Code(rawValue: "notSSHServer")
    /// The private key cannot be used: a wrong passphrase, a damaged or unsupported key.
    public static let keyUnusable = TransportError.Code(rawValue: "keyUnusable")
    /// This build or this platform has no SSH engine.
    public static let sshUnavailable = TransportError.Code(rawValue: "sshUnavailable")
    /// The peer broke the SSH protocol, or the bytes were damaged on the way.
    public static let sshProtocol = TransportError.Code(rawValue: "sshProtocol")
}
