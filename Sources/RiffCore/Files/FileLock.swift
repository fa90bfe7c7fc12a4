// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An exclusive lock between processes, and between stores of one process, held while the value lives.
///
/// It is flock(2) on a file beside the one that is changed (which is replaced, so that a lock on it would be lost). The
/// system releases it when a process dies. The lock file stays: removing it would let two in.
package struct FileLock: ~Copyable {
    private let file: PosixFile

    /// Waits for the lock, 30 seconds or a little more; the thread blocks meanwhile.
    ///
    /// - Throws: ``CoreError`` with `storeBusy` when another process holds it that long, or `storeFailed`;
    ///   `CancellationError` when the task is cancelled while waiting.
    package init(_ name: String, in directory: borrowing LocalDirectory) throws {
        let path = "\(directory.path)/\(name)"
        let file = try directory.openLock(name)
        try FileLock.acquire(file, path: path)
        self.file = file
    }

    /// Locks an open file as a lock does, with the same wait; it is unlocked when the file is closed.
    package static func acquire(_ file: borrowing PosixFile, path: String) throws {
        // flock cannot wait with a limit, so a waiter asks again, after 2 ms at first and every 32 ms later: whoever
        // holds the lock has it for one write, which on a busy disk takes a while, and many waiters cost it time.
        var (pause, waited): (UInt32, UInt32) = (2_000, 0)
        while waited < 30_000_000 {
            if flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EWOULDBLOCK || errno == EINTR else { throw CoreError.storeFailed("Locking \(path)") }
            try Task.checkCancellation()
            usleep(pause)
            waited += pause
            pause = min(pause * 2, 32_000)
        }
        throw CoreError(.storeBusy, "Another process has held \(path) for 30 seconds. Try again.", recovery: .retry)
    }
}

extension CoreErrorCode {
    /// Another process holds a store's lock.
    public static let storeBusy = CoreError.Code(rawValue: "storeBusy")
}
