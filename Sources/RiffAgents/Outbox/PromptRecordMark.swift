// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A place in an agent's record, as one line: the offset and the file's name.
package struct PromptRecordMark: Sendable, Hashable {
    /// The file; empty if there was none, and then every file is younger than the mark.
    package let name: String
    /// The place.
    package let offset: Int64

    /// Creates a mark.
    package init(name: String, offset: Int64) {
        self.name = name
        self.offset = offset
    }

    /// Reads a mark; `nil` if it is none.
    package init?(_ text: String) {
        let parts = text.split(byte: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let offset = Int64(parts[0]), offset >= 0 else { return nil }
        self.init(name: String(parts[1]), offset: offset)
    }

    /// The mark as one line.
    package var text: String { "\(offset) \(name)" }

    /// Where to read a file from; `nil` if the mark does not say.
    package func start(in file: (name: String, bytes: Int64)) -> Int64? {
        if name.isEmpty { return 0 }
        guard file.name.isSame(bytes: name), offset <= file.bytes else { return nil }
        return offset
    }
}
