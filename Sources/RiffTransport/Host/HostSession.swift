// Riff
// SPDX-License-Identifier: Apache-2.0

/// A seam: a way into a machine: run commands on it, talk to one, read and change its files.
///
/// To the implementer: every call is safe to make from many tasks at once, ends by its deadline, survives cancellation
/// of its task (the command is ended, its channel closed), and throws a ``RiffError`` that names the host and the path
/// or command's first word. A command that ends with a non-zero status is a result, not an error. Commands are given to
/// the account's login shell as one line: build them with `ShellQuoting`. Paths are absolute or relative to the
/// account's home directory, and are passed on as they are (no `~`, no globbing).
public protocol HostSession: Sendable {
    /// Runs a command to its end and collects what it wrote.
    ///
    /// - Parameters:
    ///   - command: One line for the account's login shell.
    ///   - input: Bytes for its standard input, which is then closed.
    ///   - outputLimit: The most bytes kept of standard output and of standard error, each; more is `outputTooLarge`.
    ///   - timeout: How long it may take altogether, opening included.
    /// - Returns: What it wrote, and how it ended.
    /// - Throws: A ``RiffError``; `CancellationError`.
    func run(_ command: String, input: [UInt8], outputLimit: Int, timeout: Duration) async throws -> CommandResult

    /// Starts a command and returns the channel to it; no terminal is involved and every byte value passes.
    func openChannel(_ command: String) async throws -> any ByteChannel

    /// Returns the status of the entry at a path, following links; `nil` if there is none.
    func status(of path: String) async throws -> FileStatus?

    /// The entries of a directory in no order, without `.` and `..`.
    func list(_ path: String) async throws -> [DirectoryEntry]

    /// Reads a file's bytes from `offset`, at most `count` of them; fewer at its end.
    func read(_ path: String, from offset: UInt64, count: Int) async throws -> [UInt8]

    /// Replaces a file in one step: a reader sees the old bytes or the new ones, never a part, also when the connection
    /// or either machine dies in between. The directory must exist.
    ///
    /// - Parameters:
    ///   - bytes: The new contents.
    ///   - path: The file.
    ///   - permissions: Mode bits of a new file (`0o644`); `nil` keeps those of the file replaced, or 0600.
    /// - Throws: A ``RiffError``; `CancellationError`. The old file is then still there, whole.
    func write(_ bytes: [UInt8], to path: String, permissions: UInt16?) async throws

    /// Renames within one file system, replacing a file at the new path in one step.
    func rename(_ path: String, to newPath: String) async throws

    /// Removes a file or an empty directory. Nothing there is an error (`fileNotFound`).
    func remove(_ path: String) async throws

    /// Makes a directory; its parent must exist. One there already is an error (`fileExists`).
    func makeDirectory(_ path: String, permissions: UInt16) async throws

    /// Looks at many paths at once, following links; cheap enough to be asked every second or two.
    ///
    /// - Parameter paths: Files or directories.
    /// - Returns: The fingerprints of those that are there.
    /// - Throws: A ``RiffError``; `CancellationError`.
    func fingerprints(of paths: [String]) async throws -> [String: FileFingerprint]

    /// Watches paths for changes, renames, removals and creations; see ``FileWatch``.
    ///
    /// - Parameters:
    ///   - paths: Files or directories, there or not.
    ///   - interval: The longest time between two looks. Where the host tells of changes by itself, they come sooner.
    ///   - clock: Measures the interval.
    /// - Returns: The watch, which knows how the paths are now.
    /// - Throws: A ``RiffError`` when they cannot be looked at; `CancellationError`.
    func watch(_ paths: [String], every interval: Duration, clock: any Clock<Duration>) async throws -> FileWatch

    /// Returns a view of the host for background polling, such as every two seconds, which never wakes the way to the
    /// host.
    ///
    /// - Returns: As soon as the way stands, a session that does not make it stand again; this one, where there is no
    ///   way that could sleep.
    /// - Throws: What keeps the way from standing, `closed` where it was ended; `CancellationError`.
    func withoutWaking() async throws -> any HostSession
}

extension HostSession {
    /// Runs a command with no input, 1 MiB of output at most, and 30 seconds.
    public func run(_ command: String, timeout: Duration = .seconds(30)) async throws -> CommandResult {
        try await run(command, input: [], outputLimit: 1 << 20, timeout: timeout)
    }
}

/// The result of a finished command.
public struct CommandResult: Sendable, Hashable {
    /// Standard output.
    public let output: [UInt8]
    /// Standard error.
    public let diagnostics: [UInt8]
    /// The way that the command ended; `nil` if the host did not say.
    public let exit: ExitStatus?

    /// Creates a result.
    public init(output: [UInt8], diagnostics: [UInt8] = [], exit: ExitStatus?) {
        self.output = output
        self.diagnostics = diagnostics
        self.exit = exit
    }

    /// The output as UTF-8; bytes that are not UTF-8 become U+FFFD.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// Standard error as UTF-8; bytes that are not UTF-8 become U+FFFD.
    public var diagnosticText: String { String(decoding: diagnostics, as: UTF8.self) }
}
