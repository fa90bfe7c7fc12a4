// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// The folder of this machine that a voice server's clients may upload files to (`POST /riff/upload`).
///
/// A file appears in the folder once all of it is on the disk and its hash is the one that was signed; before that it
/// has a hidden name, and what a stopped server left behind is removed after a day. The folder is made with mode 0700,
/// files with 0600. Files are never removed: that is left to the host.
public struct UploadService: Sendable {
    let folder: UploadFolder
    let limitBytes: Int64
    let idleTimeout: Duration
    let timeout: Duration
    let places: UploadPlaces

    /// Creates a service that keeps what is uploaded.
    ///
    /// - Parameters:
    ///   - folder: The folder's absolute path; it is made for the first file.
    ///   - limitBytes: The most bytes of one file; a larger one is answered with 413. 200 MB (of 1,048,576 bytes)
    ///     unless said otherwise.
    ///   - folderLimitBytes: The most bytes of all files in the folder; beyond it uploads are answered with 507.
    ///     20 GB unless said otherwise.
    ///   - concurrentUploads: The number of files that are taken at a time; further ones are answered with 503 and
    ///     `Retry-After`.
    ///   - idleTimeout: How long a client may send nothing; twice that at most.
    ///   - timeout: How long a client may take for one file.
    public init(
        folder: String,
        limitBytes: Int64 = 200 * 1_048_576,
        folderLimitBytes: Int64 = 20 * 1024 * 1_048_576,
        concurrentUploads: Int = 4,
        idleTimeout: Duration = .seconds(60),
        timeout: Duration = .seconds(3600)
    ) {
        self.folder = UploadFolder(path: folder, limitBytes: folderLimitBytes)
        self.limitBytes = limitBytes
        self.idleTimeout = idleTimeout
        self.timeout = timeout
        places = UploadPlaces(limit: concurrentUploads)
    }
}

/// The number of uploads under way.
final class UploadPlaces: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    init(limit: Int) { self.limit = limit }

    /// Takes a place, if there is one.
    func take() -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    func release() { count.withLock { $0 -= 1 } }
}
