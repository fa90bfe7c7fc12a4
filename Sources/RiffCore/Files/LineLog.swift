// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file of lines that is only ever added to, by any number of processes. Its calls block.
package struct LineLog {
    package let folder: String
    package let name: String

    package init(folder: String, name: String) {
        self.folder = folder
        self.name = name
    }

    private var path: String { "\(folder)/\(name)" }

    /// Adds a line, without its end, in one write; it is on the disk when this returns.
    package func append(_ line: [UInt8]) throws {
        try LocalDirectory.make(path: folder)
        let directory = try LocalDirectory(path: folder)
        try directory.requirePrivate()
        let file = try CoreError.storing(
            "Opening \(path)",
            try PosixFile(name, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, in: directory.descriptor)
        )
        // The lock is on the file itself, which is never replaced, and ends with the descriptor. Whoever holds it
        // writes one line.
        try FileLock.acquire(file, path: path)
        let status = try CoreError.storing("Reading \(path)", try file.status())
        guard status.isOrdinaryFile else { throw CoreError(.storeFailed, "\(path) is not an ordinary file.") }
        let size = Int64(status.st_size)
        // A process that was killed may have left half a line: it gets its end, and is skipped by readers.
        let bytes = (try endsInALine(file, size) ? [] : [0x0A]) + line + [0x0A]
        do throws(SystemFailure) {
            try file.write(bytes)
            try file.sync()
        } catch {
            // Nobody else could write meanwhile: what was written of the line goes again.
            try? file.truncate(to: size)
            throw CoreError.storeFailed("Writing \(path)", error)
        }
        // Makes the name of a new file last; some file systems cannot.
        if size == 0 { directory.sync() }
        // Keeps the lock until here; the optimizer may otherwise end a value's life after its last use.
        withExtendedLifetime(file) {}
    }

    private func endsInALine(_ file: borrowing PosixFile, _ size: Int64) throws(CoreError) -> Bool {
        guard size > 0 else { return true }
        return try read(file, 1, at: size - 1) == [0x0A]
    }

    /// Reads bytes that are in the file unless it was truncated.
    private func read(_ file: borrowing PosixFile, _ count: Int, at offset: Int64) throws(CoreError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemFailure) {
            bytes = try file.read(count, at: offset)
            guard bytes.count == count else { throw SystemFailure("pread", code: EIO) }
        } catch {
            throw CoreError.storeFailed("Reading \(path)", error)
        }
        return bytes
    }

    /// The last lines that can be read as something, oldest first. Half a line at the end is none.
    package func last<Element>(_ count: Int, reading: ([UInt8]) -> Element?) throws(CoreError) -> [Element] {
        guard count > 0, LocalPath.exists(folder) else { return [] }
        let directory = try LocalDirectory(path: folder)
        guard let file = try directory.open(name, .secret) else { return [] }
        var found: [Element] = []
        // The piece of a line of which the beginning was not read yet; nil until the last line's end was met.
        var rest: [UInt8]?
        var position: Int64
        do throws(SystemFailure) { position = Int64(try file.status().st_size) } catch {
            throw CoreError.storeFailed("Reading \(path)", error)
        }
        while position > 0, found.count < count {
            let size = Int(min(position, 64 * 1024))
            position -= Int64(size)
            let block = try read(file, size, at: position)
            var end = size
            while found.count < count, let newline = block[..<end].lastIndex(of: 0x0A) {
                if let tail = rest { reading(block[(newline + 1)..<end] + tail).map { found.append($0) } }
                rest = []
                end = newline
            }
            rest = rest.map { block[..<end] + $0 }
        }
        if found.count < count, let rest, !rest.isEmpty { reading(rest).map { found.append($0) } }
        return found.reversed()
    }
}
