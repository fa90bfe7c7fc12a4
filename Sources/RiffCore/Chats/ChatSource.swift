// Riff
// SPDX-License-Identifier: Apache-2.0

/// A kind of place where a chat is held; an open set.
public struct ChatSource: RawRepresentable, Sendable, Hashable {
    /// The name itself.
    public let rawValue: String

    /// Creates a source from its name, also one that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A coding agent, over the Agent Client Protocol.
    public static let acp = ChatSource(rawValue: "acp")
    /// A chat gateway.
    public static let gateway = ChatSource(rawValue: "gateway")
    /// A Riff server.
    public static let riff = ChatSource(rawValue: "riff")
    /// A voice of a hub.
    public static let hub = ChatSource(rawValue: "hub")
    /// The database of a Hermes agent.
    public static let hermes = ChatSource(rawValue: "hermes")
    /// Taken over from RemoteClaw.
    package static let remoteClaw = ChatSource(rawValue: "remoteclaw")
    /// Anything else.
    public static let other = ChatSource(rawValue: "other")
}
