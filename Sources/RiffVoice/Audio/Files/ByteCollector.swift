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
}
