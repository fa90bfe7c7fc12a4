// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A problem as it is shown: any error of this package, comparable.
public struct ShownProblem: Sendable, Hashable {
    /// A name that never changes.
    public let code: String
    /// A text for the person.
    public let message: String
    /// The remedy to offer them, or `nil`.
    public let recovery: Recovery?

    /// Creates a problem.
    public init(code: String, message: String, recovery: Recovery? = nil) {
        self.code = code
        self.message = message
        self.recovery = recovery
    }

    /// Creates the problem that an error is; an error of another package keeps its own words.
    public init(_ error: any Error) {
        if let error = error as? any RiffError {
            self.init(code: error.stableCode, message: error.message, recovery: error.recovery)
        } else if error is CancellationError {
            self.init(code: "data.cancelled", message: "It was stopped before it was done.", recovery: .retry)
        } else {
            self.init(code: "data.failed", message: "\(error)")
        }
    }

    /// Whether somebody else changed what was to be changed.
    public var isConflict: Bool { code == DataError(.fileChanged, "").stableCode }
}
