// Riff
// SPDX-License-Identifier: Apache-2.0

/// Bytes that must not be shown: a password, a passphrase, a private key, a shared secret.
///
/// Printing, interpolating, dumping or logging a secret shows `<secret>`. It is not `Codable`, so that it cannot reach
/// preferences by accident; use a ``SecretStore``.
public struct Secret: Sendable, Hashable {
    /// The bytes themselves. Read them only where they are used.
    public let bytes: [UInt8]

    /// A secret of bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }
    /// A text secret, as UTF-8.
    public init(_ text: String) { bytes = Array(text.utf8) }

    /// Whether there are no bytes.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Compares every byte whatever the outcome, so that the time taken tells only the lengths.
    public static func == (left: Secret, right: Secret) -> Bool { constantTimeEqual(left.bytes, right.bytes) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<secret>`.
    public var description: String { "<secret>" }
    /// Always `<secret>`.
    public var debugDescription: String { "<secret>" }
    /// Shows no member.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Whether two byte strings are equal, in a time that depends on their lengths only.
package func constantTimeEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for (a, b) in zip(left, right) { difference |= a ^ b }
    return difference == 0
}
