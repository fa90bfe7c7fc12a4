// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

extension SharedMediaInbox {
    /// Keeps a picture or a film that is in memory, until it is drained.
    ///
    /// - Parameter bytes: The file as it was shared.
    /// - Returns: The file in the inbox.
    /// - Throws: ``CoreError`` with `mediaTooLarge` or `unknownMedia` before anything is written; `permissionsTooOpen`,
    ///   `storeFailed`.
    @discardableResult
    public func deposit(_ bytes: [UInt8]) throws -> SharedMediaItem {
        let format = try format(of: bytes, sizeBytes: Int64(bytes.count))
        return try keep(format) { folder, file throws(CoreError) in
            try CoreError.storing("Writing a file in \(folder.path)", try file.write(bytes))
            return Int64(bytes.count)
        }
    }

    /// Keeps a copy of a picture or a film, in pieces of 256 KB: an extension has little memory.
    ///
    /// - Parameter path: The file that was shared. Its name says nothing of what it is.
    /// - Returns: The file in the inbox.
    /// - Throws: ``CoreError`` with `mediaTooLarge` or `unknownMedia` before anything is written; `permissionsTooOpen`,
    ///   `storeFailed`; `CancellationError`, with nothing left in the inbox.
    @discardableResult
    public func deposit(contentsOf path: String) throws -> SharedMediaItem {
        let source = try CoreError.storing("Opening \(path)", try PosixFile(path, O_RDONLY | O_NONBLOCK))
        let status = try CoreError.storing("Reading \(path)", try source.status())
        guard status.isOrdinaryFile else { throw CoreError(.storeFailed, "\(path) is not an ordinary file.") }
        let head = try CoreError.storing("Reading \(path)", try source.read(MediaFormat.sniffedBytes, at: 0))
        let format = try format(of: head, sizeBytes: Int64(status.st_size))
        return try keep(format) { folder, file in
            var copied: Int64 = 0
            while true {
                try Task.checkCancellation()
                let bytes = try CoreError.storing("Reading \(path)", try source.read(256 * 1024, at: copied))
                guard !bytes.isEmpty else { return copied }
                copied += Int64(bytes.count)
                // It may have grown since it was looked at.
                try self.cap.check(copied, format)
                try CoreError.storing("Writing a file in \(folder.path)", try file.write(bytes))
            }
        }
    }

    /// Keeps a copy of a picture or a film as ``deposit(contentsOf:)`` does, and of a picture of an unknown kind the
    /// PNG that the platform makes of it, as the last resort: what is known is never converted.
    ///
    /// - Parameters:
    ///   - path: The file that was shared.
    ///   - makePNG: Makes a PNG of the file; called only for a file of no known kind.
    /// - Returns: The file in the inbox.
    /// - Throws: As ``deposit(contentsOf:)``; what `makePNG` throws; ``CoreError`` with `unknownMedia` if that is no
    ///   PNG.
    @discardableResult
    public func deposit(
        contentsOf path: String,
        otherwise makePNG: @Sendable () async throws -> [UInt8]
    ) async throws -> SharedMediaItem {
        do { return try deposit(contentsOf: path) } catch let error as CoreError where error.code == .unknownMedia {
            let bytes = try await makePNG()
            guard MediaFormat.sniff(bytes) == .png else { throw error }
            return try deposit(bytes)
        }
    }

    /// Returns the format of the bytes.
    private func format(of head: [UInt8], sizeBytes: Int64) throws(CoreError) -> MediaFormat {
        guard let format = MediaFormat.sniff(head) else {
            let message =
                "This is no picture or video of a kind that is known here. Save it as PNG or MP4 and share that."
            throw CoreError(.unknownMedia, message)
        }
        try cap.check(sizeBytes, format)
        return format
    }

    /// Writes a file under a temporary name, and gives it its own when all of it is on disk.
    private func keep(
        _ format: MediaFormat,
        _ fill: (borrowing LocalDirectory, borrowing PosixFile) throws -> Int64
    ) throws -> SharedMediaItem {
        let folder = try openFolder()
        let temporary = LocalDirectory.temporaryName()
        let file = try folder.makeTemporary(temporary, mode: 0o600)
        let sizeBytes: Int64
        do {
            sizeBytes = try finish(file, in: folder, fill)
        } catch {
            // What is left behind is purged with what is old; the reason is the first error.
            try? folder.remove(temporary)
            throw error
        }
        let name = SharedMediaItem.Name(epoch: Int64(wallClock()), format: format)
        guard try folder.publish(temporary, as: name.text) else {
            throw CoreError(.storeFailed, "\(directory)/\(name) is there already. Share it again.", recovery: .retry)
        }
        return SharedMediaItem(name: name, sizeBytes: sizeBytes)
    }

    /// Closes the file, too.
    private func finish(
        _ file: consuming PosixFile,
        in folder: borrowing LocalDirectory,
        _ fill: (borrowing LocalDirectory, borrowing PosixFile) throws -> Int64
    ) throws -> Int64 {
        let sizeBytes = try fill(folder, file)
        try CoreError.storing("Writing a file in \(directory)", try file.sync())
        return sizeBytes
    }
}

extension CoreErrorCode {
    /// The bytes are no picture and no film of a kind that is known; nothing was kept.
    public static let unknownMedia = CoreError.Code(rawValue: "unknownMedia")
}
