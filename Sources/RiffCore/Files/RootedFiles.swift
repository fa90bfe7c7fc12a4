// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The files below some folders, for a caller that is not trusted with any others. All calls block.
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

    /// Puts a file in its place in one step; one that was there keeps its mode. Folders that are missing are made.
    ///
    /// - Throws: ``CoreError`` with `outsideRoots` or `storeFailed`.
    package func replace(_ path: String, with bytes: [UInt8]) throws(CoreError) {
        try makeFolders(above: path)
        try opening(path) { (directory, name) throws(CoreError) in
            try directory.replace(name, with: bytes, mode: directory.mode(of: name) ?? 0o644)
        }
    }

    /// Makes the folders of a path that are missing, one in the other, from a folder that was opened below a root.
    private func makeFolders(above path: String) throws(CoreError) {
        guard path.hasPrefix(bytes: "/"), !path.utf8.contains(0) else { return }
        var folder = LocalPath(path).directory
        var missing: [String] = []
        while !LocalPath.exists(folder) {
            let place = LocalPath(folder)
            // Opening the path says what is wrong with it.
            guard !place.name.isSame(bytes: "."), !place.name.isSame(bytes: ".."), !place.name.isEmpty else { return }
            missing.append(place.name)
            folder = place.directory
        }
        guard !missing.isEmpty else { return }
        let directory = try LocalDirectory(path: folder)
        guard isOpen(try directory.realPath) else { throw Self.outside(path) }
        try directory.makeFolders(missing.reversed())
    }

    /// Whether a folder is a root or below one. A root's own name may not be ASCII.
    private func isOpen(_ real: String) -> Bool {
        roots.contains { $0.isSame(bytes: "/") || real.isSame(bytes: $0) || real.hasPrefix(bytes: $0 + "/") }
    }

    private static func outside(_ path: String) -> CoreError {
        CoreError(.outsideRoots, "\(InertText.line(path)) is outside of the folders that are open to the agent.")
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
            guard isOpen(real) else { break }
            guard let target = directory.linkTarget(of: place.name) else { return try body(directory, place.name) }
            place = LocalPath(target.hasPrefix(bytes: "/") ? target : "\(real)/\(target)")
        }
        throw Self.outside(path)
    }
}

extension LocalDirectory {
    /// The path of the open folder now, without links.
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

    /// Returns the target of a link in the folder; `nil` if the name is no link.
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
