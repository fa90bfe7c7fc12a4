// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample:
/// Connects by a command of this machine whose standard input and output are the connection, as `ProxyCommand` of
/// ssh_config(5) does: `nc`, `cloudflared access ssh`, a cloud's own session program.
///
/// The command runs in `/bin/sh` and leads a process group of its own, which ends with the connection. What it writes
/// to standard error is quoted where the connection fails. Not available on iOS, tvOS and visionOS, where a process
/// cannot be started (`processNotStarted`).
///
/// ```swift
/// let dialer = try CommandDialer("nc %h %p")
/// ```
public struct CommandDialer: HostDialer {
    private let tokens: CommandLineTokens
    private let user: String?
    private let name: String?
    private let environment: [String: String]?

    /// Creates a dialer; nothing is started yet.
    ///
    /// - Parameters:
    ///   - line: A line for `sh` with the tokens `%h` (the host's name), `%p` (its port), `%r` (the user), `%n` (the
    ///     name that was asked for) and `%%`.
    ///   - user: Stands for `%r`.
    ///   - name: Stands for `%n`; the host's name where it is `nil`.
    ///   - environment: The whole environment of the command; `nil` gives it this process's own.
    /// - Throws: `TransportError` with `dialerUnusable` for an empty line, or one with another token.
    public init(
        _ line: String,
        user: String? = nil,
        name: String? = nil,
        environment: [String: String]? = nil
    ) throws(TransportError) {
        tokens = try CommandLineTokens(line)
        self.user = user
        self.name = name
        self.environment = environment
    }

    /// Starts the command; see ``HostDialer/dial(_:within:)``. Whether it reaches the host shows with its first bytes.
    ///
    /// - Parameters:
    ///   - address: The host and the port.
    ///   - limit: Not needed: a command is started at once.
    /// - Returns: The running command, which the caller closes.
    /// - Throws: `TransportError` with `dialerUnusable` where a token has no value or one that means something to a
    ///   shell, `programNotFound` or `processNotStarted`; `CancellationError`.
    public func dial(_ address: HostAddress, within limit: Duration) async throws -> any ByteChannel {
        let line = try tokens.line(for: address, user: user, name: name)
        // With `exec` the shell does not stay beside the command, and signals reach it.
        let command = LocalCommand("/bin/sh", ["-c", "exec \(line)"], environment: environment)
        return try await LocalProcess.start(command, closeGrace: .milliseconds(500))
    }
}
