// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A file of the inbox that is one's own until it is completed or released; also let go of when this value goes away or
/// its process dies, and then it waits as before.
///
/// The claim is a lock of the system on the file. On iOS a process that is suspended while it holds one in a container
/// that is shared with an extension is ended: cancel a drain before that.
public actor SharedMediaClaim {
    /// The file.
    public nonisolated let item: SharedMediaItem

    private nonisolated let executor: BlockingExecutor
    /// The inbox's queue, because files block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let directory: String
    private var descriptor: Int32?

    init(_ item: SharedMediaItem, directory: String, descriptor: Int32, executor: BlockingExecutor) {
        self.item = item
        self.directory = directory
        self.descriptor = descriptor
        self.executor = executor
    }

    deinit { if let descriptor { Self.unlock(descriptor) } }

    /// The file's bytes in pieces of 64 KB. May be iterated more than once, each time from the start.
    public nonisolated var bytes: some AsyncSequence<[UInt8], any Error> & Sendable { SharedMediaBytes(claim: self) }

    /// Bytes from a place on; fewer than asked for near the end, none at it.
    ///
    /// - Throws: ``CoreError`` with `storeFailed`, also after the claim is over.
    public func read(at offset: Int64, count: Int) throws -> [UInt8] {
        try LocalDirectory.readPart(try held(), at: offset, count: count, of: path)
    }

    /// It was delivered: removes the file and ends the claim.
    ///
    /// - Throws: ``CoreError`` with `storeFailed` where it cannot be removed; the claim is then held on.
    public func complete() throws {
        let descriptor = try held()
        try LocalDirectory(path: directory).remove(item.name.text)
        self.descriptor = nil
        Self.unlock(descriptor)
    }

    /// It was not delivered: ends the claim, and the file waits as before. More than once is fine.
    public func release() {
        guard let descriptor else { return }
        self.descriptor = nil
        Self.unlock(descriptor)
    }

    /// A process that is being started at this moment has the descriptor too, until its exec: closing ours alone would
    /// leave the lock to it. flock(2): an explicit unlock on any of them releases it.
    private static func unlock(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private nonisolated var path: String { "\(directory)/\(item.name)" }

    private func held() throws(CoreError) -> Int32 {
        guard let descriptor else { throw CoreError(.storeFailed, "\(path) is no longer claimed here.") }
        return descriptor
    }
}

/// The bytes of a claimed file, in order. Never more than one piece is in memory.
struct SharedMediaBytes: AsyncSequence, Sendable {
    /// A piece, never empty.
    typealias Element = [UInt8]
    /// What kept the file from being read.
    typealias Failure = any Error

    /// Bytes of one piece.
    static let pieceBytes = 64 * 1024

    let claim: SharedMediaClaim

    /// An iterator from the start.
    struct Iterator: AsyncIteratorProtocol {
        fileprivate let claim: SharedMediaClaim
        fileprivate var offset: Int64 = 0

        /// The next piece, or `nil` at the end.
        mutating func next() async throws -> [UInt8]? {
            try Task.checkCancellation()
            let bytes = try await claim.read(at: offset, count: SharedMediaBytes.pieceBytes)
            offset += Int64(bytes.count)
            return bytes.isEmpty ? nil : bytes
        }
    }

    /// Starts from the beginning.
    func makeAsyncIterator() -> Iterator { Iterator(claim: claim) }
}
