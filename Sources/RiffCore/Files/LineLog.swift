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
        let file = openat(
            directory.descriptor,
            name,
            O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
            0o600
        )
        guard file >= 0 else { throw CoreError.storeFailed("Opening \(path)") }
        defer { close(file) }
        // The lock is on the file itself, which is never replaced, and ends with the descriptor. Whoever holds it writes
        // one line.
        try FileLock.acquire(file, path: path)
        var status = stat()
        guard fstat(file, &status) == 0 else { throw CoreError.storeFailed("Reading \(path)") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw CoreError(.storeFailed, "\(path) is not an ordinary file.")
        }
        // A process that was killed may have left half a line: it gets its end, and is skipped by readers.
        let bytes = (try endsInALine(file, status.st_size) ? [] : [0x0A]) + line + [0x0A]
        var count = write(file, bytes, bytes.count)
        while count < 0, errno == EINTR { count = write(file, bytes, bytes.count) }
        guard count == bytes.count, fsync(file) == 0 else {
            let failure = CoreError.storeFailed("Writing \(path)")
            // Nobody else could write meanwhile: what was written of the line goes again.
            ftruncate(file, status.st_size)
            throw failure
        }
        // Makes the name of a new file last; some file systems cannot.
        if status.st_size == 0 { fsync(directory.descriptor) }
    }

    private func endsInALine(_ file: Int32, _ size: off_t) throws(CoreError) -> Bool {
        guard size > 0 else { return true }
        var last: UInt8 = 0
        guard pread(file, &last, 1, size - 1) == 1 else { throw CoreError.storeFailed("Reading \(path)") }
        return last == 0x0A
    }

    /// The last lines that can be read as something, oldest first. Half a line at the end is none.
    package func last<Element>(_ count: Int, reading: ([UInt8]) -> Element?) throws(CoreError) -> [Element] {
        guard count > 0, LocalPath.exists(folder) else { return [] }
        let directory = try LocalDirectory(path: folder)
        guard let (file, status) = try directory.open(name, .secret) else { return [] }
        defer { close(file) }
        var found: [Element] = []
        // The piece of a line of which the beginning was not read yet; nil until the last line's end was met.
        var rest: [UInt8]?
        var position = status.st_size
        var block = [UInt8](repeating: 0, count: 64 * 1024)
        while position > 0, found.count < count {
            let size = min(Int(position), block.count)
            position -= off_t(size)
            guard pread(file, &block, size, position) == size else { throw CoreError.storeFailed("Reading \(path)") }
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
