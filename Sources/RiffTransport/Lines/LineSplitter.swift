// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Cuts bytes into lines, however they come in pieces. It looks at bytes alone, so that no character is ever cut.
package struct LineSplitter: Sendable {
    package typealias Line = CommandLines.Line

    /// The most bytes of one line; a longer one comes in pieces, cut between characters.
    package let limitBytes: Int
    private var held: [UInt8] = []

    /// A splitter at the beginning of a line.
    package init(limitBytes: Int = 1 << 20) { self.limitBytes = max(limitBytes, 8) }

    /// How many bytes wait for their line's end.
    package var heldBytes: Int { held.count }

    /// Takes the next bytes.
    ///
    /// - Returns: The lines that are whole now, and pieces of one that is too long.
    package mutating func push(_ bytes: some Collection<UInt8>) -> [Line] {
        var lines: [Line] = []
        var rest = Array(bytes)[...]
        while let end = Self.lineEnd(in: rest) {
            held += rest[..<end]
            rest = rest[(end + 1)...]
            cutHeld(into: &lines)
            if held.last == 0x0D { held.removeLast() }
            lines.append(Line(bytes: held, isComplete: true))
            held = []
        }
        held += rest
        cutHeld(into: &lines)
        return lines
    }

    /// What stands behind the last line's end; `nil` where nothing does. The splitter is empty then.
    package mutating func finish() -> Line? {
        defer { held = [] }
        return held.isEmpty ? nil : Line(bytes: held, isComplete: false)
    }

    /// `memchr` goes through bytes many times as fast as a loop.
    private static func lineEnd(in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress, let found = memchr(start, 0x0A, buffer.count) else { return nil }
            return bytes.startIndex + (UnsafeRawPointer(found) - start)
        }
    }

    private mutating func cutHeld(into lines: inout [Line]) {
        while held.count > limitBytes {
            var cut = limitBytes
            // Not between the bytes of a character, which has four at most.
            for back in 0..<4 where held[limitBytes - back] & 0xC0 != 0x80 {
                cut = limitBytes - back
                break
            }
            lines.append(Line(bytes: Array(held[..<cut]), isComplete: false))
            held.removeFirst(cut)
        }
    }
}
