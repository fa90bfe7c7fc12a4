// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif
import Foundation
import Synchronization

/// A program that was started, its standard input and output as pipes. Calls block: this is for the peers, whose
/// measurements must not pay for anything of ours.
final class Child {
    let processID: pid_t
    private var input: Int32
    private let output: Int32
    private var end: (status: Int32, cpu: Double)?

    /// Starts a program, looked up in PATH. Its standard error is ours, or thrown away.
    init(_ arguments: [String], discardingErrors: Bool = false) throws {
        var toChild: [Int32] = [-1, -1]
        var fromChild: [Int32] = [-1, -1]
        guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw BenchError("no pipe: \(errno)") }
        for descriptor in [toChild[1], fromChild[0]] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }

        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
        posix_spawn_file_actions_addclose(&actions, toChild[0])
        posix_spawn_file_actions_addclose(&actions, fromChild[1])

        if discardingErrors { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }

        // What this program ignores, the child must not: ssh leaves an ignored SIGTERM ignored.
        #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
        #else
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // A thread of a pool may block signals, and a child inherits that: it would not hear that it is to end.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        let variables = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
        defer { for pointer in argv + envp { free(pointer) } }
        var processID: pid_t = 0
        let failure = posix_spawnp(&processID, arguments[0], &actions, &attributes, &argv, &envp)
        close(toChild[0])
        close(fromChild[1])
        guard failure == 0 else {
            close(toChild[1])
            close(fromChild[0])
            throw BenchError("\(arguments[0]) could not be started: \(String(cString: strerror(failure)))")
        }
        self.processID = processID
        input = toChild[1]
        output = fromChild[0]
    }

    deinit {
        closeInput()
        close(output)
        if end == nil {
            kill(processID, SIGKILL)
            wait()
        }
    }

    /// Writes a few bytes.
    func write(_ bytes: [UInt8]) throws {
        guard Self.systemWrite(input, bytes) == bytes.count else { throw BenchError("writing to a child: \(errno)") }
    }

    private static func systemWrite(_ descriptor: Int32, _ bytes: [UInt8]) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, bytes, bytes.count)
        #elseif canImport(Musl)
        Musl.write(descriptor, bytes, bytes.count)
        #else
        Darwin.write(descriptor, bytes, bytes.count)
        #endif
    }

    /// How many bytes came into the buffer; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { max(0, Self.systemRead(output, buffer)) }

    private static func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
        Musl.read(descriptor, buffer.baseAddress, buffer.count)
        #else
        Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }

    /// The CPU seconds of it until now, without what it waited for; `nil` where the system does not tell (on Linux
    /// only).
    var processorSeconds: Double? {
        #if os(Linux)
        var identifier = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(processID, &identifier) == 0, clock_gettime(identifier, &time) == 0 else {
            return nil
        }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        #else
        return nil
        #endif
    }

    /// Reads to the end, or to `limit` bytes. Returns how many bytes came.
    @discardableResult
    func drain(upTo limit: Int = .max, came: (Int) -> Void = { _ in }) -> Int {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var total = 0
        while total < limit {
            let count = read(into: buffer)
            if count == 0 { break }
            total += count
            came(count)
        }
        return total
    }

    /// Reads to the end. Returns what came.
    func readAll() -> [UInt8] {
        var all: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while case let count = read(into: buffer), count > 0 { all += buffer[..<count] }
        return all
    }

    /// Waits for a byte.
    func readByte() throws -> UInt8 {
        var byte: UInt8 = 0
        let count = withUnsafeMutableBytes(of: &byte) { read(into: $0) }
        guard count == 1 else { throw BenchError("a child ended early") }
        return byte
    }

    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Asks it to end, then waits. Returns the CPU seconds of it and of what it waited for.
    @discardableResult
    func terminate() -> Double {
        kill(processID, SIGTERM)
        return wait()
    }

    /// Waits for its end. Returns the CPU seconds of it and of what it waited for.
    @discardableResult
    func wait() -> Double { reap().cpu }

    /// Waits for its end. Returns its exit status; -1 where a signal ended it.
    func waitForStatus() -> Int32 {
        let status = reap().status
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
    }

    private func reap() -> (status: Int32, cpu: Double) {
        if let end { return end }
        var status: Int32 = 0
        var usage = rusage()
        while wait4(processID, &status, 0, &usage) < 0, errno == EINTR {}
        end = (status, usage.seconds)
        return (status, usage.seconds)
    }

    /// Reads to the end and throws it away, on a thread of its own that the child's end ends. Returns how to learn how
    /// many bytes came until now.
    func discardOutput() -> @Sendable () -> Int {
        let output = output
        let total = Counter()
        Thread {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
            defer { buffer.deallocate() }
            while case let count = Self.systemRead(output, buffer), count > 0 { total.add(count) }
        }.start()
        return { total.value }
    }
}

/// A number that two threads share.
final class Counter: Sendable {
    private let stored = Mutex(0)

    var value: Int { stored.withLock { $0 } }

    /// Returns the new value.
    @discardableResult
    func add(_ number: Int) -> Int {
        stored.withLock { stored in
            stored += number
            return stored
        }
    }
}

extension rusage {
    /// User and system time, in seconds.
    var seconds: Double {
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
        return seconds(ru_utime) + seconds(ru_stime)
    }
}

/// The CPU seconds that this process used until now.
func ownProcessorSeconds() -> Double {
    var usage = rusage()
    #if canImport(Glibc)
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    #else
    getrusage(RUSAGE_SELF, &usage)
    #endif
    return usage.seconds
}

/// What went wrong, in words.
struct BenchError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
