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
    /// The conditions that a file must meet to be read.
    package struct Requirement {
        /// Permission bits that must not be set.
        var forbiddenMode: mode_t
        /// Whether it must belong to the user of this process.
        var isOwn: Bool

        /// The requirement for a secret: the file is ours, and no other user may read or write it.
        package static let secret = Requirement(forbiddenMode: 0o077, isOwn: true)
        /// The requirement for a public file: users at large may not change it.
        package static let trusted = Requirement(forbiddenMode: 0o002, isOwn: false)
    }

    package let path: String
    private let folder: PosixFile
    package var descriptor: Int32 { folder.descriptor }

    /// Opens a folder.
    package init(path: String) throws(CoreError) {
        self.path = path
        folder = try CoreError.storing("Opening the folder \(path)", try PosixFile(path, O_RDONLY | O_DIRECTORY))
    }

    /// Makes a folder and those above it, as far as they are missing, open to this user only.
    package static func make(path: String) throws(CoreError) {
        do throws(FolderFailure) { try LocalFolder.make(path: path) } catch {
            throw CoreError.storeFailed("Making the folder \(error.path)", error.failure)
        }
    }

    /// Makes folders, each in the one before, as far as they are missing. A link in the way is not followed.
    func makeFolders(_ names: [String]) throws(CoreError) {
        let last = "\(path)/\(names.joined(separator: "/"))"
        try CoreError.storing("Making the folder \(last)", try folder.makeFolders(names[...]))
    }

    /// Brings the names to the disk, as far as the file system can.
    package func sync() { try? folder.sync() }

    /// Refuses a folder that others may look into or change, or that is another user's.
    package func requirePrivate() throws(CoreError) {
        let status = try CoreError.storing("Reading the folder \(path)", try folder.status())
        try LocalDirectory.check(status, at: path, .secret, fix: "chmod 700")
    }

    /// The bytes of a file, or `nil` where there is none.
    package func contents(of name: String, _ requirement: Requirement) throws(CoreError) -> [UInt8]? {
        guard let file = try open(name, requirement) else { return nil }
        let path = "\(path)/\(name)"
        do throws(SystemFailure) {
            if try file.status().st_size <= 16 * 1024 * 1024 {
                var bytes: [UInt8] = []
                while true {
                    let piece = try file.read(upTo: 16 * 1024)
                    if piece.isEmpty { return bytes }
                    bytes += piece
                }
            }
        } catch {
            throw CoreError.storeFailed("Reading \(path)", error)
        }
        throw CoreError(.storeFailed, "\(path) is larger than the 16 MiB that are read here.")
    }

    /// Opens an ordinary file to read it, or gives `nil` where there is none.
    package func open(_ name: String, _ requirement: Requirement) throws(CoreError) -> PosixFile? {
        let file: PosixFile
        let path = "\(path)/\(name)"
        do throws(SystemFailure) {
            // Without O_NONBLOCK a fifo of that name would hold us for ever.
            file = try PosixFile(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, in: descriptor)
        } catch {
            if error.code == ENOENT { return nil }
            if error.code == ELOOP || error.code == EMLINK {
                throw CoreError(
                    .storeFailed,
                    "\(path) is a symbolic link, which is not followed here. Put the file itself there."
                )
            }
            throw CoreError.storeFailed("Opening \(path)", error)
        }
        let status: stat
        do throws(SystemFailure) { status = try file.status() } catch {
            throw CoreError.storeFailed("Reading \(path)", error)
        }
        guard status.isOrdinaryFile else { throw CoreError(.storeFailed, "\(path) is not an ordinary file.") }
        try LocalDirectory.check(
            status,
            at: path,
            requirement,
            fix: "chmod \(requirement.forbiddenMode > 7 ? "600" : "o-w")"
        )
        return file
    }

    /// The permission bits of a file, or `nil` where there is none.
    package func mode(of name: String) -> mode_t? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return status.st_mode & 0o777
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

extension PosixFile {
    fileprivate func makeFolders(_ names: ArraySlice<String>) throws(SystemFailure) {
        guard let name = names.first else { return }
        // Most often it is there because somebody else made it in this moment; what it is shows when it is opened.
        _ = mkdirat(descriptor, name, 0o755)
        let next = try PosixFile(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, in: descriptor)
        try next.makeFolders(names.dropFirst())
    }
}
