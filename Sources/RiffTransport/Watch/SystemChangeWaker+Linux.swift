// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

#if os(Linux) || os(Android)
#if canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#else
internal import Glibc
#endif
internal import Synchronization

/// Changes as inotify(7) tells them. Events say no more than that something happened: an overflow of the kernel's queue
/// is one more event, and nothing is lost by it.
final class SystemChangeWaker: Sendable {
    let changes = CoalescingSignal()
    private let descriptor: Int32
    /// What is watched now, by inotify's number.
    private let watched = Mutex<Set<Int32>>([])

    init() throws(TransportError) {
        do {
            try LocalIOLoop.shared.prepare()
            descriptor = try retrying("inotify_init1") { inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) }
        } catch {
            throw TransportError(.fileFailed, "Files on this machine cannot be watched: \(error.text) (\(error.call)).")
        }
        LocalIOLoop.shared.add(Member(waker: self, descriptor: descriptor))
    }

    // The loop lets go of it at its next turn; only then is the descriptor closed.
    deinit { LocalIOLoop.shared.wake() }

    /// Blocks on slow file systems.
    func arm(for paths: [String]) {
        let contents = UInt32(IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF)
        let entries = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF)
        watched.withLock { watched in
            var now: Set<Int32> = []
            for path in paths {
                // Adding: a directory above one path may be another path itself.
                let file = inotify_add_watch(descriptor, path, contents | entries | UInt32(IN_MASK_ADD))
                if file >= 0 { now.insert(file) }
                let above = nearestDirectory(above: path)
                let directory = inotify_add_watch(descriptor, above, entries | UInt32(IN_MASK_ADD))
                if directory >= 0 { now.insert(directory) }
            }
            for number in watched.subtracting(now) { _ = inotify_rm_watch(descriptor, number) }
            watched = now
        }
    }

    /// The member that the loop holds, so that it does not keep the waker.
    private final class Member: LocalIOMember {
        private let descriptor: Int32
        // A weak reference is safe to read from any thread; it is set once, here.
        private let waker: WeakWaker

        init(waker: SystemChangeWaker, descriptor: Int32) {
            self.waker = WeakWaker(waker)
            self.descriptor = descriptor
        }

        deinit { closeDescriptor(descriptor) }

        func appendInterests(to list: inout [pollfd]) {
            list.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        }

        func handle(_ ready: ArraySlice<pollfd>, scratch: UnsafeMutableRawBufferPointer) -> Bool {
            guard let waker = waker.value else { return false }
            var hasNews = false
            for entry in ready where entry.revents != 0 {
                while read(descriptor, scratch.baseAddress, scratch.count) > 0 { hasNews = true }
            }
            if hasNews { waker.changes.send() }
            return true
        }
    }
}

private final class WeakWaker: Sendable {
    private let reference: Mutex<Weak>
    private struct Weak { weak var waker: SystemChangeWaker? }

    init(_ waker: SystemChangeWaker) { reference = Mutex(Weak(waker: waker)) }

    var value: SystemChangeWaker? { reference.withLock { $0.waker } }
}
#endif
