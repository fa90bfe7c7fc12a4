// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample: inbox: SharedMediaInbox, host: SSHHost, session: TerminalSession
/// Brings what waits in an inbox to the host, and types where it lies into the session that was active last.
///
/// A file leaves the inbox only after both; what fails stays, and is tried again at the next event. One at a time, the
/// oldest first, and each by one drain only, also of those in other processes. Should this process die between typing
/// and removing, the path is typed once more.
///
/// ```swift
/// let drain = ShareDrain(inbox, by: SFTPShareCarrier(host: host), into: session)
/// await drain.handle(.bootstrapped)
/// await drain.handle(.connected)
/// ```
public actor ShareDrain {
    /// The progress of a file that is still in the inbox: steps that are done are not done again.
    private enum Stage {
        case carried(String)
        case typed
    }

    private nonisolated let source = StateSource(ShareDrain.State())
    private let inbox: SharedMediaInbox
    private let carrier: any ShareCarrier
    private let typing: any SharePathTyping
    private var machine = ShareDrainMachine()
    private var stages: [SharedMediaItem.Name: Stage] = [:]
    private var run: Task<Void, Never>?

    /// A drain; nothing happens before the first events.
    ///
    /// - Parameters:
    ///   - inbox: Where the files wait.
    ///   - carrier: What brings them to the host.
    ///   - typing: What types their paths.
    public init(_ inbox: SharedMediaInbox, by carrier: any ShareCarrier, into typing: any SharePathTyping) {
        self.inbox = inbox
        self.carrier = carrier
        self.typing = typing
    }

    deinit { run?.cancel() }

    /// The current state of the drain.
    public nonisolated var current: ShareDrain.State { source.current }

    /// Returns the current state of the drain, then each change.
    public nonisolated func updates() -> AsyncStream<ShareDrain.State> { source.updates() }

    /// Takes an event; its effects continue by themselves.
    public func handle(_ event: Event) {
        for effect in machine.handle(event) {
            switch effect {
            case .drain: run = Task { [weak self] in await self?.drain() }
            case .cancel: run?.cancel()
            }
        }
    }

    /// Cuts a drain short and returns when no file is claimed any more: what a phone's app does before it sleeps, and
    /// everybody at the end. The next ``Event/foregrounded`` goes on.
    public func background() async {
        handle(.suspended)
        await run?.value
    }

    /// Returns when no drain is under way: what a task in the background waits for before it lets the app sleep.
    public func finished() async {
        while machine.isDraining { await run?.value }
    }

    private func drain() async {
        var state = source.current
        state.isDraining = true
        state.problems = []
        source.update(state)
        do {
            try await inbox.purgeStale()
            let items = try await inbox.items()
            stages = stages.filter { stage in items.contains { $0.name == stage.key } }
            for item in items where await !deliver(item) || Task.isCancelled { break }
            state = source.current
            state.waiting = try await inbox.items().count
        } catch {
            state = source.current
            note(error, on: nil, in: &state)
        }
        state.isDraining = false
        state.progress = nil
        source.update(state)
        handle(.drainEnded)
    }

    /// Whether a file is still in the inbox.
    func waits(_ item: SharedMediaItem) async throws -> Bool {
        try await inbox.items().contains { $0.name == item.name }
    }

    /// Returns whether it makes sense to go on with the next file.
    private func deliver(_ item: SharedMediaItem) async -> Bool {
        let claim: SharedMediaClaim
        do {
            // Somebody else's otherwise, who also removes it.
            guard let own = try await inbox.claim(item.name) else { return true }
            claim = own
        } catch {
            fail(item, error)
            return true
        }
        do {
            if stages[item.name] == nil {
                try inbox.cap.check(claim.item.sizeBytes, item.name.format)
                follow(claim)
                stages[item.name] = .carried(try await carrier.carry(claim))
            }
            if case .carried(let path) = stages[item.name] {
                guard try await type(path, of: item) else {
                    await claim.release()
                    return false
                }
                stages[item.name] = .typed
            }
            try await claim.complete()
            stages[item.name] = nil
            var state = source.current
            state.delivered += 1
            state.progress = nil
            source.update(state)
        } catch {
            await claim.release()
            fail(item, error)
        }
        return true
    }

    /// Shows how far a file is on its way, in steps that can be seen: a hundredth of it, or more.
    private func follow(_ claim: SharedMediaClaim) {
        let item = claim.item
        let step = max(1, item.sizeBytes / 100)
        claim.onProgress { [source] sent in
            source.update { state in
                let shown = state.progress?.item == item ? state.progress?.sentBytes : nil
                guard shown.map({ sent >= $0 + step || sent < $0 || sent == item.sizeBytes }) ?? true else {
                    return nil
                }
                var state = state
                state.progress = ShareDrain.State.Progress(item: item, sentBytes: sent)
                return state
            }
        }
    }

    /// Returns whether it was typed; a session that takes none takes none for the other files either.
    private func type(_ path: String, of item: SharedMediaItem) async throws -> Bool {
        let text = try SharePath.text(for: path)
        do {
            try await typing.typeSharedPath(text)
            return true
        } catch {
            fail(item, error)
            return false
        }
    }

    private func fail(_ item: SharedMediaItem, _ error: any Error) {
        var state = source.current
        note(error, on: item, in: &state)
        source.update(state)
    }

    private func note(_ error: any Error, on item: SharedMediaItem?, in state: inout ShareDrain.State) {
        // A drain that was cut short has not failed.
        guard !(error is CancellationError) else { return }
        state.problems.append(ShareDrain.State.Problem(item: item, error: error.asRiffError))
    }
}

extension ShareDrain {
    /// The state of a ``ShareDrain``, for a front end to show.
    public struct State: Sendable {
        /// The problem that kept a file from being delivered; it still waits.
        public struct Problem: Sendable {
            /// The file; `nil` where the inbox itself could not be read.
            public let item: SharedMediaItem?
            /// The error that caused the problem.
            public let error: any RiffError
        }

        /// The progress of a file on its way to the host.
        public struct Progress: Sendable, Hashable {
            /// The file.
            public let item: SharedMediaItem
            /// The bytes of it that were sent.
            public let sentBytes: Int64
            /// The part of it that was sent, from 0 to 1.
            public var fraction: Double {
                item.sizeBytes > 0 ? min(1, Double(sentBytes) / Double(item.sizeBytes)) : 1
            }
        }

        /// The file that is on its way; `nil` while none is.
        public var progress: Progress?
        /// Whether files are being brought over now.
        public var isDraining = false
        /// The number of files that waited at the end of the last drain.
        public var waiting = 0
        /// The number of files that were delivered since the start.
        public var delivered = 0
        /// The problems of this drain, or of the last one.
        public var problems: [Problem] = []
    }
}

extension CoreErrorCode {
    /// A shared file could not be delivered, for a reason that only the cause tells.
    public static let shareFailed = CoreError.Code(rawValue: "shareFailed")
}
