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

// sample: container: String, picture: String
/// Pictures and films that wait to be brought to the host: files of one folder, which processes share. An extension
/// deposits and is gone; the app drains when it comes to the front.
///
/// A file has its name only once it is whole, and on disk. The folder is made with mode 0700, files with 0600; a folder
/// or a file that others may read or change is refused with `permissionsTooOpen`. Nothing is re-encoded: the bytes are
/// those that were shared.
///
/// ```swift
/// let inbox = SharedMediaInbox(directory: "\(container)/share-inbox")
/// try await inbox.deposit(contentsOf: picture)
/// ```
public actor SharedMediaInbox {
    /// The time that a file waits before ``purgeStale()`` removes it: a day.
    public static let lifetime = Duration.seconds(24 * 3600)

    /// The path of the folder.
    public nonisolated let directory: String
    /// The most bytes of one file.
    package nonisolated let cap: UploadCap

    nonisolated let executor = BlockingExecutor(label: "riff.inbox")
    /// A queue of its own, because files block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let wallClock: @Sendable () -> Double

    /// An inbox in a folder, which is made at the first use.
    ///
    /// - Parameters:
    ///   - directory: The folder; nothing else lies in it.
    ///   - cap: The most bytes of one file.
    ///   - wallClock: The time in seconds since 1970; the system's clock unless said otherwise.
    public init(directory: String, cap: UploadCap = UploadCap(), wallClock: (@Sendable () -> Double)? = nil) {
        self.directory = directory
        self.cap = cap
        self.wallClock = wallClock ?? WallClock.now
    }

    /// Returns the files that wait, the oldest first.
    ///
    /// - Throws: ``CoreError`` with `permissionsTooOpen` or `storeFailed`.
    public func items() throws -> [SharedMediaItem] {
        guard LocalPath.exists(directory) else { return [] }
        let folder = try openFolder()
        var items: [SharedMediaItem] = []
        for name in try folder.names().compactMap(SharedMediaItem.Name.init) {
            // One that is gone was taken by another process since it was listed.
            guard let status = try folder.status(of: name.text), status.isOrdinaryFile else { continue }
            items.append(SharedMediaItem(name: name, sizeBytes: Int64(status.st_size)))
        }
        return items.sorted { $0.name < $1.name }
    }

    /// Takes a file for oneself. Of all that try, in this process and in others, one gets it.
    ///
    /// - Parameter name: The file.
    /// - Returns: `nil` where it is gone or somebody else has it.
    /// - Throws: ``CoreError`` with `permissionsTooOpen` or `storeFailed`.
    public func claim(_ name: SharedMediaItem.Name) throws -> SharedMediaClaim? {
        let folder = try openFolder()
        guard let file = try folder.open(name.text, .secret) else { return nil }
        let status = try CoreError.storing("Reading \(directory)/\(name)", try file.status())
        // The lock is on the file itself, so that nothing stays behind when a process dies with it.
        let refusal = flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
        if refusal == EWOULDBLOCK || refusal == EINTR { return nil }
        guard refusal == 0 else {
            throw CoreError.storeFailed("Locking \(directory)/\(name)", SystemFailure("flock", code: refusal))
        }
        // Between opening and locking, who had it before may have finished with it.
        guard let now = try folder.status(of: name.text), now.st_ino == status.st_ino else { return nil }
        let item = SharedMediaItem(name: name, sizeBytes: Int64(status.st_size))
        return SharedMediaClaim(item, directory: directory, file: file, executor: executor)
    }

    /// Removes what waits for more than ``lifetime``, and what a deposit that died left half-written that long ago. A
    /// file that somebody has claimed stays.
    ///
    /// - Returns: The names of the files that were removed.
    /// - Throws: ``CoreError`` with `permissionsTooOpen` or `storeFailed`.
    @discardableResult
    public func purgeStale() async throws -> [SharedMediaItem.Name] {
        guard LocalPath.exists(directory) else { return [] }
        let oldest = wallClock() - Double(Self.lifetime.components.seconds)
        var removed: [SharedMediaItem.Name] = []
        for item in try items() where Double(item.name.epoch) < oldest {
            do {
                guard let claim = try claim(item.name) else { continue }
                try await claim.complete()
                removed.append(item.name)
            } catch let error as CoreError where error.code == .permissionsTooOpen {
                // One that others could have changed stays, and whoever claims it is told; the rest goes on.
                continue
            }
        }
        let folder = try openFolder()
        for name in try folder.names() where name.hasPrefix(LocalDirectory.temporaryPrefix) {
            guard let status = try folder.status(of: name), Double(status.modifiedSeconds) < oldest else { continue }
            try folder.remove(name)
        }
        return removed
    }

    func openFolder() throws(CoreError) -> LocalDirectory {
        try LocalDirectory.make(path: directory)
        let folder = try LocalDirectory(path: directory)
        try folder.requirePrivate()
        return folder
    }
}
