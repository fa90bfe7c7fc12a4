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
    /// The names in the folder, in no order, without `.` and `..`; one that is not UTF-8 is left out.
    package func names() throws(CoreError) -> [String] {
        // A descriptor of its own: the position in a folder belongs to the open file.
        let copy = try CoreError.storing(
            "Listing the folder \(path)",
            try PosixFile(".", O_RDONLY | O_DIRECTORY, in: descriptor).release()
        )
        guard let folder = fdopendir(copy) else {
            let failure = CoreError.storeFailed("Listing the folder \(path)")
            close(copy)
            throw failure
        }
        defer { closedir(folder) }
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else {
                if errno != 0 { throw CoreError.storeFailed("Listing the folder \(path)") }
                return names
            }
            let bytes = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            guard let name = String(validatingCString: bytes), name != ".", name != ".." else { continue }
            names.append(name)
        }
    }

    /// Returns the status of the entry with a name, without following links; `nil` if there is none.
    package func status(of name: String) throws(CoreError) -> stat? {
        var status = stat()
        if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
        guard errno == ENOENT else { throw CoreError.storeFailed("Looking at \(path)/\(name)") }
        return nil
    }
}

extension stat {
    /// Seconds since 1970 of the last change of the contents.
    package var modifiedSeconds: Int64 {
        #if canImport(Darwin)
        Int64(st_mtimespec.tv_sec)
        #else
        Int64(st_mtim.tv_sec)
        #endif
    }

    /// Whether it is an ordinary file.
    package var isOrdinaryFile: Bool { st_mode & S_IFMT == S_IFREG }
}
