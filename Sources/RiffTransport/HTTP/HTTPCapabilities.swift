// Riff
// SPDX-License-Identifier: Apache-2.0

/// The parts of the contract of ``HTTPTransport`` that a transport keeps if the system beneath it does not let it keep
/// all.
///
/// Whatever a transport leaves out ends in a typed error or within a stated bound, but for ``brokenHeads``.
/// RiffTesting's conformance checks leave out what needs a missing capability.
public struct HTTPCapabilities: OptionSet, Sendable, Hashable {
    /// The bits; they mean nothing outside of this process.
    public let rawValue: Int

    /// A set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A reader that stops reading the response stops the peer. Without it the unread rest is held in memory, up to a
    /// limit of the transport's.
    public static let responseBackPressure = HTTPCapabilities(rawValue: 1 << 0)
    /// The request's body goes out while it is made, no faster than the peer takes it, and an answer may come before
    /// its end. Without it the body is gathered first, up to a limit of the transport's, and sent with its length.
    package static let requestStreaming = HTTPCapabilities(rawValue: 1 << 1)
    /// The connect deadline is kept by itself, and what ends before there is a connection is `httpNeverConnected`.
    /// Without it connect and idle deadline count together until something is heard of the peer, and end in `timeout`.
    package static let connectDeadline = HTTPCapabilities(rawValue: 1 << 2)
    /// What is not HTTP is `httpMalformed` and a failed handshake `tlsFailed`. Without it both may be `connectionLost`,
    /// which says less and claims nothing wrong.
    package static let exactFailures = HTTPCapabilities(rawValue: 1 << 3)
    /// Header fields of one name come one by one, as they were sent. Without it they are joined with commas.
    package static let repeatedFields = HTTPCapabilities(rawValue: 1 << 4)
    /// An answer that ends inside its head is a lost connection. Without it a system's library ends the process there:
    /// such a transport is for servers that are trusted, and for tests.
    package static let brokenHeads = HTTPCapabilities(rawValue: 1 << 5)

    /// The whole contract.
    public static let all: HTTPCapabilities = [
        .responseBackPressure, .requestStreaming, .connectDeadline, .exactFailures, .repeatedFields,
        .brokenHeads,
    ]
}
