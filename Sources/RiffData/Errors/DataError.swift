// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The error of RiffData: data at rest could not be opened, read, understood or written.
///
/// SQLite's and the file system's own errors never appear by themselves: they are the ``cause`` of one of these.
public struct DataError: RiffError {
    /// The open set of codes; each room adds its own as static members beside the code that throws it.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        public let rawValue: String

        /// Any name, also one this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// What went wrong, to switch on.
    public let code: Code
    /// What failed, on what, and what the caller can do.
    public let message: String
    /// What a front end can offer, where there is something.
    public let recovery: Recovery?
    /// The error beneath, for diagnosis; never needed to understand ``message``.
    public let cause: (any Error)?

    /// The code with its target in front.
    public var stableCode: String { "data.\(code.rawValue)" }

    /// An error of this target.
    public init(_ code: Code, _ message: String, recovery: Recovery? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.recovery = recovery
        self.cause = cause
    }
}
