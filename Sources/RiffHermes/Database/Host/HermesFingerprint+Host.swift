// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension HermesFingerprint {
    /// Reads what ``HostReaderScript/look`` printed, without its `L`; `nil` where it is something else.
    init?(look: String) {
        let parts = look.split(separator: ";", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let files = parts.prefix(3).map { File(look: $0) }
        database = files[0]
        log = files[1]
        journal = files[2]
        counters = String(parts[3])
    }
}

extension HermesFingerprint.File {
    fileprivate init?(look: Substring) {
        let parts = look.split(byte: "/", maxSplits: 2)
        guard parts.count == 3, let size = UInt64(parts[0]), let inode = UInt64(parts[1]) else { return nil }
        self.init(size: size, modified: String(parts[2]), inode: inode)
    }
}
