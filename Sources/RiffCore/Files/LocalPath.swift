// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A path taken apart into the folder and the last name.
package struct LocalPath {
    package let directory: String
    package let name: String

    package init(_ path: String) {
        let path = path.droppingLast(byte: "/")
        guard let slash = path.lastIndex(byte: "/") else {
            directory = "."
            name = String(path)
            return
        }
        directory = slash == path.startIndex ? "/" : String(path[..<slash])
        name = String(path[path.utf8.index(after: slash)...])
    }

    /// The place that a path leads to when a file is there already, through any links; the path's own place otherwise.
    package init(followingLink path: String) {
        guard let resolved = realpath(path, nil) else {
            self.init(path)
            return
        }
        defer { free(resolved) }
        self.init(String(cString: resolved))
    }

    /// Whether there is something at a path. What cannot be told counts as there, so that opening it says why.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 || errno != ENOENT }
}
