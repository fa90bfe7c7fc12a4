// Riff
// SPDX-License-Identifier: Apache-2.0

/// A file that is read whole, and replaced whole under a lock (`.NAME.lock` beside it). Its calls block.
///
/// A symbolic link at the path itself is followed, as people keep such files elsewhere. A file that everybody may write
/// is refused. A new file has mode 0600, one that was there keeps its mode.
package struct LockedFile {
    package let path: String

    package init(path: String) { self.path = path }

    /// The bytes; none where there is no file.
    package func read() throws(CoreError) -> [UInt8] {
        let place = LocalPath(followingLink: path)
        guard LocalPath.exists(place.directory) else { return [] }
        return try LocalDirectory(path: place.directory).contents(of: place.name, .trusted) ?? []
    }

    /// Reads, changes and writes the file under the lock; leaves it alone where nothing changed. Makes its folder.
    package func change<Result>(_ body: (inout [UInt8]) throws -> Result) throws -> Result {
        let place = LocalPath(followingLink: path)
        try LocalDirectory.make(path: place.directory)
        let directory = try LocalDirectory(path: place.directory)
        let lock = try FileLock(".\(place.name).lock", in: directory)
        let old = try directory.contents(of: place.name, .trusted) ?? []
        var new = old
        let result = try body(&new)
        if new != old { try directory.replace(place.name, with: new, mode: directory.mode(of: place.name) ?? 0o600) }
        // Keeps the lock until here; the optimizer may otherwise end a value's life after its last use.
        withExtendedLifetime(lock) {}
        return result
    }
}
