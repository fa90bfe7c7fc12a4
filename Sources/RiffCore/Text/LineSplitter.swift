// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A splitter of a stream of bytes into lines at LF, whatever chunks the bytes come in.
///
/// Its time is linear in the bytes, and it holds no more than one line. A line that is in one chunk is a slice of it.
package struct LineSplitter: Sendable {
    /// The treatment of a line that is longer than the limit.
    package enum Overflow: Sendable {
        /// It comes in pieces of at most the limit, cut between characters; nothing is lost.
        case pieces
        /// Its beginning is kept, and the rest is dropped.
        case keepsBeginning
        /// All of it is dropped; only its length is known.
        case drops
    }

    /// One line, or a piece of one.
    package struct Line: Sendable, Hashable {
        /// The bytes that were kept, without the line's end.
        package var bytes: ArraySlice<UInt8>
        /// The number of bytes of a line that is too long that were dropped.
        package var droppedBytes = 0
        /// Whether the line's end followed: not after a piece of a line, nor after the last line's end.
        package var isComplete: Bool

        /// Whether it is longer than the limit and not whole.
        package var isCut: Bool { droppedBytes > 0 }
    }

    /// The most bytes of one line; a CR before its LF counts.
    package let limitBytes: Int
    private let overflow: Overflow
    private let stripsCR: Bool
    private var held: [UInt8] = []
    private var droppedBytes = 0
    /// Whether bytes are skipped up to the next line's end.
    package private(set) var isSkipping = false

    /// Creates a splitter at the beginning of a line.
    ///
    /// - Parameters:
    ///   - limitBytes: The most bytes of one line; with pieces at least 8.
    ///   - overflow: The treatment of a longer line.
    ///   - stripsCR: Whether a CR before the LF belongs to the line's end.
    package init(limitBytes: Int, overflow: Overflow, stripsCR: Bool) {
        // A piece holds two characters at least, so that there is a place between them.
        self.limitBytes = max(limitBytes, overflow == .pieces ? 8 : 0)
        self.overflow = overflow
        self.stripsCR = stripsCR
    }

    /// The number of bytes since the last line's end, dropped ones too; those of a skipped line do not count.
    package var heldBytes: Int { held.count + droppedBytes }

    /// Whether the line that has not ended yet is too long already.
    package var isCut: Bool { droppedBytes > 0 }

    /// Skips all bytes up to the next line's end, and what is held.
    package mutating func skipLine() {
        held = []
        droppedBytes = 0
        isSkipping = true
    }

    /// Takes bytes from the front of a chunk, up to the end of a line or piece.
    ///
    /// - Parameter chunk: The bytes that come next; the taken ones are removed.
    /// - Returns: The line or piece; `nil` once the chunk is empty.
    package mutating func next(in chunk: inout ArraySlice<UInt8>) -> Line? {
        if isSkipping { skip(in: &chunk) }
        let room = limitBytes - held.count
        let mayCut = overflow == .pieces && chunk.count > room
        // A longer look would go through the same bytes again for each piece.
        let window = mayCut ? chunk.prefix(room + 1) : chunk
        if let end = Self.lineEnd(in: window) {
            let line = complete(chunk[..<end])
            chunk = chunk[(end + 1)...]
            return line
        }
        if mayCut { return piece(of: &chunk) }
        keep(chunk)
        chunk = []
        return nil
    }

    /// Takes the next bytes.
    ///
    /// - Returns: The lines that are whole now, and pieces of one that is too long.
    package mutating func push(_ bytes: some Collection<UInt8>) -> [Line] {
        var lines: [Line] = []
        var rest = Array(bytes)[...]
        while let line = next(in: &rest) { lines.append(line) }
        return lines
    }

    /// Ends the stream.
    ///
    /// - Returns: The bytes after the last line's end; `nil` if there are none. The splitter is at the beginning of a
    ///   line then.
    package mutating func finish() -> Line? {
        defer {
            held = []
            droppedBytes = 0
            isSkipping = false
        }
        return heldBytes == 0 ? nil : Line(bytes: held[...], droppedBytes: droppedBytes, isComplete: false)
    }

    /// `memchr` goes through bytes many times as fast as a loop.
    private static func lineEnd(in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress, let found = memchr(start, 0x0A, buffer.count) else { return nil }
            return bytes.startIndex + (UnsafeRawPointer(found) - start)
        }
    }

    private mutating func skip(in chunk: inout ArraySlice<UInt8>) {
        guard let end = Self.lineEnd(in: chunk) else {
            chunk = []
            return
        }
        isSkipping = false
        chunk = chunk[(end + 1)...]
    }

    private mutating func complete(_ part: ArraySlice<UInt8>) -> Line {
        var bytes = part
        if heldBytes > 0 || part.count > limitBytes {
            keep(part)
            bytes = held[...]
            held = []
        }
        defer { droppedBytes = 0 }
        if stripsCR, droppedBytes == 0, bytes.last == 0x0D { bytes = bytes.dropLast() }
        return Line(bytes: bytes, droppedBytes: droppedBytes, isComplete: true)
    }

    private mutating func keep(_ part: ArraySlice<UInt8>) {
        let room = limitBytes - held.count
        if droppedBytes == 0, part.count <= room {
            held += part
        } else if overflow == .drops {
            droppedBytes += held.count + part.count
            held = []
        } else {
            held += part.prefix(room)
            droppedBytes += part.count - min(room, part.count)
        }
    }

    /// The held bytes and the chunk have more than the limit before the line's end.
    private mutating func piece(of chunk: inout ArraySlice<UInt8>) -> Line {
        let room = limitBytes - held.count
        var cut = limitBytes
        // Not between the bytes of a character, which has four at most.
        for back in 0..<4 {
            let byte = back > room ? held[limitBytes - back] : chunk[chunk.startIndex + room - back]
            guard byte & 0xC0 == 0x80 else {
                cut = limitBytes - back
                break
            }
        }
        guard cut >= held.count else {
            let piece = held[..<cut]
            held = Array(held[cut...])
            return Line(bytes: piece, isComplete: false)
        }
        let part = chunk.prefix(cut - held.count)
        chunk = chunk[part.endIndex...]
        guard !held.isEmpty else { return Line(bytes: part, isComplete: false) }
        held += part
        defer { held = [] }
        return Line(bytes: held[...], isComplete: false)
    }
}
