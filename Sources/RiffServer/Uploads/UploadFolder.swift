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

/// The room that uploaded files take in their folder.
actor UploadFolder {
    /// How long a file that was never finished stays, in seconds.
    private static let draftLifetime: Int64 = 24 * 3600

    nonisolated let path: String
    private let limitBytes: Int64
    /// Bytes of the files at the last look, and of those that came since; `nil` before the first look.
    private var keptBytes: Int64?
    /// Bytes that uploads under way may still bring.
    private var reservedBytes: Int64 = 0

    private nonisolated let executor = BlockingExecutor(label: "riff.uploads")
    /// A queue of its own, because files block.
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(path: String, limitBytes: Int64) { (self.path, self.limitBytes) = (path, limitBytes) }

    /// Reserves room for a file. Returns whether there is any; release what was reserved.
    func reserve(_ count: Int64, now: Double) throws(CoreError) -> Bool {
        // Files may have been removed since the last look: there is no other way to notice.
        if keptBytes.map({ !hasRoom(for: count, beside: $0) }) ?? true { keptBytes = try look(now: now) }
        guard hasRoom(for: count, beside: keptBytes ?? 0) else { return false }
        reservedBytes += count
        return true
    }

    /// Gives back what was reserved for a file.
    ///
    /// - Parameters:
    ///   - count: What was reserved.
    ///   - kept: How much of it is in the folder now.
    func release(_ count: Int64, kept: Int64) {
        reservedBytes -= count
        keptBytes = keptBytes.map { $0 + kept }
    }

    /// Both are sizes of files on one disk, or bounded by the limit of one file: the sum fits.
    private func hasRoom(for count: Int64, beside kept: Int64) -> Bool {
        kept <= limitBytes && count <= limitBytes - kept && reservedBytes <= limitBytes - kept - count
    }

    /// Adds the files up, and removes what uploads of a server that is gone left.
    private func look(now: Double) throws(CoreError) -> Int64 {
        guard LocalPath.exists(path) else { return 0 }
        let folder = try LocalDirectory(path: path)
        var bytes: Int64 = 0
        for name in try folder.names() {
            // One that is gone was removed since it was listed.
            guard let status = try folder.status(of: name) else { continue }
            let isDraft = name.hasPrefix(bytes: LocalDirectory.temporaryPrefix)
            if isDraft, Double(status.modifiedSeconds) < now - Double(Self.draftLifetime) {
                try folder.remove(name)
            } else if status.isOrdinaryFile, !isDraft {
                let (sum, isTooMuch) = bytes.addingReportingOverflow(Int64(status.st_size))
                bytes = isTooMuch ? .max : sum
            }
        }
        return bytes
    }
}
