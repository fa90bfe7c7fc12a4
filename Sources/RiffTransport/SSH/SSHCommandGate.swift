// Riff
// SPDX-License-Identifier: Apache-2.0

/// The gate that keeps a command from running before the server has answered that it runs.
///
/// dropbear 2022.83 may close a channel unanswered and start its command all the same: asked for again on another
/// channel, it would run twice. So there a command's shell first waits for a line of its input, which follows the
/// answer, and is killed where the input ends instead. `read` takes that line alone: what comes behind it is the
/// command's.
package enum SSHCommandGate {
    /// The bytes that open the gate.
    package static let opening: [UInt8] = [UInt8(ascii: "\n")]

    /// Whether a server's commands need it, which costs them a round trip.
    ///
    /// - Parameter version: How the server names itself, such as `SSH-2.0-dropbear_2022.83` (RFC 4253 section 4.2).
    /// - Returns: `true` for dropbear, whichever version.
    package static func isNeeded(by version: String) -> Bool { version.contains("dropbear") }

    /// Returns the command line that the server is asked to run.
    ///
    /// - Parameters:
    ///   - command: The caller's line, for the login shell.
    ///   - report: What is written to standard error before it, with the login shell's process number behind it.
    ///   - isGated: Whether it waits for ``opening``.
    /// - Returns: A line that means the same to every login shell, csh included: a line of plain words, and the
    ///   caller's own line, which is not touched.
    package static func line(_ command: String, report: String?, isGated: Bool) -> String {
        let echo = report.map { "echo \($0) $PPID >&2" }
        guard isGated else { return echo.map { "sh -c '\($0)'; \(command)" } ?? command }
        return "sh -c 'if read -r go; then \(echo ?? ":"); else kill -9 $PPID; fi'; \(command)"
    }
}
