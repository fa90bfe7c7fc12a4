// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Files below some folders, for somebody who is not trusted with any others. All calls block.
///
/// Where a path leads is decided on the folder that was opened, not on its name: links are followed, and what they lead
/// to must lie below a root as well. Exchanging a folder for a link in the meantime changes nothing.
package struct RootedFiles: Sendable {
    /// The folders, without links in their paths.
    private let roots: [String]

    /// Files below folders.
    ///
    /// - Parameter roots: Absolute paths of folders that exist.
    /// - Throws: ``CoreError`` with `storeFailed`.
    package init(roots: [String]) throws(CoreError) {
        var real: [String] = []
        for root in roots { real.append(try LocalDirectory(path: root).realPath) }
        self.roots = real
    }

    /// The bytes of a file, at most 16 MiB; `nil` where there is none.
    ///
    /// - Throws: ``CoreError`` with `outsideRoots` or `storeFailed`.
    package func contents(of path: String) throws(CoreError) -> [UInt8]? {
        try opening(path) { (directory, name) throws(CoreError) in
            try directory.contents(of: name, LocalDirectory.Requirement(forbiddenMode: 0, isOwn: false))
        }
    }

    /// Puts a file in its place in one step; one that was there keeps its mode.
    ///
    /// - Throws: ``CoreError`` with `outsideRoots` or `storeFailed`.
    package func replace(_ path: String, with bytes: [UInt8]) throws(CoreError) {
        try opening(path) { (directory, name) throws(CoreError) in
            try directory.replace(name, with: bytes, mode: directory.mode(of: name) ?? 0o644)
        }
    }

    /// Whether a folder is a root or below it. The root's own name may not be ASCII.
    private static func isBelow(_ root: String, _ folder: String) -> Bool {
        root.isSame(bytes: "/") || folder.isSame(bytes: root) || folder.hasPrefix(bytes: root + "/")
    }

    private func opening<Result>(
        _ path: String,
        _ body: (borrowing LocalDirectory, String) throws(CoreError) -> Result
    ) throws(CoreError) -> Result {
        guard path.hasPrefix(bytes: "/"), !path.contains(byte: "\0") else {
            throw CoreError(.outsideRoots, "\(InertText.line(path)) is not an absolute path.")
        }
        var place = LocalPath(path)
        // Each round follows one link of a file; a chain of them ends as it does for the system.
        for _ in 0..<40 {
            guard place.name != ".", place.name != "..", !place.name.isEmpty, !place.name.contains(byte: "/") else {
                break
            }
            let directory = try LocalDirectory(path: place.directory)
            let real = try directory.realPath
            guard roots.contains(where: { Self.isBelow($0, real) }) else { break }
            guard let target = directory.linkTarget(of: place.name) else { return try body(directory, place.name) }
            place = LocalPath(target.hasPrefix(bytes: "/") ? target : "\(real)/\(target)")
        }
        throw CoreError(.outsideRoots, "\(InertText.line(path)) is outside of the folders that are open to the agent.")
    }
}

extension LocalDirectory {
    /// Where the open folder is now, without links.
    var realPath: String {
        get throws(CoreError) {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            #if canImport(Darwin)
            let found = fcntl(descriptor, F_GETPATH, &buffer) == 0
            #else
            let found = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count - 1) > 0
            #endif
            guard found else { throw CoreError.storeFailed("Finding the folder \(path)") }
            return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    /// Where a link of the folder leads; `nil` where the name is no link.
    func linkTarget(of name: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        guard readlinkat(descriptor, name, &buffer, buffer.count - 1) > 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension CoreErrorCode {
    /// A path leads out of the folders that may be used.
    public static let outsideRoots = CoreError.Code(rawValue: "outsideRoots")
}
