// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

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
    /// The file that is claimed.
    public nonisolated let item: SharedMediaItem

    private nonisolated let executor: BlockingExecutor
    /// The inbox's queue, because files block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let directory: String
    private var file: PosixFile?
    private nonisolated let progress = Mutex<(@Sendable (Int64) -> Void)?>(nil)

    init(_ item: SharedMediaItem, directory: String, file: consuming PosixFile, executor: BlockingExecutor) {
        self.item = item
        self.directory = directory
        self.file = consume file
        self.executor = executor
    }

    deinit { if let file = file.take() { Self.unlock(file) } }

    /// The file's bytes in pieces of 64 KB. May be iterated more than once, each time from the start.
    public nonisolated var bytes: some AsyncSequence<[UInt8], any Error> & Sendable { SharedMediaBytes(claim: self) }

    /// The file's bytes, as ``bytes`` gives them, for a carrier that sends them once: each piece that is asked for
    /// reports those before it as sent.
    package nonisolated var reportedBytes: some AsyncSequence<[UInt8], any Error> & Sendable {
        SharedMediaBytes(claim: self, isReported: true)
    }

    /// Says how much of the file is on its way to the host; for carriers. A front end sees it in
    /// ``ShareDrain/State/progress``.
    ///
    /// - Parameter count: The bytes that were sent so far, of ``item``'s size.
    public nonisolated func reportSent(_ count: Int64) { progress.withLock(\.self)?(min(count, item.sizeBytes)) }

    /// Calls a closure with each report from now on.
    nonisolated func onProgress(_ body: @escaping @Sendable (Int64) -> Void) { progress.withLock { $0 = body } }

    /// Bytes from a place on; fewer than asked for near the end, none at it.
    ///
    /// - Throws: ``CoreError`` with `storeFailed`, also after the claim is over.
    public func read(at offset: Int64, count: Int) throws -> [UInt8] {
        do throws(SystemFailure) {
            if let bytes = try file?.read(count, at: offset) { return bytes }
        } catch {
            throw CoreError.storeFailed("Reading \(path)", error)
        }
        throw ended
    }

    /// It was delivered: removes the file and ends the claim.
    ///
    /// - Throws: ``CoreError`` with `storeFailed` where it cannot be removed; the claim is then held on.
    public func complete() throws {
        if file == nil { throw ended }
        try LocalDirectory(path: directory).remove(item.name.text)
        release()
    }

    /// It was not delivered: ends the claim, and the file waits as before. More than once is fine.
    public func release() {
        if let file = file.take() { Self.unlock(file) }
    }

    /// A process that is being started at this moment has the descriptor too, until its exec: closing ours alone would
    /// leave the lock to it. flock(2): an explicit unlock on any of them releases it.
    private static func unlock(_ file: consuming PosixFile) {
        flock(file.descriptor, LOCK_UN)
        // An error of closing is none here: nothing was written.
        try? file.close()
    }

    private nonisolated var path: String { "\(directory)/\(item.name)" }

    private var ended: CoreError { CoreError(.storeFailed, "\(path) is no longer claimed here.") }
}

/// The bytes of a claimed file, in order. Never more than one piece is in memory.
struct SharedMediaBytes: AsyncSequence, Sendable {
    /// A piece, never empty.
    typealias Element = [UInt8]
    /// The error that kept the file from being read.
    typealias Failure = any Error

    /// Bytes of one piece.
    static let pieceBytes = 64 * 1024

    let claim: SharedMediaClaim
    /// Whether the claim is told what was asked for.
    var isReported = false

    /// An iterator from the start.
    struct Iterator: AsyncIteratorProtocol {
        fileprivate let claim: SharedMediaClaim
        fileprivate let isReported: Bool
        fileprivate var offset: Int64 = 0

        /// The next piece, or `nil` at the end.
        mutating func next() async throws -> [UInt8]? {
            try Task.checkCancellation()
            if isReported { claim.reportSent(offset) }
            let bytes = try await claim.read(at: offset, count: SharedMediaBytes.pieceBytes)
            offset += Int64(bytes.count)
            return bytes.isEmpty ? nil : bytes
        }
    }

    /// Starts from the beginning.
    func makeAsyncIterator() -> Iterator { Iterator(claim: claim, isReported: isReported) }
}
