// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Makes turns of a transcript that grows: a value that is given its bytes as they come, cut anywhere.
package struct TranscriptTail: Sendable {
    /// The longest line that is read; a longer one, with a picture in it, is skipped.
    package static let longestLine = 32 * 1024 * 1024

    /// The number of bytes of the file that were taken: the offset to read from next.
    package private(set) var offset: UInt64
    private var reader: any AgentTurnReading
    private var splitter = LineSplitter(limitBytes: TranscriptTail.longestLine, overflow: .drops, stripsCR: false)

    /// A tail of a file.
    ///
    /// - Parameters:
    ///   - offset: Where reading begins.
    ///   - isLineStart: Whether a line begins there; otherwise the rest of one is skipped first.
    ///   - reader: What finds turns in its lines.
    package init(
        from offset: UInt64 = 0,
        isLineStart: Bool = true,
        reader: any AgentTurnReading = ClaudeTurnReader()
    ) {
        self.offset = offset
        self.reader = reader
        if !isLineStart { splitter.skipLine() }
    }

    /// Takes the next bytes.
    ///
    /// - Returns: The turns whose lines they complete, in order.
    package mutating func feed(_ bytes: [UInt8]) -> [AgentTurn] {
        offset += UInt64(bytes.count)
        var turns: [AgentTurn] = []
        var rest = bytes[...]
        while let line = splitter.next(in: &rest) {
            if !line.isCut, let turn = reader.read(line.bytes) { turns.append(turn) }
        }
        return turns
    }

    /// Nothing more was written for a moment.
    ///
    /// - Returns: A turn whose end is known by that.
    package mutating func settle() -> AgentTurn? { reader.settle() }
}
