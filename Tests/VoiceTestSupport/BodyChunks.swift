// Riff
// SPDX-License-Identifier: Apache-2.0

package import Synchronization

/// A request's body in chunks, which counts what was taken of it.
package struct BodyChunks: AsyncSequence, Sendable {
    package typealias Failure = any Error
    package let chunks: [[UInt8]]
    package var taken: Count?

    package init(chunks: [[UInt8]], taken: Count? = nil) {
        self.chunks = chunks
        self.taken = taken
    }

    package final class Count: Sendable {
        package let value = Mutex(0)

        package init() {}

        package var bytes: Int { value.withLock { $0 } }
    }
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var chunks: ArraySlice<[UInt8]>
        fileprivate let taken: Count?
        package mutating func next() async throws -> [UInt8]? {
            guard let first = chunks.popFirst() else { return nil }
            taken?.value.withLock { $0 += first.count }
            return first
        }
    }
    package func makeAsyncIterator() -> Iterator { Iterator(chunks: chunks[...], taken: taken) }
}
