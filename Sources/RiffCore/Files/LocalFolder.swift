// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A folder that could not be made: which one, and why.
package struct FolderFailure: Error {
    package let path: String
    package let failure: SystemFailure
}

/// Making folders. All calls block.
package enum LocalFolder {
    /// Makes a folder and those above it, as far as they are missing, open to this user only.
    package static func make(path: String) throws(FolderFailure) {
        guard let failure = attempt(path) else { return }
        let parent = LocalPath(path).directory
        guard failure.code == ENOENT, parent != path else { throw FolderFailure(path: path, failure: failure) }
        try make(path: parent)
        if let failure = attempt(path) { throw FolderFailure(path: path, failure: failure) }
    }

    private static func attempt(_ path: String) -> SystemFailure? {
        do throws(SystemFailure) {
            try retrying("mkdir") { mkdir(path, 0o700) }
            return nil
        } catch {
            return error.code == EEXIST ? nil : error
        }
    }
}
