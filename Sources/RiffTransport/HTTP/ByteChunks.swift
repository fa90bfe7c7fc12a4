// Riff
// SPDX-License-Identifier: Apache-2.0

/// Byte strings one after the other as chunks of at most 64 KB, without joining them: a body that is already in memory,
/// sent no faster than the peer takes it.
package struct ByteChunks: AsyncSequence, Sendable {
    package typealias Element = [UInt8]
    package typealias Failure = any Error

    package static let size = 64 * 1024

    let parts: [[UInt8]]

    package init(parts: [[UInt8]]) { self.parts = parts }

    package struct Iterator: AsyncIteratorProtocol {
        var parts: ArraySlice<[UInt8]>
        var offset = 0

        package mutating func next() async throws -> [UInt8]? {
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

    package func makeAsyncIterator() -> Iterator { Iterator(parts: parts[...]) }
}
