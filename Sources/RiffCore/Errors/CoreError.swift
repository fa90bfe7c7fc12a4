// Riff
// SPDX-License-Identifier: Apache-2.0

/// The error of RiffCore: a value that cannot be used, or a local store that could not be read or written.
public typealias CoreError = DomainError<CoreErrorCode>

/// The codes of ``CoreError``.
public struct CoreErrorCode: ErrorCode {
    /// `core`.
    public static let domain = "core"
    /// The name itself.
    public let rawValue: String

    /// Creates a code from its name, also from a name that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }
}
