// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The error of RiffHub: a voice hub could not be asked, does not have what was asked, or is none that is known.
public struct HubError: RiffError {
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
    /// The status of the HTTP answer, where it was not a success.
    public let status: Int?

    /// The code with its target in front.
    public var stableCode: String { "hub.\(code.rawValue)" }

    /// An error of this target.
    public init(
        _ code: Code,
        _ message: String,
        recovery: Recovery? = nil,
        cause: (any Error)? = nil,
        status: Int? = nil
    ) {
        (self.code, self.message, self.recovery, self.cause) = (code, message, recovery, cause)
        self.status = status
    }
}

/// An error as a state can hold it: what a front end shows.
public struct HubFailure: Sendable, Hashable {
    /// The stable code, as in `hub.spawnTimedOut`.
    public let code: String
    /// What failed and what can be done.
    public let message: String
    /// What a front end can offer.
    public let recovery: Recovery?

    /// A failure; for tests and previews.
    public init(code: String, message: String, recovery: Recovery? = nil) {
        (self.code, self.message, self.recovery) = (code, message, recovery)
    }

    /// What an error says; of one that says nothing to a person only that there was one.
    init(_ error: any Error) {
        if let error = error as? any RiffError {
            self.init(code: error.stableCode, message: error.message, recovery: error.recovery)
        } else {
            self.init(code: "hub.unknown", message: "Something unexpected failed; try again.", recovery: .retry)
        }
    }
}
