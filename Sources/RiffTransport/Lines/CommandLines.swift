// Riff
// SPDX-License-Identifier: Apache-2.0

/// The lines of a command's standard output, as it writes them. A reader that stops makes the command wait.
///
/// Single-consumer. Cancelling the reading task throws `CancellationError`; ``close()`` ends the command.
public struct CommandLines: AsyncSequence, Sendable {
    /// A line; see ``LineSplitter/Line``.
    public typealias Element = LineSplitter.Line
    /// What broke the connection.
    public typealias Failure = any Error

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
        fileprivate var ready: ArraySlice<LineSplitter.Line> = []
        fileprivate var isOver = false

        /// The next line, or `nil` when the output has ended.
        public mutating func next() async throws -> LineSplitter.Line? {
            while ready.isEmpty {
                guard !isOver else { return nil }
                if let chunk = try await bytes.next() {
                    ready = splitter.push(chunk)[...]
                } else {
                    isOver = true
                    return splitter.finish()
                }
            }
            return ready.removeFirst()
        }
    }

    /// Starts the iteration.
    public func makeAsyncIterator() -> Iterator {
        Iterator(bytes: channel.output.makeAsyncIterator(), splitter: LineSplitter(limitBytes: limitBytes))
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

    /// The lines of a file, read piece by piece.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - offset: The byte to begin at.
    ///   - limitBytes: The most bytes of one line; a longer one comes in pieces.
    /// - Returns: The lines; the file is read when they are.
    public func lines(ofFile path: String, from offset: UInt64 = 0, limitBytes: Int = 1 << 20) -> FileLines {
        FileLines(session: self, path: path, offset: offset, limitBytes: limitBytes)
    }
}

/// The lines of a file up to its end as it is when it is reached. Each iteration reads anew; a missing file throws
/// `fileNotFound`.
public struct FileLines: AsyncSequence, Sendable {
    /// A line; see ``LineSplitter/Line``.
    public typealias Element = LineSplitter.Line
    /// What kept the file from being read.
    public typealias Failure = any Error

    private static let chunkBytes = 256 * 1024

    fileprivate let session: any HostSession
    fileprivate let path: String
    fileprivate let offset: UInt64
    fileprivate let limitBytes: Int

    /// Reads the file from the offset on.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let file: FileLines
        fileprivate var offset: UInt64
        fileprivate var splitter: LineSplitter
        fileprivate var ready: ArraySlice<LineSplitter.Line> = []
        fileprivate var isOver = false

        /// The next line, or `nil` at the end of the file.
        public mutating func next() async throws -> LineSplitter.Line? {
            while ready.isEmpty {
                guard !isOver else { return nil }
                let chunk = try await file.session.read(file.path, from: offset, count: FileLines.chunkBytes)
                offset += UInt64(chunk.count)
                if chunk.isEmpty {
                    isOver = true
                    return splitter.finish()
                }
                ready = splitter.push(chunk)[...]
            }
            return ready.removeFirst()
        }
    }

    /// Starts at the offset.
    public func makeAsyncIterator() -> Iterator {
        Iterator(file: self, offset: offset, splitter: LineSplitter(limitBytes: limitBytes))
    }
}
