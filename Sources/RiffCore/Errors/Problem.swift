// Riff
// SPDX-License-Identifier: Apache-2.0

/// An error as a snapshot holds it: comparable, and made from any error, also from an app's own.
public struct Problem: Sendable, Hashable {
    /// The stable code, such as `transport.connectionLost`; `core.foreign` for an error that is not Riff's, and
    /// `core.cancelled` for a cancellation.
    public let code: String
    /// The sentence for a person: what failed, on what, and what they can do, on one line without control characters.
    /// An error that is not Riff's keeps its own words, at most 2,000 bytes of them.
    public let message: String
    /// The action that a front end can offer, if there is one.
    public let recovery: Recovery?

    /// Creates a problem from its parts, for previews and tests.
    package init(code: String, message: String, recovery: Recovery? = nil) {
        self.code = code
        self.message = InertText.message(message)
        self.recovery = recovery
    }

    /// Creates a problem from an error.
    package init(_ error: any Error) {
        let error = error.asRiffError
        self.init(code: error.stableCode, message: error.message, recovery: error.recovery)
    }
}
