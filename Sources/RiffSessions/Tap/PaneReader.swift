// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// The bytes that one reader of a tap has not taken yet: bounded, and the oldest are dropped first.
package final class PaneReader: Sendable {
    private struct State {
        private var chunks: [PaneChunk] = []
        /// The number of chunks at the beginning that are gone already: one is not moved for each that is taken.
        private var goneCount = 0
        private(set) var heldBytes = 0
        /// Missing before the first chunk that is held.
        var gap: PaneChunk.Gap?
        var ending: Result<Void, any Error>?
        var waiters = WaitList()

        var heldCount: Int { chunks.count - goneCount }

        mutating func append(_ chunk: PaneChunk) {
            chunks.append(chunk)
            heldBytes += chunk.bytes.count
        }

        mutating func popFirst() -> PaneChunk? {
            guard goneCount < chunks.count else { return nil }
            let chunk = chunks[goneCount]
            goneCount += 1
            heldBytes -= chunk.bytes.count
            if goneCount == chunks.count || goneCount >= 256 {
                chunks.removeFirst(goneCount)
                goneCount = 0
            }
            return chunk
        }
    }

    private let state = Mutex(State())
    private let limitBytes: Int
    private let left: @Sendable () -> Void

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - limitBytes: How much is held for it.
    ///   - left: Called when nobody can read it any more, and when it is closed; maybe more than once.
    package init(limitBytes: Int, left: @escaping @Sendable () -> Void) {
        self.limitBytes = max(limitBytes, 1)
        self.left = left
    }

    deinit { left() }

    /// Adds a chunk without waiting; drops the oldest ones beyond the limit, and counts them.
    package func add(_ chunk: PaneChunk) {
        let waiters = state.withLock { state -> WaitList in
            guard state.ending == nil else { return WaitList() }
            state.append(chunk)
            while state.heldBytes > limitBytes, state.heldCount > 1, let oldest = state.popFirst() {
                state.gap = .adding(state.gap, .adding(oldest.gap, .bytes(UInt64(oldest.bytes.count))))
            }
            return state.waiters.take()
        }
        waiters.wake()
    }

    /// Ends it, after what is held. Only the first call counts.
    package func finish(_ ending: Result<Void, any Error>) {
        let waiters = state.withLock { state -> WaitList in
            if state.ending == nil { state.ending = ending }
            return state.waiters.take()
        }
        waiters.wake()
    }

    /// The next chunk; `nil` at the end.
    ///
    /// - Throws: What the tap ended with; `CancellationError`, and then nothing is lost.
    package func next() async throws -> PaneChunk? {
        try await state.wait(in: \.waiters) { state -> PaneChunk?? in
            if let chunk = state.popFirst() {
                defer { state.gap = nil }
                return chunk.after(state.gap)
            }
            guard let ending = state.ending else { return nil }
            try ending.get()
            return .some(nil)
        }
    }

    /// The reader wants no more.
    package func close() {
        finish(.success(()))
        left()
    }
}

extension PaneChunk.Gap {
    /// Both gaps, one right after the other.
    static func adding(_ first: PaneChunk.Gap?, _ second: PaneChunk.Gap?) -> PaneChunk.Gap? {
        switch (first, second) {
        case (nil, let gap), (let gap, nil): gap
        case (.bytes(let first)?, .bytes(let second)?): .bytes(first.addingReportingOverflow(second).partialValue)
        case (.unknown?, _), (_, .unknown?): .unknown
        }
    }
}
