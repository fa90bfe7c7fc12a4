// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#else
package import Darwin
#endif

extension LocalDirectory {
    /// Puts a file in the place of what has that name, in one step: a reader sees the old bytes or the new ones, also
    /// after a power failure.
    package func replace(_ name: String, with bytes: [UInt8], mode: mode_t) throws(CoreError) {
        let temporary = try writeTemporary(bytes, mode: mode)
        guard renameat(descriptor, temporary, descriptor, name) == 0 else {
            let failure = CoreError.storeFailed("Writing \(path)/\(name)")
            unlinkat(descriptor, temporary, 0)
            throw failure
        }
        // Makes the rename itself last; some file systems cannot, and the bytes are safe by then.
        sync()
    }

    /// Makes a file unless the name is taken, in one step. Returns whether it did.
    package func add(_ name: String, _ bytes: [UInt8], mode: mode_t) throws(CoreError) -> Bool {
        try publish(try writeTemporary(bytes, mode: mode), as: name)
    }

    /// Gives a finished temporary file its name unless that is taken; the temporary one is gone either way. Returns
    /// whether it did.
    package func publish(_ temporary: String, as name: String) throws(CoreError) -> Bool {
        defer { unlinkat(descriptor, temporary, 0) }
        if linkat(descriptor, temporary, descriptor, name, 0) == 0 {
            sync()
            return true
        }
        guard errno == EEXIST else { throw CoreError.storeFailed("Writing \(path)/\(name)") }
        return false
    }

    /// Removes a file, if there is one.
    package func remove(_ name: String) throws(CoreError) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw CoreError.storeFailed("Removing \(path)/\(name)")
        }
    }

    /// Opens or makes a file to lock.
    package func openLock(_ name: String) throws(CoreError) -> PosixFile {
        try CoreError.storing(
            "Opening the lock \(path)/\(name)",
            try PosixFile(name, O_RDWR | O_CREAT | O_NOFOLLOW, in: descriptor)
        )
    }

    /// Writes a new file under a unique name, all on disk when it returns.
    private func writeTemporary(_ bytes: [UInt8], mode: mode_t) throws(CoreError) -> String {
        let name = LocalDirectory.temporaryName()
        let file = try makeTemporary(name, mode: mode)
        do throws(CoreError) {
            try finish(file, with: bytes)
        } catch {
            unlinkat(descriptor, name, 0)
            throw error
        }
        return name
    }

    /// Closes the file, too.
    private func finish(_ file: consuming PosixFile, with bytes: [UInt8]) throws(CoreError) {
        do throws(SystemFailure) {
            try file.write(bytes)
            try file.sync()
        } catch {
            throw CoreError.storeFailed("Writing a file in \(path)", error)
        }
    }

    /// The prefix of the names of files that are still being written.
    package static let temporaryPrefix = ".riff-"

    /// Returns a unique name for a temporary file.
    package static func temporaryName() -> String { "\(temporaryPrefix)\(UInt64.random(in: .min ... .max))" }

    /// Makes an empty file under a temporary name. The caller links, renames or removes it.
    package func makeTemporary(_ name: String, mode: mode_t) throws(CoreError) -> PosixFile {
        let file = try CoreError.storing(
            "Making a file in \(path)",
            try PosixFile(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, in: descriptor)
        )
        do throws(SystemFailure) { try file.setMode(mode) } catch {
            unlinkat(descriptor, name, 0)
            throw CoreError.storeFailed("Making a file in \(path)", error)
        }
        return file
    }
}
