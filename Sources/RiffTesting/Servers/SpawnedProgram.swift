// Riff
// SPDX-License-Identifier: Apache-2.0

package import Foundation
internal import RiffCore

/// A child process started with a clean slate: no open files but the three it is given, no blocked or ignored signals.
///
/// Foundation's `Process` passes on the signal mask of the thread it happens to run on, and the threads of the
/// concurrency runtime block signals: a server started so would hand sessions in which Ctrl-C does nothing, and a shell
/// waits for ever for a SIGCHLD that cannot arrive.
package struct SpawnedProgram: Sendable {
    /// Its process, which is also its process group.
    package let processID: pid_t

    /// Starts a program and calls back with its exit status (or the number of the signal that ended it), on a thread of
    /// its own. Its standard error goes with its output where it is given no place of its own.
    package init(
        _ path: String,
        _ arguments: [String],
        input: FileHandle,
        output: FileHandle,
        diagnostics: FileHandle? = nil,
        onExit: @escaping @Sendable (Int32) -> Void
    ) throws {
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        let id = try Self.withCStrings([path] + arguments) { arguments in
            try Self.withCStrings(environment) { environment in
                let streams = [input, output, diagnostics ?? output].map(\.fileDescriptor)
                return try Self.spawn(path, arguments, environment, streams)
            }
        }
        processID = id
        Thread.detachNewThread {
            var status: Int32 = 0
            while waitpid(id, &status, 0) == -1, errno == EINTR {}
            let signal = status & 0x7f
            onExit(signal == 0 ? (status >> 8) & 0xff : signal)
        }
    }

    private static func spawn(
        _ path: String,
        _ arguments: [UnsafeMutablePointer<CChar>?],
        _ environment: [UnsafeMutablePointer<CChar>?],
        _ streams: [Int32]
    ) throws -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, descriptor) in streams.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETPGROUP)
        #if canImport(Darwin)
        flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #else
        // Some more than are open now, for what other threads open meanwhile. Closing what is not open is no error
        // here.
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        for descriptor in 3..<((open.max() ?? 3) + 64) { posix_spawn_file_actions_addclose(&actions, descriptor) }
        #endif
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var id: pid_t = 0
        let failure = posix_spawn(&id, path, &actions, &attributes, arguments, environment)
        guard failure == 0 else {
            throw TestingError(.programFailed, "\(path) cannot be started: \(String(cString: strerror(failure)))")
        }
        return id
    }

    private static func withCStrings<Result>(
        _ strings: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
    ) rethrows -> Result {
        let pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return try body(pointers + [nil])
    }
}
