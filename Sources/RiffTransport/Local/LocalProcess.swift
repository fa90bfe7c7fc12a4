// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A program on this machine, on three pipes: bytes both ways, standard error apart, no terminal.
///
/// The program leads a session and a process group of its own: ``close()`` reaches what it started, unless that made
/// itself independent. It runs until it ends by itself or is closed; letting go of this value does neither. Not
/// available on iOS, tvOS and visionOS, where a process cannot be started (`processNotStarted`).
///
/// The process must not ignore SIGCHLD or reap children it does not know: the exit status would be lost (`nil`).
public final class LocalProcess: ByteChannel {
    /// Standard output. Ends when everybody who holds it has closed it; throws `closed` where ``close()`` cut it short.
    public let output: ByteStream
    /// Standard error. Where nobody reads, the oldest bytes beyond 256 KiB are dropped.
    public let diagnostics: ByteStream

    private let child: LocalChild
    private let closeGrace: Duration
    private let clock: any Clock<Duration>

    /// The process id; of use only until ``exitStatus()`` returned.
    public var processID: Int32 { child.processID }

    private init(_ child: LocalChild, closeGrace: Duration, clock: any Clock<Duration>) {
        self.child = child
        self.closeGrace = closeGrace
        self.clock = clock
        output = ByteStream(child.output)
        diagnostics = ByteStream(child.diagnostics)
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - command: What to start.
    ///   - outputBytes: How much of its output waits to be read before it is not read on. Much is good for throughput,
    ///     little for those who want to see what it writes as soon as it does.
    ///   - closeGrace: How long ``close()`` lets it end after SIGINT before it kills its process group.
    ///   - clock: Measures that.
    /// - Returns: The running program.
    /// - Throws: `TransportError` with `programNotFound` or `processNotStarted`; `CancellationError`.
    public static func start(
        _ command: LocalCommand,
        outputBytes: Int = 256 * 1024,
        closeGrace: Duration = .seconds(2),
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> LocalProcess {
        let pipes = LocalChild.Pipes(outputBytes: outputBytes)
        let child = try await LocalChild.start(command, pipes: pipes, diagnosticsPolicy: .dropsOldest)
        return LocalProcess(child, closeGrace: closeGrace, clock: clock)
    }

    static func start(
        _ command: LocalCommand,
        diagnostics: LocalChild.Diagnostics,
        closeGrace: Duration,
        clock: any Clock<Duration>
    ) async throws -> LocalProcess {
        let child = try await LocalChild.start(command, diagnosticsPolicy: diagnostics)
        return LocalProcess(child, closeGrace: closeGrace, clock: clock)
    }

    /// Queues bytes for standard input, and suspends while 256 KiB wait there already.
    ///
    /// A program that is gone, or that closed its input (EPIPE), makes it throw `closed`, also when it was suspended;
    /// no SIGPIPE is raised.
    public func write(_ bytes: [UInt8]) async throws { try await child.input.send(bytes) }

    /// Closes standard input after what was written. Returns at once: the program may be waiting for its output to be
    /// read before it reads on.
    public func finishWriting() async throws { child.input.finish() }

    /// Ends the program: closes its input, sends SIGINT to its process group, and kills the group after the grace, or
    /// as soon as the program itself has ended. Returns when it is gone, also when the calling task is cancelled.
    public func close() async { await child.close(grace: closeGrace, clock: clock) }

    /// Kills the program and its process group at once; what it has not read is dropped. Returns when it is gone.
    public func abort() async {
        child.signal(SIGKILL)
        await child.close(grace: .zero, clock: clock)
    }

    /// Suspends until the program itself has ended, whether or not its output was read. `nil` where somebody else in
    /// this process took its status.
    public func exitStatus() async throws -> ExitStatus? { try await child.exited.cancellableValue() }
}
