// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport
internal import Synchronization

/// A host in memory: commands are answered by a closure or a table, files are kept in memory.
public final class ScriptedHostSession: HostSession {
    /// Answers a command line and its input.
    public typealias Answer = @Sendable (_ command: String, _ input: [UInt8]) async throws -> CommandResult
    /// Opens a channel to a command line.
    public typealias Opening = @Sendable (_ command: String) async throws -> any ByteChannel

    private let answer: Answer
    private let opening: Opening?
    private let clock: any Clock<Duration>
    private let asked = Mutex<[String]>([])
    let files: Mutex<InMemoryFiles>
    let watches = Mutex<[WeakWaker]>([])

    /// A host that answers by closures.
    ///
    /// - Parameters:
    ///   - files: Contents by absolute path; their directories are there too.
    ///   - clock: Measures the deadlines of commands.
    ///   - channel: Opens channels; unless given, every opening is refused.
    ///   - answer: Answers commands.
    public init(
        files: [String: [UInt8]] = [:],
        clock: any Clock<Duration> = ContinuousClock(),
        channel: Opening? = nil,
        answer: @escaping Answer
    ) {
        self.answer = answer
        self.clock = clock
        opening = channel
        self.files = Mutex(InMemoryFiles(files))
    }

    /// A host that answers by a table; a command that is not in it throws, and names itself.
    ///
    /// - Parameters:
    ///   - answers: Results by whole command line.
    ///   - files: Contents by absolute path.
    public convenience init(_ answers: [String: CommandResult] = [:], files: [String: [UInt8]] = [:]) {
        self.init(files: files) { command, _ in
            guard let result = answers[command] else { throw Self.unknown(command) }
            return result
        }
    }

    /// Every command that was run or opened, in order.
    public var commands: [String] { asked.withLock { $0 } }

    /// Answers a command, within the limits that a real host keeps.
    public func run(
        _ command: String,
        input: [UInt8],
        outputLimit: Int,
        timeout: Duration
    ) async throws -> CommandResult {
        asked.withLock { $0.append(command) }
        let result = try await withThrowingTaskGroup(of: CommandResult.self) { group in
            group.addTask { [answer] in try await answer(command, input) }
            group.addTask { [clock] in
                try await clock.sleep(for: timeout)
                throw TransportError(.timeout, "The scripted command was not answered within \(timeout).")
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
        guard max(result.output.count, result.diagnostics.count) <= outputLimit else {
            throw TransportError(.outputTooLarge, "The scripted answer has more than \(outputLimit) bytes.")
        }
        return result
    }

    /// Opens a scripted channel.
    public func openChannel(_ command: String) async throws -> any ByteChannel {
        asked.withLock { $0.append(command) }
        guard let opening else { throw Self.unknown(command) }
        return try await opening(command)
    }

    private static func unknown(_ command: String) -> TransportError {
        TransportError(.programNotFound, "The script has no answer for: \(command)")
    }
}
