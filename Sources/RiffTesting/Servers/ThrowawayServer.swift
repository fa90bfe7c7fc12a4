// Riff
// SPDX-License-Identifier: Apache-2.0

/// A real SSH server on 127.0.0.1 that lives for one test or one demonstration: its own host keys, its own list of
/// authorized keys, the account this process runs as.
///
/// It ends with ``stop()``, and also when the process that started it dies, however that happens: nothing of it is
/// left behind.
public protocol ThrowawayServer: Sendable {
    /// The address to dial.
    var host: String { get }
    /// The port to dial; it does not change at ``restart(replacingHostKeys:)``.
    var port: Int { get }
    /// The account to log in as.
    var user: String { get }
    /// The public half of the first host key: `ssh-ed25519 AAAA...`, without a comment.
    var hostPublicKeyLine: String { get throws }
    /// Everything the server has written so far, a line each.
    var log: String { get }
    /// The number of lines of ``log``: the place from which a later ``waitForLog(containing:after:within:)`` starts.
    var logLineCount: Int { get }

    /// Lets a key in, from the next authentication on.
    ///
    /// - Parameter publicKeyLine: A line as in `authorized_keys`, options in front included.
    /// - Throws: The file system's error.
    func authorize(_ publicKeyLine: String) throws

    /// Lets no key in any more. Connections that are open stay open.
    func revokeAll() throws

    /// Suspends until the log has a line that contains a text.
    ///
    /// - Parameters:
    ///   - text: What to look for.
    ///   - line: The number of lines to skip; 0 looks at everything.
    ///   - limit: How long to wait.
    /// - Returns: The first such line.
    /// - Throws: ``TestingError`` with `serverSilent` (its message has the log) or `serverEnded`; `CancellationError`.
    @discardableResult
    func waitForLog(containing text: String, after line: Int, within limit: Duration) async throws -> String

    /// Kills the server and all its connections at once, as a host that loses its power. What its sessions sent into
    /// the background (a tmux server) goes on. The port refuses connections until ``restart(replacingHostKeys:)``.
    func halt() async throws

    /// Halts the server where it runs, and starts it again on the same port.
    ///
    /// - Parameter replacingHostKeys: Whether it comes back with new host keys, as another machine would.
    /// - Throws: ``TestingError``, as at the first start.
    func restart(replacingHostKeys: Bool) async throws

    /// Kills the server, its sessions and (on Linux) all that they sent into the background, and removes its folder.
    /// Returns when that is done; may be called more than once.
    func stop() async
}

extension ThrowawayServer {
    /// 127.0.0.1.
    public var host: String { "127.0.0.1" }

    /// Waits up to 10 seconds for a line anywhere in the log.
    @discardableResult
    public func waitForLog(containing text: String) async throws -> String {
        try await waitForLog(containing: text, after: 0, within: .seconds(30))
    }

    /// Waits up to 10 seconds for a line of the log after those already there at `line`.
    @discardableResult
    public func waitForLog(containing text: String, after line: Int) async throws -> String {
        try await waitForLog(containing: text, after: line, within: .seconds(30))
    }

    /// Starts the server again with the same host keys.
    public func restart() async throws { try await restart(replacingHostKeys: false) }
}
