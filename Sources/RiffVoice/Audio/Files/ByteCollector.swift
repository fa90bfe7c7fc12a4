// Riff
// SPDX-License-Identifier: Apache-2.0

/// Gathers the fixed-size pieces of a file that arrives cut anywhere.
struct ByteCollector: Sendable {
    private var pending: [UInt8] = []

    /// Takes what is missing of `count` bytes.
    ///
    /// - Returns: All of them, or `nil` where `rest` ended before.
    mutating func collect(_ count: Int, from rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        let taken = rest.prefix(count - pending.count)
        pending += taken
        rest = rest.dropFirst(taken.count)
        guard pending.count == count else { return nil }
        defer { pending = [] }
        return pending
    }

    /// Takes what was gathered of a piece that is not whole.
    mutating func rest() -> [UInt8] {
        defer { pending = [] }
        return pending
    }

    /// Whether eight or twelve bytes behind an empty chunk of samples are another chunk's name and size, and no
    /// samples: names are printable, and no chunk of the kind that follows samples is as large as two loud samples read
    /// as one number.
    static func isChunk(named name: some Collection<UInt8>, bytes: UInt64) -> Bool {
        name.allSatisfy { (0x20...0x7E).contains($0) } && bytes < 1 << 24
    }
}
