// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
public import RiffCore

/// This machine as a host: commands by the account's shell, files by the system's calls.
///
/// Commands start in the home directory with this process's environment, each in a session of its own. As over SSH, a
/// command's output ends when everybody who holds it has closed it: a background process that is to outlive its command
/// redirects its output. File calls block, and run on threads made for that.
public final class LocalHostSession: HostSession {
    private let shell: String
    private let home: String
    private let environment: [String: String]?
    private let enrichment: EnvironmentEnrichment?
    private let clock: any Clock<Duration>
    let files: LocalFiles

    /// The time that a command that is cut short by its deadline, its limit or a cancellation may take to clean up
    /// after SIGINT.
    private static let grace = Duration.milliseconds(500)

    /// Creates a way into this machine.
    ///
    /// - Parameters:
    ///   - shell: Path of the shell that is given each command with `-c`; `nil` takes the account's (`$SHELL`).
    ///   - homeDirectory: Where commands start and relative paths begin; `nil` takes the account's (`$HOME`).
    ///   - environment: The environment of commands; `nil` gives them this process's own. `SHELL` is added where it is
    ///     missing, as sshd does it.
    ///   - asksLoginShell: Whether `PATH` and `SSH_AUTH_SOCK` are taken from the account's login shell before the first
    ///     command, for an app that was not started from a terminal.
    ///   - clock: Measures the deadlines.
    public convenience init(
        shell: String? = nil,
        homeDirectory: String? = nil,
        environment: [String: String]? = nil,
        asksLoginShell: Bool = false,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(
            shell: shell,
            homeDirectory: homeDirectory,
            environment: environment,
            enrichment: asksLoginShell ? .loginShell() : nil,
            clock: clock
        )
    }

    /// Creates a way into this machine with variables that are added to the environment, found before the first
    /// command.
    package init(
        shell: String? = nil,
        homeDirectory: String? = nil,
        environment: [String: String]? = nil,
        enrichment: EnvironmentEnrichment?,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.shell = shell ?? LocalAccount.shell()
        home = homeDirectory ?? LocalAccount.home()
        self.environment = Self.environment(environment, shell: self.shell)
        self.enrichment = enrichment
        self.clock = clock
        files = LocalFiles(home: home)
    }

    /// Why the login shell did not tell its variables; `nil` while it was not asked, and where it did. Commands run all
    /// the same, with this process's own.
    public var loginShellProblem: Problem? { enrichment?.problem.map { Problem($0) } }

    /// Runs a command to its end and collects what it wrote.
    ///
    /// A command cut short gets SIGINT, and half a second later SIGKILL with everything in its process group; this call
    /// returns when it is gone.
    ///
    /// - Returns: What it wrote, and how it ended.
    /// - Throws: `TransportError` with `timeout`, `outputTooLarge`, `programNotFound` or `processNotStarted` (the
    ///   shell); `CancellationError`.
    public func run(
        _ command: String,
        input: [UInt8],
        outputLimit: Int,
        timeout: Duration
    ) async throws -> CommandResult {
        do {
            return try await withDeadline(timeout, clock: clock) {
                try await self.complete(command, input: input, outputLimit: outputLimit)
            }
        } catch is DeadlineExceeded {
            let program = nameForMessages(of: command)
            throw TransportError(.timeout, "\(program) did not end within \(timeout) on this machine, and was ended.")
        }
    }

    private func complete(_ command: String, input: [UInt8], outputLimit: Int) async throws -> CommandResult {
        let process = try await LocalProcess.start(
            try await shellCommand(command),
            diagnostics: .backPressure,
            closeGrace: Self.grace,
            clock: clock
        )
        do {
            let result = try await process.converse(input: input, outputLimit: outputLimit)
            await process.close()
            return result
        } catch {
            await process.close()
            throw error
        }
    }

    /// Starts a command and returns the channel to it.
    public func openChannel(_ command: String) async throws -> any ByteChannel {
        try await LocalProcess.start(try await shellCommand(command), closeGrace: .seconds(2), clock: clock)
    }

    /// Services and containers start programs without `SHELL`, which ``LoginShellCommand`` asks for.
    private static func environment(_ given: [String: String]?, shell: String) -> [String: String]? {
        let variables = given ?? ProcessInfo.processInfo.environment
        guard variables["SHELL"]?.hasPrefix(bytes: "/") != true else { return given }
        return variables.merging(["SHELL": shell]) { $1 }
    }

    func shellCommand(_ line: String) async throws -> LocalCommand {
        let command = LocalCommand(shell, ["-c", line], environment: environment, directory: home)
        guard let enrichment else { return command }
        return command.adding(try await enrichment.variables())
    }
}
