// Riff
// SPDX-License-Identifier: Apache-2.0

/// One thing that a host must have so that sessions can run on it, and the outcome of checking for it.
public struct HostCheck: Sendable {
    /// The open set of checks.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        public let rawValue: String

        /// Any name, also one this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The private key can be used at all; needs no network.
        public static let key = Kind(rawValue: "key")
        /// The host through which this one is reached lets us in.
        package static let jumpHost = Kind(rawValue: "jumpHost")
        /// The name is known, a way leads there, and something listens at the port.
        public static let network = Kind(rawValue: "network")
        /// The listener is an SSH server that takes new connections.
        public static let server = Kind(rawValue: "server")
        /// Its key is the one that is trusted.
        public static let hostKey = Kind(rawValue: "hostKey")
        /// It lets this user in with this key.
        public static let authorization = Kind(rawValue: "authorization")
        /// The account's login shell runs commands and keeps quiet.
        package static let loginShell = Kind(rawValue: "loginShell")
        /// tmux is there, new enough, and its sessions can be listed.
        public static let tmux = Kind(rawValue: "tmux")
        /// The program that a new session starts is there.
        public static let harness = Kind(rawValue: "harness")

        /// All of them in the order in which they are made, but ``jumpHost``, which few hosts have.
        public static let order: [Kind] = [
            .key, .network, .server, .hostKey, .authorization, .loginShell, .tmux, .harness,
        ]

        /// Those that the host itself answers, in the order in which they are made: all of a host whose connection is
        /// a front end's own.
        package static let onceConnected: [Kind] = [.loginShell, .tmux, .harness]
    }

    /// The outcome of a check.
    public enum Outcome: Sendable {
        /// Not made: an earlier one failed, or comes first.
        case notReached
        /// Being made.
        case running
        /// All is well.
        case passed
        /// It works, and there is something to mend all the same.
        case warned(any RiffError)
        /// It does not work, for this reason; ``RiffError/recovery`` says what can be done.
        case failed(any RiffError)
    }

    /// What is checked.
    public let kind: Kind
    /// The outcome of this check.
    public internal(set) var outcome = Outcome.notReached
    /// The finding, if there is something to show: `tmux 3.3a`, the path of a program, a profile's first line.
    public internal(set) var detail: String?

    /// The error of a check that warned or failed.
    public var problem: (any RiffError)? {
        switch outcome {
        case .notReached, .running, .passed: nil
        case .warned(let problem), .failed(let problem): problem
        }
    }

    /// Whether it is known to work, with or without a warning.
    public var isSatisfied: Bool {
        switch outcome {
        case .notReached, .running, .failed: false
        case .passed, .warned: true
        }
    }
}
