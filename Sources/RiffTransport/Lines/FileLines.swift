// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

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
        fileprivate var chunk: ArraySlice<UInt8> = []
        fileprivate var isOver = false

        /// The next line, or `nil` at the end of the file.
        mutating func next() async throws -> CommandLines.Line? {
            while !isOver {
                if let line = splitter.next(in: &chunk) { return CommandLines.Line(line) }
                chunk = try await file.session.read(file.path, from: offset, count: FileLines.chunkBytes)[...]
                offset += UInt64(chunk.count)
                isOver = chunk.isEmpty
            }
            return splitter.finish().map { CommandLines.Line($0) }
        }
    }

    /// Starts at the offset.
    func makeAsyncIterator() -> Iterator {
        let splitter = LineSplitter(limitBytes: limitBytes, overflow: .pieces, stripsCR: true)
        return Iterator(file: self, offset: offset, splitter: splitter)
    }
}
