// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto

/// The identity of a chat among all chats of a front end: what kind of place it is held at, at whose, and its name
/// there. Two agents may give the same name; these are two chats.
public struct ChatID: Sendable, Hashable {
    /// The kind of place.
    public let source: ChatSource
    /// The owner: a host, an agent or an account, in words of the front end's that mean exactly one.
    public let owner: String
    /// Its name there, such as a session's id.
    public let name: String

    /// Creates an identity.
    public init(_ source: ChatSource, owner: String, name: String) {
        (self.source, self.owner, self.name) = (source, owner, name)
    }

    /// The identity in one text of at most 512 bytes, which no other identity has: the key of the chat in a store.
    public var text: String {
        // Each length says where its part ends, so that no parts of another identity read the same.
        let lengths = "\(source.rawValue.utf8.count).\(owner.utf8.count)"
        let whole = "\(source.rawValue):\(lengths):\(owner):\(name)"
        guard whole.utf8.count > Self.limitBytes else { return whole }
        // "#" cannot begin a whole one that is equal: there a number's digits follow the first colon.
        let digest = SHA256.hash(data: Array("\(lengths):\(source.rawValue)\(owner)\(name)".utf8))
        return "chat:#" + digest.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }.joined()
    }

    private static let limitBytes = 512
}
