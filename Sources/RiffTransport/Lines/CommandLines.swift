// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The lines of a command's standard output, as it writes them. A reader that stops makes the command wait.
///
/// Single-consumer. Cancelling the reading task throws `CancellationError`; ``close()`` ends the command.
public struct CommandLines: AsyncSequence, Sendable {
    /// One line, or a piece of one that is too long.
    public struct Line: Sendable, Hashable {
        /// The bytes, without the line's end (`\n` or `\r\n`).
        public var bytes: [UInt8]
        /// Whether the line's end followed. `false` for a piece of a line that is longer than the limit, whose rest
        /// comes next, and for the bytes after the last line's end.
        public var isComplete: Bool

        init(_ line: LineSplitter.Line) {
            bytes = Array(line.bytes)
            isComplete = line.isComplete
        }

        /// The bytes as UTF-8; bytes that are not UTF-8 become U+FFFD.
        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    private let channel: any ByteChannel
    private let limitBytes: Int

    init(_ channel: any ByteChannel, limitBytes: Int) {
        self.channel = channel
        self.limitBytes = limitBytes
    }

    /// The one iterator.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var bytes: ByteStream.Iterator
        fileprivate var splitter: LineSplitter
        fileprivate var chunk: ArraySlice<UInt8> = []
        fileprivate var isOver = false

        /// The next line, or `nil` when the output has ended.
        public mutating func next() async throws -> Line? {
            while !isOver {
                if let line = splitter.next(in: &chunk) { return Line(line) }
                if let next = try await bytes.next() { chunk = next[...] } else { isOver = true }
            }
            return splitter.finish().map { Line($0) }
        }
    }

    /// Starts the iteration.
    public func makeAsyncIterator() -> Iterator {
        let splitter = LineSplitter(limitBytes: limitBytes, overflow: .pieces, stripsCR: true)
        return Iterator(bytes: channel.output.makeAsyncIterator(), splitter: splitter)
    }

    /// Suspends until the command has ended; see ``ByteChannel/exitStatus()``.
    public func exitStatus() async throws -> ExitStatus? { try await channel.exitStatus() }

    /// Everything that the command wrote to standard error, as far as it was kept; to be asked once, at the end.
    public func diagnostics() async throws -> String {
        String(decoding: try await channel.diagnostics.collect(upTo: 1 << 20), as: UTF8.self)
    }

    /// Ends the command. May be called at any time and more than once.
    public func close() async { await channel.close() }
}

extension HostSession {
    // sample: host: SSHHost
    /// Starts a command and gives its output line by line.
    ///
    /// ```swift
    /// let lines = try await host.lines(of: ShellQuoting.join(["journalctl", "-f"]))
    /// for try await line in lines { show(line.text) }
    /// ```
    ///
    /// - Parameters:
    ///   - command: One line for the account's login shell.
    ///   - limitBytes: The most bytes of one line; a longer one comes in pieces.
    /// - Returns: The lines. Close them when done: letting go does not end the command.
    /// - Throws: A ``RiffError``; `CancellationError`.
    public func lines(of command: String, limitBytes: Int = 1 << 20) async throws -> CommandLines {
        let channel = try await openChannel(command)
        try await channel.finishWriting()
        return CommandLines(channel, limitBytes: limitBytes)
    }

    /// The lines of a file up to its end as it is when it is reached, read piece by piece. Each iteration reads it
    /// again.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - offset: The byte to begin at.
    ///   - limitBytes: The most bytes of one line; a longer one comes in pieces.
    /// - Returns: The lines; the file is read when they are. A missing file throws `fileNotFound`.
    public func lines(
        ofFile path: String,
        from offset: UInt64 = 0,
        limitBytes: Int = 1 << 20
    ) -> some AsyncSequence<CommandLines.Line, any Error> & Sendable {
        FileLines(session: self, path: path, offset: offset, limitBytes: limitBytes)
    }
}
