// Riff
// SPDX-License-Identifier: Apache-2.0

/// What is wrong between this device and a host, in words for the person who set both up, and what can be done.
///
/// Whoever meets an error decides the ``Kind``; this gives the words, so that every front end says the same.
package struct ConnectionProblem: Sendable, Hashable {
    /// The open set of problems.
    package struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        package let rawValue: String

        /// Any name, also one this version does not know.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The server takes none of the keys offered.
        package static let keyNotAuthorized = Kind(rawValue: "keyNotAuthorized")
        /// No way leads to the host, or it does not answer at all.
        package static let unreachable = Kind(rawValue: "unreachable")
        /// The host answers, and nothing listens at the port.
        package static let refused = Kind(rawValue: "refused")
        /// The name means nothing to DNS.
        package static let unknownHost = Kind(rawValue: "unknownHost")
        /// The host's key is not the one that was pinned.
        package static let hostKeyMismatch = Kind(rawValue: "hostKeyMismatch")
        /// A program is not on the login shell's PATH.
        package static let programMissing = Kind(rawValue: "programMissing")
        /// The login shell is csh or tcsh.
        package static let unsupportedShell = Kind(rawValue: "unsupportedShell")
        /// The host answered once and then not in time.
        package static let timedOut = Kind(rawValue: "timedOut")
        /// The server hung up before its greeting, as sshd does when too many dial at once (MaxStartups).
        package static let droppedBeforeGreeting = Kind(rawValue: "droppedBeforeGreeting")

        /// Whether trying again later, with nothing changed by anybody, may help.
        package var isRetryable: Bool {
            let permanent: [Kind] = [.keyNotAuthorized, .hostKeyMismatch, .programMissing, .unsupportedShell]
            return !permanent.contains(self)
        }
    }

    /// What is wrong.
    package let kind: Kind
    /// The message for the person.
    package let message: String
    /// The action to offer the person.
    package let recovery: Recovery?

    /// The public key is not among the account's.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - command: What to run there to authorize the key.
    /// - Returns: The problem.
    package static func keyNotAuthorized(host: HostAddress, command: String) -> ConnectionProblem {
        let message = "Key not authorized: has the public key been added on \(host)?"
        return ConnectionProblem(.keyNotAuthorized, message, .authorizeKey(command: command))
    }

    /// No way leads to the host.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - reason: What the system said, where it said something.
    /// - Returns: The problem.
    package static func unreachable(host: HostAddress, reason: String? = nil) -> ConnectionProblem {
        let why = reason.map { ": \($0)" } ?? ""
        let message = "Can't reach \(host)\(why). Is it on, and is your private network, such as Tailscale, connected?"
        return ConnectionProblem(.unreachable, message, .checkNetwork)
    }

    /// Nothing listens at the port.
    package static func refused(host: HostAddress) -> ConnectionProblem {
        let message =
            "\(host.name) is on, but nothing answers at port \(host.port). Is SSH (Remote Login) turned on there?"
        return ConnectionProblem(.refused, message, .openSettings(.port))
    }

    /// The name means nothing to DNS.
    package static func unknownHost(host: HostAddress) -> ConnectionProblem {
        let message =
            "No machine is known by the name \(host.name). Is it spelled right, and is your private network, such as "
            + "Tailscale, connected?"
        return ConnectionProblem(.unknownHost, message, .openSettings(.host))
    }

    /// The host's key is not the pinned one.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - expected: The fingerprint that was pinned.
    ///   - got: The fingerprint that was shown now.
    ///   - pin: The id of the pin to forget, once the person has checked.
    /// - Returns: The problem.
    package static func hostKeyMismatch(
        host: HostAddress,
        expected: String,
        got: String,
        pin: String
    ) -> ConnectionProblem {
        let message =
            "The key of \(host) has changed: \(expected) was trusted, \(got) was shown. Someone may be in between. "
            + "Connect again only if you know why it changed, and after comparing the fingerprint on \(host.name) itself."
        return ConnectionProblem(.hostKeyMismatch, message, .resetHostKey(pin: pin))
    }

    /// A program is not on the PATH.
    package static func programMissing(_ program: MissingProgram, host: String) -> ConnectionProblem {
        let searched = program.searchedPath.map { " in \($0)" } ?? ""
        let message =
            "\(program.name) was not found on \(host)\(searched). Install it there, or add its folder to the PATH in your "
            + "shell's login profile."
        return ConnectionProblem(.programMissing, message, .installProgram(program.name))
    }

    /// The login shell cannot be used.
    package static func unsupportedShell(_ shell: UnsupportedShell, host: HostAddress) -> ConnectionProblem {
        let error = shell.error(host: host.description)
        return ConnectionProblem(.unsupportedShell, error.message, error.recovery)
    }

    /// The host stopped answering.
    package static func timedOut(host: HostAddress) -> ConnectionProblem {
        let message =
            "\(host) did not answer in time. Try again; if it stays so, check your private network, such as Tailscale."
        return ConnectionProblem(.timedOut, message, .retry)
    }

    /// The server hung up before its greeting.
    package static func droppedBeforeGreeting(host: HostAddress) -> ConnectionProblem {
        let message =
            "\(host) hung up before greeting, as it does when too many connections come at once. Try again in a moment."
        return ConnectionProblem(.droppedBeforeGreeting, message, .retry)
    }

    /// Returns the problem of the host that a command's end shows; `nil` if it shows none that is known.
    ///
    /// - Parameters:
    ///   - status: The command's status; `nil` where it is not known.
    ///   - output: What it wrote: standard output and standard error, or the terminal's text.
    ///   - host: The host.
    /// - Returns: A missing program or an unusable shell.
    package static func diagnose(
        status: Int?,
        output: some StringProtocol,
        host: HostAddress
    ) -> ConnectionProblem? {
        if let shell = UnsupportedShell(in: output) { return unsupportedShell(shell, host: host) }
        if let program = MissingProgram(status: status, diagnostics: output) {
            return programMissing(program, host: "\(host)")
        }
        return nil
    }

    private init(_ kind: Kind, _ message: String, _ recovery: Recovery?) {
        self.kind = kind
        self.message = InertText.message(message)
        self.recovery = recovery
    }
}
