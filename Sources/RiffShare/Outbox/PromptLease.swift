// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The right to hand an agent's prompts over: of all processes that share an outbox one has it. It ends with this
/// value, and with its process.
///
/// It is a lock of the system. On iOS a process that is suspended while it holds one in a container that is shared with
/// an extension is ended: let go of it before that.
package final class PromptLease: Sendable {
    private let file: PosixFile

    private init(_ file: consuming PosixFile) { self.file = file }

    /// Takes it; `nil` if another one has it.
    static func take(_ file: consuming PosixFile, path: String) throws(CoreError) -> PromptLease? {
        while flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return nil }
            if errno != EINTR { throw CoreError.storeFailed("Locking \(path)") }
        }
        return PromptLease(file)
    }

    // A process that is being started at this moment has the descriptor too, until its exec: closing ours alone would
    // leave the lock to it.
    deinit { flock(file.descriptor, LOCK_UN) }
}
