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
            try folder.append(bytes, to: file)
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
        let source = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard source >= 0 else { throw CoreError.storeFailed("Opening \(path)") }
        defer { close(source) }
        var status = stat()
        guard fstat(source, &status) == 0 else { throw CoreError.storeFailed("Reading \(path)") }
        guard status.isOrdinaryFile else { throw CoreError(.storeFailed, "\(path) is not an ordinary file.") }
        let head = try LocalDirectory.readPart(source, at: 0, count: MediaFormat.sniffedBytes, of: path)
        let format = try format(of: head, sizeBytes: Int64(status.st_size))
        return try keep(format) { folder, file in
            var copied: Int64 = 0
            while true {
                try Task.checkCancellation()
                let bytes = try LocalDirectory.readPart(source, at: copied, count: 256 * 1024, of: path)
                guard !bytes.isEmpty else { return copied }
                copied += Int64(bytes.count)
                // It may have grown since it was looked at.
                try self.cap.check(copied, format)
                try folder.append(bytes, to: file)
            }
        }
    }

    /// What the bytes are.
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
        _ fill: (borrowing LocalDirectory, Int32) throws -> Int64
    ) throws -> SharedMediaItem {
        let folder = try openFolder()
        let (temporary, file) = try folder.makeTemporary(mode: 0o600)
        let sizeBytes: Int64
        do {
            defer { close(file) }
            sizeBytes = try fill(folder, file)
            guard fsync(file) == 0 else { throw CoreError.storeFailed("Writing a file in \(directory)") }
        } catch {
            try folder.remove(temporary)
            throw error
        }
        let name = SharedMediaItem.Name(epoch: Int64(wallClock()), format: format)
        guard try folder.publish(temporary, as: name.text) else {
            throw CoreError(.storeFailed, "\(directory)/\(name) is there already. Share it again.", recovery: .retry)
        }
        return SharedMediaItem(name: name, sizeBytes: sizeBytes)
    }
}

extension LocalDirectory {
    /// Bytes of an open file from a place on; none at its end.
    static func readPart(_ file: Int32, at offset: Int64, count: Int, of path: String) throws(CoreError) -> [UInt8] {
        while true {
            var result = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                result = pread(file, buffer.baseAddress, count, off_t(offset))
                initialized = max(0, result)
            }
            if result >= 0 { return bytes }
            guard errno == EINTR else { throw CoreError.storeFailed("Reading \(path)") }
        }
    }
}

extension CoreErrorCode {
    /// The bytes are no picture and no film of a kind that is known; nothing was kept.
    public static let unknownMedia = CoreError.Code(rawValue: "unknownMedia")
}
