// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The error of RiffTesting: a test's own equipment did not work, so the test says nothing about what it tests.
public typealias TestingError = DomainError<TestingErrorCode>

/// The codes of ``TestingError``.
public struct TestingErrorCode: ErrorCode {
    /// `testing`.
    public static let domain = "testing"
    /// The name itself.
    public let rawValue: String

    /// Creates a code from its name, also from a name that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }
}
