// Riff
// SPDX-License-Identifier: Apache-2.0

/// Makes turns of a transcript that grows: a value that is given its bytes as they come, cut anywhere.
package struct TranscriptTail: Sendable {
    /// The longest line that is read; a longer one, with a picture in it, is skipped.
    package static let longestLine = 32 * 1024 * 1024

    /// How many bytes of the file were taken: where to read on.
    package private(set) var offset: UInt64
    private var line: [UInt8] = []
    private var isSkipping: Bool

    /// A tail of a file.
    ///
    /// - Parameters:
    ///   - offset: Where reading begins.
    ///   - isLineStart: Whether a line begins there; otherwise the rest of one is skipped first.
    package init(from offset: UInt64 = 0, isLineStart: Bool = true) {
        self.offset = offset
        isSkipping = !isLineStart
    }

    /// Takes the next bytes.
    ///
    /// - Returns: The turns whose lines they complete, in order.
    package mutating func feed(_ bytes: [UInt8]) -> [ClaudeTurn] {
        offset += UInt64(bytes.count)
        var turns: [ClaudeTurn] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0A) {
            take(rest[..<end])
            if !isSkipping, let turn = ClaudeTurn(line: line) { turns.append(turn) }
            (line, isSkipping) = ([], false)
            rest = rest[(end + 1)...]
        }
        take(rest)
        return turns
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        guard !isSkipping else { return }
        guard line.count + bytes.count <= Self.longestLine else {
            (line, isSkipping) = ([], true)
            return
        }
        line += bytes
    }
}
