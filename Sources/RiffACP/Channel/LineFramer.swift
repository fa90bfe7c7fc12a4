// Riff
// SPDX-License-Identifier: Apache-2.0

/// One line of a channel.
public enum ACPFrame: Sendable, Hashable {
    /// A line without its end; never empty.
    case line(ArraySlice<UInt8>)
    /// A line of more bytes than are taken; what it was is lost, what follows is not.
    case overlong(bytes: Int)
    /// What came after the last line's end before the channel ended: half a message.
    case unfinished(ArraySlice<UInt8>)
}

/// Cuts bytes into lines, whatever chunks they come in. A line ends with `\n` or `\r\n`; empty ones are dropped.
public struct LineFramer: Sendable {
    /// The most bytes of one line.
    let limit: Int
    private var pending: [UInt8] = []
    /// How much of an overlong line was thrown away.
    private var discarded = 0

    /// How many bytes of an unfinished line were taken.
    var pendingBytes: Int { pending.count + discarded }

    /// A framer at the start of a line.
    ///
    /// - Parameter limit: The most bytes of one line.
    public init(limit: Int = 64 * 1024 * 1024) { self.limit = limit }

    /// Takes a chunk.
    ///
    /// - Returns: The lines that it completes.
    public mutating func push(_ chunk: [UInt8]) -> [ACPFrame] {
        var frames: [ACPFrame] = []
        var start = 0
        while let end = newline(in: chunk, from: start) {
            add(chunk[start..<end], to: &frames)
            start = end + 1
        }
        keep(chunk[start...])
        return frames
    }

    /// Tells what is left at the end; `nil` where the last line had its end.
    public mutating func finish() -> ACPFrame? {
        defer {
            pending = []
            discarded = 0
        }
        if discarded > 0 { return .overlong(bytes: discarded) }
        return pending.isEmpty ? nil : .unfinished(pending[...])
    }

    private func newline(in chunk: [UInt8], from start: Int) -> Int? {
        chunk.withUnsafeBufferPointer { bytes in
            var place = start
            while place < bytes.count {
                if bytes[place] == 0x0A { return place }
                place += 1
            }
            return nil
        }
    }

    private mutating func add(_ part: ArraySlice<UInt8>, to frames: inout [ACPFrame]) {
        defer { discarded = 0 }
        let bytes = discarded + pending.count + part.count
        guard bytes <= limit else {
            pending = []
            frames.append(.overlong(bytes: bytes))
            return
        }
        var line = part
        if !pending.isEmpty {
            pending += part
            line = pending[...]
            pending = []
        }
        if line.last == 0x0D { line = line.dropLast() }
        if !line.isEmpty { frames.append(.line(line)) }
    }

    private mutating func keep(_ part: ArraySlice<UInt8>) {
        guard discarded + pending.count + part.count <= limit else {
            discarded += pending.count + part.count
            pending = []
            return
        }
        pending += part
    }
}
