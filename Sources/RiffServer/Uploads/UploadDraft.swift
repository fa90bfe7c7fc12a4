// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffVoice

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A file that is being uploaded: it has a temporary name until all of it is on the disk.
actor UploadDraft {
    /// The disk is full, or the account's share of it.
    struct NoRoom: Error {}

    private let folder: String
    private let temporary = LocalDirectory.temporaryName()
    private var file: PosixFile?
    private var sizeBytes: Int64 = 0
    private var hash = BodyHash()

    private nonisolated let executor = BlockingExecutor(label: "riff.upload")
    /// A queue of its own, because files block, and because one file is not to wait for another.
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(folder: String) { self.folder = folder }

    /// Makes the file, and its folder.
    func open() throws(CoreError) {
        try LocalDirectory.make(path: folder)
        let directory = try LocalDirectory(path: folder)
        try directory.requirePrivate()
        file = try directory.makeTemporary(temporary, mode: 0o600)
    }

    /// Adds bytes at the end.
    ///
    /// - Throws: ``NoRoom``; `CoreError` with `storeFailed`.
    func append(_ bytes: [UInt8]) throws {
        do throws(SystemFailure) { try file?.write(bytes) } catch { throw Self.failure(error, folder) }
        hash.update(bytes)
        sizeBytes += Int64(bytes.count)
    }

    /// Gives the file its name, if its bytes have the hash; the same bytes under the same name are kept once.
    ///
    /// - Parameters:
    ///   - name: The name. Where a file with other bytes has it, this one gets it with a part of its hash.
    ///   - digest: The SHA-256 that the bytes must have, in hexadecimal digits.
    /// - Returns: The file's path, and the bytes that it added to the folder; `nil` if the hash is another.
    /// - Throws: ``NoRoom``; `CoreError` with `storeFailed`.
    func publish(as name: UploadName, digest: String) throws -> (path: String, addedBytes: Int64)? {
        guard hash.matches(digest), let file = file.take() else { return nil }
        do throws(SystemFailure) {
            try file.sync()
            try file.close()
        } catch { throw Self.failure(error, folder) }
        let directory = try LocalDirectory(path: folder)
        for candidate in [name.text, name.distinguished(by: digest)] {
            if try directory.status(of: candidate) == nil {
                // Two that bring the same bytes at the same time: the one that comes second finds the first one's.
                if try directory.publish(temporary, as: candidate) { return ("\(folder)/\(candidate)", sizeBytes) }
            }
            if try holds(digest, candidate, in: directory) {
                try directory.remove(temporary)
                return ("\(folder)/\(candidate)", 0)
            }
        }
        throw CoreError(.storeFailed, "\(folder)/\(name.text) is another file. Upload it under another name.")
    }

    /// Removes what is there, unless it was published.
    func discard() {
        file = nil
        // It may be gone, or never have been made; what cannot be removed now is removed as old.
        try? LocalDirectory(path: folder).remove(temporary)
    }

    /// Whether a file of the folder has this size and this hash.
    private func holds(_ digest: String, _ name: String, in directory: borrowing LocalDirectory) throws(CoreError)
        -> Bool
    {
        guard let file = try directory.open(name, .secret) else { return false }
        var known = BodyHash()
        do throws(SystemFailure) {
            guard try Int64(file.status().st_size) == sizeBytes else { return false }
            while case let piece = try file.read(upTo: PosixFile.pieceBytes), !piece.isEmpty { known.update(piece) }
        } catch { throw CoreError.storeFailed("Reading \(folder)/\(name)", error) }
        return known.matches(digest)
    }

    private static func failure(_ error: SystemFailure, _ folder: String) -> any Error {
        error.code == ENOSPC || error.code == EDQUOT
            ? NoRoom() : CoreError.storeFailed("Writing a file in \(folder)", error)
    }
}
