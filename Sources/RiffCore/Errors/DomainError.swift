// Riff
// SPDX-License-Identifier: Apache-2.0

/// The codes of one library's errors: an open set, to which each room adds static members beside the code that throws
/// them.
public protocol ErrorCode: RawRepresentable<String>, Sendable, Hashable {
    /// More that an error of this library can carry; none unless said otherwise.
    associatedtype Details: Sendable = Never

    /// The library's name at the beginning of ``RiffError/stableCode``.
    static var domain: String { get }

    /// Creates a code from its name, also from a name that this version does not know.
    init(rawValue: String)
}

/// The error of a library, such as ``CoreError``.
public struct DomainError<Codes: ErrorCode>: RiffError {
    /// The library's codes, such as `TransportError.Code.timeout`.
    public typealias Code = Codes

    /// The reason, to switch on.
    public let code: Code
    /// The sentence for a person: what failed, on what, and what the caller can do. One line of at most 4,000 bytes
    /// without control characters, whatever a peer said that is quoted in it.
    public let message: String
    /// The action that a front end can offer, if there is one.
    public let recovery: Recovery?
    /// The underlying error, for diagnosis; never needed to understand ``message``.
    public let cause: (any Error)?
    package let details: Code.Details?

    /// Creates an error.
    public init(_ code: Code, _ message: String, recovery: Recovery? = nil, cause: (any Error)? = nil) {
        self.init(code, message, recovery: recovery, cause: cause, details: nil)
    }

    package init(
        _ code: Code,
        _ message: String,
        recovery: Recovery?,
        cause: (any Error)?,
        details: Code.Details?
    ) {
        self.code = code
        self.message = InertText.message(message)
        self.recovery = recovery
        self.cause = cause
        self.details = details
    }

    /// The library's name and the code, such as `core.invalidKey`.
    public var stableCode: String { "\(Code.domain).\(code.rawValue)" }
}
