// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

#if canImport(Darwin)
internal import Darwin
internal import Dispatch
internal import Synchronization

/// Changes as the system's vnode events tell them (kqueue(2), EVFILT_VNODE): one open descriptor, for events only, for
/// each path and for the directory above it.
final class SystemChangeWaker: Sendable {
    let changes = CoalescingSignal()
    private let sources = Mutex<[Source]>([])

    private struct Source {
        let identity: String
        let source: any DispatchSourceFileSystemObject
    }

    init() throws(TransportError) {}

    deinit { for source in sources.withLock({ $0 }) { source.source.cancel() } }

    /// Blocks on slow file systems.
    func arm(for paths: [String]) {
        var wanted: [(identity: String, path: String)] = []
        for path in paths.flatMap({ [$0, nearestDirectory(above: $0)] }) {
            var record = stat()
            guard stat(path, &record) == 0 else { continue }
            let identity = "\(record.st_dev):\(record.st_ino)"
            if !wanted.contains(where: { $0.identity == identity }) { wanted.append((identity, path)) }
        }
        sources.withLock { sources in
            for old in sources where !wanted.contains(where: { $0.identity == old.identity }) { old.source.cancel() }
            let kept = sources.filter { old in wanted.contains { $0.identity == old.identity } }
            let new = wanted.filter { want in !kept.contains { $0.identity == want.identity } }
            sources = kept + new.compactMap { want in make(want.identity, want.path) }
        }
    }

    private func make(_ identity: String, _ path: String) -> Source? {
        let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let source = DispatchSource.makeFileSystemObjectSource(
            fileDescriptor: descriptor,
            eventMask: [.write, .extend, .delete, .rename, .attrib, .link, .revoke],
            queue: .global()
        )
        source.setEventHandler { [changes] in changes.send() }
        source.setCancelHandler { closeDescriptor(descriptor) }
        source.activate()
        return Source(identity: identity, source: source)
    }
}
#endif
