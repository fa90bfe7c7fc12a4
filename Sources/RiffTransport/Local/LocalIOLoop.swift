// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
internal import RiffCore
internal import CRiffPTY
internal import Synchronization

/// Something whose descriptors the loop waits for. Both calls come from the loop's one thread.
protocol LocalIOMember: AnyObject, Sendable {
    /// Appends what to wait for now.
    func appendInterests(to list: inout [pollfd])

    /// Does what can be done without waiting; called after each wait, with this member's part of the list.
    ///
    /// - Returns: Whether the member stays; `false` when it has nothing left to wait for.
    func handle(_ ready: ArraySlice<pollfd>, scratch: UnsafeMutableRawBufferPointer) -> Bool
}

/// The one thread that does the I/O of every local process and terminal and notices their ends.
///
/// It is `poll` and not NIO's pipe channel for two reasons that were found in NIO's source: at a hang-up NIO reads to
/// the end at once, whatever the back-pressure says, and it ends the whole process (`preconditionFailure`) when a read
/// after a hang-up says "not now", which a pseudo-terminal does whose other side was opened again. Each wait is linear
/// in the number of children, which are tens.
final class LocalIOLoop: Sendable {
    /// The loop of this process; its thread starts with the first child and stays.
    static let shared = LocalIOLoop()

    private struct State {
        var members: [ObjectIdentifier: any LocalIOMember] = [:]
        var wakeWriter: Int32 = -1
        var isWakePending = false
    }

    private let state = Mutex(State())
    private static let scratchBytes = 64 * 1024

    /// Starts the thread, where it does not run yet.
    func prepare() throws(SystemFailure) {
        let code: Int32 = state.withLock { state in
            guard state.wakeWriter < 0 else { return 0 }
            var reader: Int32 = -1
            var writer: Int32 = -1
            let code = riff_make_pipe(&reader, &writer)
            guard code == 0 else { return code }
            // The thread never ends, nor does the loop: what it borrows stays valid.
            let context = Unmanaged.passRetained(LoopThread(loop: self, wakeReader: reader))
            let failure = riff_start_thread(
                { context in
                    guard let context else { return }
                    let thread = Unmanaged<LoopThread>.fromOpaque(context).takeRetainedValue()
                    thread.loop.run(wakeReader: thread.wakeReader)
                },
                context.toOpaque()
            )
            guard failure == 0 else {
                context.release()
                closeDescriptor(reader)
                closeDescriptor(writer)
                return failure
            }
            state.wakeWriter = writer
            return 0
        }
        if code != 0 { throw SystemFailure("pthread_create", code: code) }
    }

    /// Waits for a member's descriptors from now on.
    func add(_ member: any LocalIOMember) {
        state.withLock { $0.members[ObjectIdentifier(member)] = member }
        wake()
    }

    /// Makes the loop ask every member again what to wait for.
    func wake() {
        state.withLock { state in
            guard state.wakeWriter >= 0, !state.isWakePending else { return }
            state.isWakePending = true
            var byte: UInt8 = 0
            // It cannot be full: at most one byte is under way.
            _ = write(state.wakeWriter, &byte, 1)
        }
    }

    private func run(wakeReader: Int32) {
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.scratchBytes, alignment: 16)
        defer { scratch.deallocate() }
        var list: [pollfd] = []
        var wasWoken = false
        while true {
            let members = state.withLock { Array($0.members.values) }
            list.removeAll(keepingCapacity: true)
            list.append(pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0))
            var ends: [Int] = []
            for member in members {
                member.appendInterests(to: &list)
                ends.append(list.count)
            }
            if poll(&list, nfds_t(list.count), wasWoken ? 0 : -1) < 0 {
                // Interrupted, or short of memory for a moment: nothing is known about any descriptor.
                for index in list.indices { list[index].revents = 0 }
            }
            // What is ordered from here on ends the next wait. What was ordered before is seen by the next turns, which
            // come without a wait: a member that was just added had no turn yet, and would sleep over an order to
            // close.
            wasWoken = state.withLock { state in
                guard state.isWakePending, read(wakeReader, scratch.baseAddress, scratch.count) > 0 else {
                    return false
                }
                state.isWakePending = false
                return true
            }
            var start = 1
            for (member, end) in zip(members, ends) {
                if !member.handle(list[start..<end], scratch: scratch) {
                    state.withLock { $0.members[ObjectIdentifier(member)] = nil }
                }
                start = end
            }
        }
    }
}

/// The values that the loop's thread is given.
private final class LoopThread: Sendable {
    let loop: LocalIOLoop
    let wakeReader: Int32

    init(loop: LocalIOLoop, wakeReader: Int32) {
        self.loop = loop
        self.wakeReader = wakeReader
    }
}
