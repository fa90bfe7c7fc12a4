// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
package import Glibc
#elseif canImport(Musl)
package import Musl
#else
package import Darwin
#endif

/// An open file of this machine. It is owned, and closed once: when the value goes away, or by ``close()``.
///
/// All calls block, and are made again when a signal interrupts them. A failure has the call's name and its `errno`, so
/// that each caller says it in its own words. Programs that are started do not inherit the descriptor.
///
/// Closing a descriptor drops all record locks that this process has on the file (POSIX, close(2)), also those of
/// SQLite: open no database with it that may be in use here.
package struct PosixFile: ~Copyable, Sendable {
    package let descriptor: Int32

    /// Opens a file, with the flags of open(2) and `O_CLOEXEC`. The mode is that of a file that is made; a relative
    /// path begins at the folder of a descriptor, or at the working folder.
    package init(
        _ path: String,
        _ flags: Int32,
        mode: mode_t = 0o600,
        in folder: Int32 = AT_FDCWD
    ) throws(SystemFailure) {
        descriptor = try retrying("open") { openat(folder, path, flags | O_CLOEXEC, mode) }
    }

    deinit { _ = systemClose(descriptor) }

    /// Closes the file, for who must know of a write that the system reports only now.
    package consuming func close() throws(SystemFailure) {
        let descriptor = release()
        // Not again after a signal: the descriptor is free by then, and perhaps another file's.
        guard systemClose(descriptor) == 0 else { throw SystemFailure("close") }
    }

    /// Gives the descriptor away; the caller closes it from now on.
    package consuming func release() -> Int32 {
        let descriptor = descriptor
        discard self
        return descriptor
    }

    /// The most bytes that one positioned read asks for: more are read in pieces, since it is not known yet that they
    /// exist.
    package static let pieceBytes = 256 * 1024

    /// The next bytes; fewer than asked for where the system gives fewer, none at the end.
    package func read(upTo count: Int) throws(SystemFailure) -> [UInt8] {
        try Self.bytes("read", count) { systemRead(descriptor, $0, count) }
    }

    /// The bytes from a place on; fewer than asked for only at the end.
    package func read(_ count: Int, at offset: Int64) throws(SystemFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let wanted = min(count - bytes.count, Self.pieceBytes)
            // No overflow: as many bytes of the file are there.
            let position = off_t(offset + Int64(bytes.count))
            let piece = try Self.bytes("pread", wanted) { pread(descriptor, $0, wanted, position) }
            if piece.isEmpty { break }
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
        }
        return bytes
    }

    /// Writes all of some bytes.
    package func write(_ bytes: [UInt8]) throws(SystemFailure) {
        try Self.each(bytes, "write") { rest, _ in systemWrite(descriptor, rest.baseAddress, rest.count) }
    }

    /// Writes all of some bytes from a place on.
    package func write(_ bytes: [UInt8], at offset: Int64) throws(SystemFailure) {
        try Self.each(bytes, "pwrite") { rest, done in
            pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + Int64(done)))
        }
    }

    /// Its kind, size, owner, permissions and times.
    package func status() throws(SystemFailure) -> stat {
        var status = stat()
        try retrying("fstat") { fstat(descriptor, &status) }
        return status
    }

    /// Brings what was written to the disk.
    package func sync() throws(SystemFailure) { try retrying("fsync") { fsync(descriptor) } }

    /// Cuts the file to a size, or fills it up with zeros.
    package func truncate(to size: Int64) throws(SystemFailure) {
        try retrying("ftruncate") { ftruncate(descriptor, off_t(size)) }
    }

    /// Sets the permissions, whatever the process's mask.
    package func setMode(_ mode: mode_t) throws(SystemFailure) { try retrying("fchmod") { fchmod(descriptor, mode) } }

    private static func bytes(
        _ call: StaticString,
        _ count: Int,
        _ body: (UnsafeMutableRawPointer?) -> Int
    ) throws(SystemFailure) -> [UInt8] {
        var failure: SystemFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            do throws(SystemFailure) {
                initialized = try retrying(call) { body(buffer.baseAddress) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    private static func each(
        _ bytes: [UInt8],
        _ call: StaticString,
        _ body: (UnsafeRawBufferPointer, Int) -> Int
    ) throws(SystemFailure) {
        var done = 0
        while done < bytes.count {
            let count = try retrying(call) {
                bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[done...]), done) }
            }
            // A file takes bytes or fails; a device that takes none would hold us for ever.
            guard count > 0 else { throw SystemFailure(call, code: EIO) }
            done += count
        }
    }
}

/// `read(2)`, where a method has its name.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}

/// `write(2)`, where a method has its name.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// `close(2)`, where a method has its name.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
