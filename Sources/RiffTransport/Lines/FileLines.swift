// Riff
// SPDX-License-Identifier: Apache-2.0

/// The lines of a file; see ``HostSession/lines(ofFile:from:limitBytes:)``.
struct FileLines: AsyncSequence, Sendable {
    private static let chunkBytes = 256 * 1024

    let session: any HostSession
    let path: String
    let offset: UInt64
    let limitBytes: Int

    /// Reads the file from the offset on.
    struct Iterator: AsyncIteratorProtocol {
        fileprivate let file: FileLines
        fileprivate var offset: UInt64
        fileprivate var splitter: LineSplitter
        fileprivate var ready: ArraySlice<CommandLines.Line> = []
        fileprivate var isOver = false

        /// The next line, or `nil` at the end of the file.
        mutating func next() async throws -> CommandLines.Line? {
            while ready.isEmpty {
                guard !isOver else { return nil }
                let chunk = try await file.session.read(file.path, from: offset, count: FileLines.chunkBytes)
                offset += UInt64(chunk.count)
                if chunk.isEmpty {
                    isOver = true
                    return splitter.finish()
                }
                ready = splitter.push(chunk)[...]
            }
            return ready.removeFirst()
        }
    }

    /// Starts at the offset.
    func makeAsyncIterator() -> Iterator {
        Iterator(file: self, offset: offset, splitter: LineSplitter(limitBytes: limitBytes))
    }
}
