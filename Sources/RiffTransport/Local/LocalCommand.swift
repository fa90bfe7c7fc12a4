// Riff
// SPDX-License-Identifier: Apache-2.0

/// A program to start on this machine.
public struct LocalCommand: Sendable, Hashable {
    /// The program: a name that is looked up in the absolute directories of the environment's `PATH`, or a path. A
    /// relative path with a slash is seen from ``directory``.
    public var program: String
    /// The arguments after the program's name. Each one arrives as it is; no shell is involved.
    public var arguments: [String]
    /// The whole environment of the program; `nil` gives it this process's own.
    public var environment: [String: String]?
    /// The directory it starts in; `nil` is this process's own.
    public var directory: String?

    /// A program with its arguments.
    public init(
        _ program: String,
        _ arguments: [String] = [],
        environment: [String: String]? = nil,
        directory: String? = nil
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.directory = directory
    }
}

extension TransportErrorCode {
    /// The program does not exist, or no directory of `PATH` has it.
    public static let programNotFound = TransportError.Code(rawValue: "programNotFound")
    /// The program could not be started; the message has the system's own words.
    public static let processNotStarted = TransportError.Code(rawValue: "processNotStarted")
}
