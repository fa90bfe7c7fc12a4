// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// One line of a channel.
public enum ACPFrame: Sendable, Hashable {
    /// A line without its end; never empty.
    case line(ArraySlice<UInt8>)
    /// A line of more bytes than are taken; what it was is lost, what follows is not.
    case overlong(bytes: Int)
    /// The bytes after the last line's end before the channel ended: half a message.
    case unfinished(ArraySlice<UInt8>)
}

/// Cuts bytes into lines, whatever chunks they come in. A line ends with `\n` or `\r\n`; empty ones are dropped.
public struct LineFramer: Sendable {
    private var splitter: LineSplitter

    /// The number of bytes that were taken of an unfinished line.
    var pendingBytes: Int { splitter.heldBytes }

    /// A framer at the start of a line.
    ///
    /// - Parameter limit: The most bytes of one line.
    public init(limit: Int = 64 * 1024 * 1024) {
        splitter = LineSplitter(limitBytes: limit, overflow: .drops, stripsCR: true)
    }

    /// Whether what comes is dropped up to the next line's end.
    var isSkipping: Bool { splitter.isSkipping }

    /// Drops what comes up to the next line's end.
    mutating func skipLine() { splitter.skipLine() }

    /// Takes a chunk.
    ///
    /// - Returns: The lines that it completes.
    public mutating func push(_ chunk: [UInt8]) -> [ACPFrame] { push(chunk[...]) }

    mutating func push(_ chunk: ArraySlice<UInt8>) -> [ACPFrame] {
        var frames: [ACPFrame] = []
        var rest = chunk
        while let line = splitter.next(in: &rest) {
            if line.isCut {
                frames.append(.overlong(bytes: line.droppedBytes))
            } else if !line.bytes.isEmpty {
                frames.append(.line(line.bytes))
            }
        }
        return frames
    }

    /// Tells what is left at the end; `nil` where the last line had its end.
    public mutating func finish() -> ACPFrame? {
        splitter.finish().map { $0.isCut ? .overlong(bytes: $0.droppedBytes) : .unfinished($0.bytes) }
    }
}
