// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
public import RiffCore
package import RiffTransport

extension HostFile {
    /// Which contents of a file were read: what a change must find unchanged when it is written.
    package struct Revision: Sendable, Hashable {
        /// SHA-256 of the contents in hexadecimal; `nil` for no file.
        package let digest: String?

        /// No file.
        package static let absent = HostFile.Revision(digest: nil)

        private init(digest: String?) { self.digest = digest }

        /// The revision that these contents are.
        package init(of bytes: [UInt8]) {
            digest = SHA256.hash(data: bytes).map { byte in
                String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }.joined()
        }

        /// The digest, or that there is none.
        package var description: String { digest ?? "absent" }
    }
}

/// A small file on a host that others change too: read whole, replaced whole, and never over a change that was not
/// seen.
package struct HostFile: Sendable {
    /// Contents and their revision.
    package struct Contents: Sendable, Hashable {
        /// The bytes; empty where there is no file.
        package let bytes: [UInt8]
        /// The revision of the contents.
        package let revision: HostFile.Revision
        /// Whether there is a file.
        package var exists: Bool { revision != .absent }
        /// The bytes as UTF-8; bytes that are not UTF-8 become U+FFFD.
        package var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// The host of the file.
    package let host: any HostSession
    /// The path on it.
    package let path: String
    /// The most bytes that are read.
    package let limitBytes: Int
    /// The path of the lock that the file's other writers take, where they take one; see ``HostLock``.
    package let lockPath: String?
    /// The directory that must be there; those between it and the file are made when the file is.
    package let root: String?
    /// Why nothing is read or written; `nil` for every file whose path is one.
    private var refusal: DataError?

    /// A file that does not exist, since its name leads out of its folder: each call throws the reason.
    static func refused(_ reason: DataError, on host: any HostSession) -> HostFile {
        var file = HostFile("", on: host)
        file.refusal = reason
        return file
    }

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - path: The path on the host.
    ///   - host: The host.
    ///   - root: A directory above the file, in which missing directories on the way to it are made when it is written;
    ///     `nil` where the file's directory must be there.
    ///   - limitBytes: The most bytes that are read.
    ///   - lockPath: The path of the lock that the file's other writers take, where they take one.
    package init(
        _ path: String,
        on host: any HostSession,
        below root: String? = nil,
        limitBytes: Int = 16 << 20,
        lockPath: String? = nil
    ) {
        self.host = host
        self.path = path
        self.root = root
        self.limitBytes = limitBytes
        self.lockPath = lockPath
    }

    /// Reads the file; one that is missing has no bytes.
    ///
    /// - Throws: ``DataError`` with `fileTooLarge`; the host's own errors; `CancellationError`.
    package func read() async throws -> Contents {
        if let refusal { throw refusal }
        let bytes: [UInt8]
        do {
            bytes = try await host.read(path, from: 0, count: limitBytes + 1)
        } catch let error as TransportError where error.code == .fileNotFound {
            return Contents(bytes: [], revision: .absent)
        }
        guard bytes.count <= limitBytes else {
            throw DataError(.fileTooLarge, "\(path) has more than \(limitBytes) bytes and is not read.")
        }
        return Contents(bytes: bytes, revision: HostFile.Revision(of: bytes))
    }

    /// Replaces the file in one step, under its lock, if it is still as it was read. Its mode is kept.
    ///
    /// A writer that takes no lock can still come between the last look and the replacement, which are one step apart.
    ///
    /// - Parameters:
    ///   - bytes: The new contents.
    ///   - revision: What was read.
    /// - Returns: The new contents' revision.
    /// - Throws: ``DataError`` with `fileChanged`, where somebody else changed the file; `fileLocked`; the host's
    ///   own errors; `CancellationError`. The file is then as somebody else left it.
    @discardableResult
    package func replace(with bytes: [UInt8], expecting revision: HostFile.Revision) async throws -> HostFile.Revision {
        try await locked {
            try await replaceUnlocked(with: bytes, expecting: revision)
        }
    }

    /// Reads, changes and replaces the file under its lock. A change to the same bytes writes nothing.
    ///
    /// - Parameter body: Gets the contents, which nobody who takes the lock changes meanwhile.
    /// - Returns: What `body` gives.
    /// - Throws: As ``replace(with:expecting:)``; what `body` throws.
    package func change<Result: Sendable>(
        _ body: @escaping @Sendable (inout [UInt8]) throws -> Result
    ) async throws -> Result {
        try await locked {
            let old = try await read()
            var new = old.bytes
            let result = try body(&new)
            if new != old.bytes || !old.exists { try await replaceUnlocked(with: new, expecting: old.revision) }
            return result
        }
    }

    @discardableResult
    private func replaceUnlocked(with bytes: [UInt8], expecting revision: HostFile.Revision) async throws
        -> HostFile.Revision
    {
        let found = try await read().revision
        guard found == revision else {
            throw DataError(
                .fileChanged,
                "\(path) was changed by somebody else since it was read. Read it again and make the change anew.",
                recovery: .retry
            )
        }
        let new = HostFile.Revision(of: bytes)
        if new != found { try await host.write(bytes, to: path, permissions: nil) }
        return new
    }

    private func locked<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result
    {
        if let refusal { throw refusal }
        if let root { try await makeDirectories(below: root) }
        guard let lockPath else { return try await body() }
        return try await HostLock(lockPath, on: host).whileHeld(body)
    }
}

extension HostFile {
    /// Makes the directories between the root and the file that are missing.
    private func makeDirectories(below root: String) async throws {
        guard let parents = path.dropping(prefix: root + "/")?.split(byte: "/").dropLast() else { return }
        guard !parents.isEmpty, try await host.status(of: "\(root)/\(parents.joined(separator: "/"))") == nil else {
            return
        }
        var directory = root
        for name in parents {
            directory += "/\(name)"
            // Somebody else may make it, too.
            do { try await host.makeDirectory(directory, permissions: 0o700) } catch let error as TransportError
                where error.code == .fileExists
            {}
        }
    }
}

extension DataErrorCode {
    /// A file is larger than what is read of its kind.
    public static let fileTooLarge = DataError.Code(rawValue: "fileTooLarge")
    /// The file was changed by another program since it was read. Nothing was written.
    public static let fileChanged = DataError.Code(rawValue: "fileChanged")
}
