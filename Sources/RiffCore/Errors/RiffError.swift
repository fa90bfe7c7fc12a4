// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An error a person may see: what failed, on what, and what can be done about it.
///
/// Every target has one concrete type (`CoreError`, `TransportError`, ...) with the same three parts, so a front end
/// can show any of them through this protocol and never compares texts.
public protocol RiffError: LocalizedError, Sendable, CustomStringConvertible {
    /// A name that never changes between releases, such as `core.hostKeyMismatch`; safe to switch on and to log.
    var stableCode: String { get }

    /// One or two plain sentences: what failed, on what (host, path, method), and what the caller can do.
    /// It holds no secret and no payload.
    var message: String { get }

    /// The action that a front end can offer, or `nil` if nothing but reading the message helps.
    var recovery: Recovery? { get }
}

extension RiffError {
    /// The stable code and the message.
    public var description: String { "\(stableCode): \(message)" }
    /// The message: what `localizedDescription` shows.
    public var errorDescription: String? { message }
    /// Not used; the message says why.
    public var failureReason: String? { nil }
    /// Not used; ``recovery`` says it as data.
    public var recoverySuggestion: String? { nil }
    /// Not used.
    public var helpAnchor: String? { nil }
}
