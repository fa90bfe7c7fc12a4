// Riff
// SPDX-License-Identifier: Apache-2.0

/// A command line run by the account's shell as a login shell, so that programs are found on the PATH that the person's
/// profile sets, and never by absolute paths.
///
/// sshd gives a command to the account's shell with `-c`, and that shell is not a login shell. So the line asks it to
/// become one: `exec "$SHELL" -lc '...'`. It works where that shell is dash, bash, zsh or fish.
///
/// csh and tcsh read a line before they run it, and fail on an exclamation mark whatever quotes it. A first line
/// therefore asks for `$shell`, which only they set, and ends there with a report (``UnsupportedShell``) instead of
/// errors about the person's own text.
public struct LoginShellCommand: Sendable, Hashable {
    /// The line for the login shell.
    public let inner: String

    /// Creates a command for the login shell.
    ///
    /// - Parameter inner: A line that dash, bash, zsh and fish all understand: words from ``ShellQuoting`` or
    ///   ``ShellWord``, joined by spaces, `;`, `&&` or `||`. No `$?`, no `if`, no `$(...)`: fish has its own.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package init(_ inner: String) throws(CoreError) {
        quotedInner = try ShellQuoting.quote(inner)
        self.inner = inner
    }

    private let quotedInner: String

    /// What is sent as an SSH `exec` request (RFC 4254 section 6.5): the guard against csh, and the command.
    public var line: String { "\(UnsupportedShell.guardLine)\nexec \"$SHELL\" -lc \(quotedInner)" }

    /// The arguments that start the same command on this machine, without a shell around it.
    ///
    /// - Parameter shell: Path of the account's shell.
    /// - Returns: The program and its arguments.
    public func arguments(shell: String) -> [String] { [shell, "-lc", inner] }
}

/// A login shell that ``LoginShellCommand`` cannot use, as the host reported it.
public struct UnsupportedShell: Sendable, Hashable {
    /// Its path on the host, safe to show.
    public let path: String

    /// The status that a refused line ends with.
    public static let exitStatus = 93

    /// A refused shell.
    package init(path: String) { self.path = path }

    /// Finds the report in what a host wrote; `nil` where there is none.
    package init?(in output: some StringProtocol) {
        for line in output.byteLines {
            guard let shell = Self(line: line) else { continue }
            self = shell
            return
        }
        return nil
    }

    package init?(line: some StringProtocol) {
        guard let path = line.dropping(prefix: Self.marker + " ") else { return nil }
        self.path = InertText.quote(String(path), limitBytes: 200)
    }

    /// The error for a person, with what to change on the host.
    public func error(host: String) -> CoreError {
        CoreError(
            .unsupportedShell,
            "The login shell on \(host) is \(path), which cannot be used. Change it to bash, zsh, fish or sh on \(host), "
                + "for example with: chsh -s /bin/bash",
            recovery: .changeLoginShell(command: "chsh -s /bin/bash")
        )
    }

    private static let marker = "__RIFF_UNSUPPORTED_SHELL__"

    /// In csh and tcsh: reports, and ends. In every other shell: nothing, at no cost but a test. `$shell` may be set by
    /// the person in another shell, so its value decides. It ends by `exec`: the `exit` of csh does not end its `-c`.
    fileprivate static let guardLine =
        #"test -z "$shell" || sh -c 'case $1 in *csh) exit 1;; esac' sh "$shell" "#
        + #"|| exec sh -c 'echo; echo "\#(marker) $1"; exit \#(exitStatus)' sh "$shell""#
}

extension CoreErrorCode {
    /// The account's login shell cannot run the commands that are needed.
    public static let unsupportedShell = CoreError.Code(rawValue: "unsupportedShell")
}
