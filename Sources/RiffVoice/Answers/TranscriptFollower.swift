// Riff
// SPDX-License-Identifier: Apache-2.0

/// Follows the transcript that is written now, also into another file: when a session is begun or gone back to, when a
/// worktree is entered, when a file was made again.
package actor TranscriptFollower {
    /// An agent writes no more than this between two looks, but for long answers to tools; older turns are of no
    /// interest.
    private static let lookBackBytes: UInt64 = 256 * 1024
    private static let pieceBytes = 256 * 1024

    private let transcripts: any AgentRecords
    private let interval: Duration
    private let looks: Int
    private let clock: any Clock<Duration>
    private var current: (path: String, tail: TranscriptTail)?
    private var untilNextSearch = 0
    /// What was read and not told: a host that fails within a long piece loses none of it.
    private var found: [AgentTurn] = []

    /// Creates a follower.
    ///
    /// - Parameters:
    ///   - transcripts: Where they are.
    ///   - interval: The time between two looks at the file.
    ///   - looks: After how many of them it is asked again which file is the newest.
    ///   - clock: Measures that.
    package init(
        _ transcripts: any AgentRecords,
        interval: Duration = .milliseconds(400),
        looks: Int = 5,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.transcripts, self.interval, self.looks, self.clock) = (transcripts, interval, max(1, looks), clock)
    }

    /// Waits for the next turns, for one caller at a time. What was said before it began may be among them: see
    /// ``NarrationCursor``.
    ///
    /// - Returns: At least one turn, in the order of the file.
    /// - Throws: A `RiffError` where the host cannot be asked: call it again later, nothing is lost by that.
    ///   `CancellationError`.
    package func next() async throws -> [AgentTurn] {
        while true {
            try await look()
            defer { found = [] }
            if !found.isEmpty { return found }
            try await clock.sleep(for: interval)
        }
    }

    /// The turns that are there and were not told, without waiting.
    ///
    /// - Throws: As ``next()``.
    package func present() async throws -> [AgentTurn] {
        try await look()
        defer { found = [] }
        return found
    }

    private func look() async throws {
        if untilNextSearch == 0, let newest = try await transcripts.newest(), newest != current?.path {
            current = try await transcripts.size(of: newest).map { (newest, tail(of: $0)) }
        }
        untilNextSearch = (untilNextSearch + looks - 1) % looks
        guard let (path, tail) = current else { return }
        // A file that is shorter than what was read of it is another one.
        guard let size = try await transcripts.size(of: path), size >= tail.offset else {
            current = nil
            untilNextSearch = 0
            return
        }
        if size == tail.offset, let turn = current?.tail.settle() { found.append(turn) }
        while current?.path == path, let offset = current?.tail.offset, offset < size {
            let bytes = try await transcripts.read(path, from: offset, count: Self.pieceBytes)
            guard !bytes.isEmpty else { break }
            found += current?.tail.feed(bytes) ?? []
        }
    }

    private func tail(of size: UInt64) -> TranscriptTail {
        let start = size > Self.lookBackBytes ? size - Self.lookBackBytes : 0
        return TranscriptTail(from: start, isLineStart: start == 0, reader: transcripts.makeReader())
    }
}
