// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Network)
internal import Dispatch
internal import Network
internal import Synchronization

/// Changes of the network's path, such as from Wi-Fi to a phone's network.
public enum NetworkPaths {
    /// Tells each change to a path that can be used, until the task is cancelled. The first path is no change.
    ///
    /// - Parameter tell: Called for each change, one after another: `await host.pathChanged()` for each host.
    public static func follow(_ tell: @Sendable () async -> Void) async {
        let monitor = NWPathMonitor()
        let known = Mutex<NWPath?>(nil)
        // Changes while a reader is busy arrive as one.
        let (changes, writer) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        monitor.pathUpdateHandler = { path in
            let isChange = known.withLock { known in
                defer { known = path }
                return known != nil && known != path && path.status == .satisfied
            }
            if isChange { writer.yield() }
        }
        monitor.start(queue: CallbackQueue.make("riff.path"))
        defer { monitor.cancel() }
        for await _ in changes { await tell() }
    }
}
#endif
