// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Changes at some paths of a host, as they are found: each element is what changed since the element before, one
/// ``FileWatch/Change`` for a path.
///
/// It is pulled: nothing happens between two calls of `next()`, so nothing piles up while nobody asks, and however much
/// happened meanwhile is one element. A change back to what was there is none. The first element is relative to what
/// was there when the watch was made. It ends only by an error or by cancellation; after an error it can be asked on.
///
/// Single-consumer: one task asks.
public struct FileWatch: AsyncSequence, Sendable {
    /// Looks at all paths at once; a path with nothing is left out.
    public typealias Look = @Sendable (_ paths: [String]) async throws -> [String: FileFingerprint]

    private let machine: FileWatchMachine
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let waker: (any ChangeWaker)?
    private let look: Look

    /// A watch that looks at regular intervals; the first look is now.
    ///
    /// - Parameters:
    ///   - paths: What to watch: files or directories (whose entries count as their contents), there or not.
    ///   - interval: How long is waited before each look.
    ///   - clock: Measures that.
    ///   - look: Looks at all paths at once.
    /// - Throws: What the first look throws.
    public init(_ paths: [String], every interval: Duration, clock: any Clock<Duration>, look: @escaping Look)
        async throws
    {
        try await self.init(paths, every: interval, clock: clock, waker: nil, look: look)
    }

    /// Creates a watch that looks when it is asked to, and at intervals.
    package init(
        _ paths: [String],
        every interval: Duration,
        clock: any Clock<Duration>,
        waker: (any ChangeWaker)?,
        look: @escaping Look
    ) async throws {
        // Before the first look: what happens after it must wake.
        try await waker?.arm(for: paths)
        machine = FileWatchMachine(paths: paths, known: try await look(paths))
        self.interval = interval
        self.clock = clock
        self.waker = waker
        self.look = look
    }

    /// The one iterator.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var machine: FileWatchMachine
        fileprivate let watch: FileWatch

        /// The next changes; suspends until there are some.
        public mutating func next() async throws -> [FileWatch.Change]? {
            while true {
                try await watch.waitForNews()
                let now = try await watch.look(machine.paths)
                let changes = machine.take(now)
                if !changes.isEmpty { return changes }
            }
        }
    }

    /// Starts the iteration.
    public func makeAsyncIterator() -> Iterator { Iterator(machine: machine, watch: self) }

    private func waitForNews() async throws {
        guard let waker else {
            try await clock.sleep(for: interval)
            return
        }
        // Some file systems tell nothing (network ones), and some changes are told to nobody.
        do { try await withDeadline(interval, clock: clock) { try await waker.news() } } catch is DeadlineExceeded {}
        // A path may lead to another file by now. What happens from here on wakes again.
        try await waker.arm(for: machine.paths)
    }
}

/// Tells that something may have changed at some paths; what, is found by looking.
package protocol ChangeWaker: AnyObject, Sendable {
    /// Watches what lies at the paths now, and the places where something may come to lie.
    func arm(for paths: [String]) async throws

    /// Suspends until something may have changed since the last call returned.
    func news() async throws
}
