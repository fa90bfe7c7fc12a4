// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#else
package import Darwin
#endif

/// An open folder whose files are read and replaced whole. All calls block; no name is a path; links are not followed.
package struct LocalDirectory: ~Copyable {
    /// What a file must be like to be read.
    package struct Requirement {
        /// Permission bits that must not be set.
        var forbiddenMode: mode_t
        /// Whether it must belong to the user of this process.
        var isOwn: Bool

        /// A secret: ours, and nobody else may read or write it.
        package static let secret = Requirement(forbiddenMode: 0o077, isOwn: true)
        /// Public, but nobody at large may change it.
        package static let trusted = Requirement(forbiddenMode: 0o002, isOwn: false)
    }

    package let path: String
    package let descriptor: Int32

    /// Opens a folder.
    package init(path: String) throws(CoreError) {
        self.path = path
        descriptor = openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CoreError.storeFailed("Opening the folder \(path)") }
    }

    deinit { close(descriptor) }

    /// Makes a folder and those above it, as far as they are missing, open to this user only.
    package static func make(path: String) throws(CoreError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let parent = LocalPath(path).directory
        if errno == ENOENT, parent != path {
            try make(path: parent)
            if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        }
        throw CoreError.storeFailed("Making the folder \(path)")
    }

    /// Refuses a folder that others may look into or change, or that is another user's.
    package func requirePrivate() throws(CoreError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw CoreError.storeFailed("Reading the folder \(path)") }
        try LocalDirectory.check(status, at: path, .secret, fix: "chmod 700")
    }

    /// The bytes of a file, or `nil` where there is none.
    package func contents(of name: String, _ requirement: Requirement) throws(CoreError) -> [UInt8]? {
        guard let (file, status) = try open(name, requirement) else { return nil }
        defer { close(file) }
        let path = "\(path)/\(name)"
        guard status.st_size <= 16 * 1024 * 1024 else {
            throw CoreError(.storeFailed, "\(path) is larger than the 16 MiB that are read here.")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count > 0 { bytes += buffer[..<count] }
            if count == 0 { return bytes }
            if count < 0, errno != EINTR { throw CoreError.storeFailed("Reading \(path)") }
        }
    }

    /// Opens an ordinary file to read it, or gives `nil` where there is none. The caller closes it.
    package func open(_ name: String, _ requirement: Requirement) throws(CoreError) -> (
        descriptor: Int32, status: stat
    )? {
        // Without O_NONBLOCK a fifo of that name would hold us for ever.
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        let path = "\(path)/\(name)"
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            if errno == ELOOP || errno == EMLINK {
                throw CoreError(
                    .storeFailed,
                    "\(path) is a symbolic link, which is not followed here. Put the file itself there."
                )
            }
            throw CoreError.storeFailed("Opening \(path)")
        }
        do throws(CoreError) {
            var status = stat()
            guard fstat(file, &status) == 0 else { throw CoreError.storeFailed("Reading \(path)") }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw CoreError(.storeFailed, "\(path) is not an ordinary file.")
            }
            try LocalDirectory.check(
                status,
                at: path,
                requirement,
                fix: "chmod \(requirement.forbiddenMode > 7 ? "600" : "o-w")"
            )
            return (file, status)
        } catch {
            close(file)
            throw error
        }
    }

    /// The permission bits of a file, or `nil` where there is none.
    package func mode(of name: String) -> mode_t? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return status.st_mode & 0o777
    }

    /// Puts a file in the place of what has that name, in one step: a reader sees the old bytes or the new ones, also after
    /// a power failure.
    package func replace(_ name: String, with bytes: [UInt8], mode: mode_t) throws(CoreError) {
        let temporary = try writeTemporary(bytes, mode: mode)
        guard renameat(descriptor, temporary, descriptor, name) == 0 else {
            let failure = CoreError.storeFailed("Writing \(path)/\(name)")
            unlinkat(descriptor, temporary, 0)
            throw failure
        }
        // Makes the rename itself last; some file systems cannot, and the bytes are safe by then.
        fsync(descriptor)
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
            fsync(descriptor)
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
    package func openLock(_ name: String) throws(CoreError) -> Int32 {
        let file = openat(descriptor, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw CoreError.storeFailed("Opening the lock \(path)/\(name)") }
        return file
    }

    /// Writes a new file under a name that nobody else uses, all on disk when it returns.
    private func writeTemporary(_ bytes: [UInt8], mode: mode_t) throws(CoreError) -> String {
        let (name, file) = try makeTemporary(mode: mode)
        do throws(CoreError) {
            defer { close(file) }
            try append(bytes, to: file)
            guard fsync(file) == 0 else { throw CoreError.storeFailed("Writing a file in \(path)") }
        } catch {
            unlinkat(descriptor, name, 0)
            throw error
        }
        return name
    }

    /// How the names of files begin that are still being written.
    package static let temporaryPrefix = ".riff-"

    /// Makes an empty file under a name that nobody else uses. The caller closes it, and links, renames or removes it.
    package func makeTemporary(mode: mode_t) throws(CoreError) -> (name: String, descriptor: Int32) {
        let name = "\(LocalDirectory.temporaryPrefix)\(UInt64.random(in: .min ... .max))"
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw CoreError.storeFailed("Making a file in \(path)") }
        guard fchmod(file, mode) == 0 else {
            let failure = CoreError.storeFailed("Making a file in \(path)")
            close(file)
            unlinkat(descriptor, name, 0)
            throw failure
        }
        return (name, file)
    }

    /// Adds bytes to an open file of the folder.
    package func append(_ bytes: [UInt8], to file: Int32) throws(CoreError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) }
            if count < 0, errno != EINTR { throw CoreError.storeFailed("Writing a file in \(path)") }
        }
    }

    private static func check(_ status: stat, at path: String, _ requirement: Requirement, fix: String)
        throws(CoreError)
    {
        let isForeign = requirement.isOwn && status.st_uid != geteuid()
        guard status.st_mode & requirement.forbiddenMode == 0, !isForeign else {
            let reason = isForeign ? "belongs to another user" : "can be read or changed by others"
            // A path holds no NUL, and so can be quoted.
            let word = (try? ShellQuoting.quote(path)) ?? path
            let mend = isForeign ? "sudo chown \"$(id -un)\" \(word)" : "\(fix) \(word)"
            let message = "\(path) \(reason), so it is not used. If you trust what is in it: \(mend)"
            throw CoreError(.permissionsTooOpen, message)
        }
    }
}

extension CoreError {
    /// A failed system call, with the system's own reason. Reads `errno`, so it must be made at once.
    package static func storeFailed(_ doing: String) -> CoreError {
        CoreError(.storeFailed, "\(doing) failed: \(String(cString: strerror(errno))).")
    }
}

extension CoreErrorCode {
    /// A file of a store could not be read or written.
    public static let storeFailed = CoreError.Code(rawValue: "storeFailed")
    /// A file or folder of a store can be read or changed by others, or is another user's.
    public static let permissionsTooOpen = CoreError.Code(rawValue: "permissionsTooOpen")
}
