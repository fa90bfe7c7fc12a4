// Riff
// SPDX-License-Identifier: Apache-2.0

/// Byte strings one after the other as chunks of at most 64 KB, without joining them: a body that is already in memory,
/// sent no faster than the peer takes it.
struct ByteChunks: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = any Error

    static let size = 64 * 1024

    let parts: [[UInt8]]

    struct Iterator: AsyncIteratorProtocol {
        var parts: ArraySlice<[UInt8]>
        var offset = 0

        mutating func next() async throws -> [UInt8]? {
            while let part = parts.first {
                let end = Swift.min(offset + ByteChunks.size, part.count)
                guard offset < end else {
                    parts.removeFirst()
                    offset = 0
                    continue
                }
                defer { offset = end }
                return Array(part[offset..<end])
            }
            return nil
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(parts: parts[...]) }
}
