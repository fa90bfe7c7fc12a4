// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension CommandResult {
    /// Why a command failed, as a code to switch on; `nil` where it succeeded.
    ///
    /// The code is read from the exit status and from the words that shells, the system's programs and `ssh` itself
    /// write to standard error (in English: run such commands with `LC_ALL=C`). What cannot be told is `commandFailed`.
    /// The message has the program's last line.
    ///
    /// - Parameters:
    ///   - command: The command line; its program's name is all that the message says of it.
    ///   - host: How to call the host.
    /// - Returns: The error, not thrown.
    public func failure(of command: String, on host: String) -> TransportError? {
        guard exit?.isSuccess != true else { return nil }
        let name = nameForMessages(of: command)
        let words = lastLine.map { ": \($0)" } ?? "."
        let code = CommandFailureReading(exit: exit, diagnostics: diagnosticText).code
        if code == .programNotFound, let program = MissingProgram(status: 127, diagnostics: diagnosticText) {
            return TransportError(
                code,
                "\(program.name) is not on the PATH of the login shell on \(host).",
                recovery: .installProgram(program.name)
            )
        }
        return TransportError(code, "\(name) failed on \(host) (\(howItEnded))\(words)")
    }

    /// The result itself, if the command succeeded.
    ///
    /// - Throws: What ``failure(of:on:)`` gives.
    @discardableResult
    package func requireSuccess(of command: String, on host: String) throws(TransportError) -> CommandResult {
        if let failure = failure(of: command, on: host) { throw failure }
        return self
    }

    private var lastLine: String? {
        let line = diagnosticText.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
        return line.map { String(InertText.line(String($0)).prefix(300)) }
    }

    private var howItEnded: String {
        switch exit {
        case .exited(let status): "status \(status)"
        case .signaled(let name): "SIG\(name)"
        case nil: "no status"
        }
    }
}

extension TransportErrorCode {
    /// A command ended with another status than 0, and nothing more is known; the message has its last words.
    public static let commandFailed = TransportError.Code(rawValue: "commandFailed")
    /// The file is no program, or may not be run (status 126).
    public static let programNotExecutable = TransportError.Code(rawValue: "programNotExecutable")
    /// The disk or the account's share of it is full.
    public static let noSpace = TransportError.Code(rawValue: "noSpace")
    /// The file system takes no changes.
    public static let readOnlyFileSystem = TransportError.Code(rawValue: "readOnlyFileSystem")
    /// The host has no memory, processes or open files left for the account.
    public static let outOfResources = TransportError.Code(rawValue: "outOfResources")
    /// A signal ended the command, or the host's own out-of-memory killer.
    public static let commandKilled = TransportError.Code(rawValue: "commandKilled")
    /// The command's own `ssh` did not trust the key of the machine it went to.
    public static let remoteHostKeyRefused = TransportError.Code(rawValue: "remoteHostKeyRefused")
}
