// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffTransport

extension LogTail {
    /// Entries that were read together.
    public struct Batch: Sendable, Hashable {
        /// The entries, in order; none where reading works again after an error and found nothing new.
        public var entries: [LogEntry]
        /// Whether something may be missing in front of them: the log was truncated, or rotated away, and what was not
        /// read yet is not to be found any more, or a compressed file of it is damaged.
        public var followsGap: Bool

        /// Creates a batch of entries.
        public init(entries: [LogEntry], followsGap: Bool = false) {
            self.entries = entries
            self.followsGap = followsGap
        }
    }
}

/// A log as it grows: batches of entries, through rotations and truncations, each line once.
///
/// It is pulled: at most a quarter of a mebibyte of the log is held, and a reader that stops reads on later from where
/// it was. An error (a lost connection) does not end it: the same iterator can be asked again and goes on without a
/// loss; an empty batch comes where it can, but found nothing new. It ends by cancellation only. Each iteration begins
/// anew.
public struct LogTail: AsyncSequence, Sendable {
    let file: LogFile
    let start: LogFile.Start
    let filter: LogFilter
    let interval: Duration
    let patience: Duration
    let clock: any Clock<Duration>

    /// Reads from the start on.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let tail: LogTail
        private var follower: LogFollower?
        private var assembler = LogAssembler()
        private var changes: FileWatch.Iterator?
        private var hasWaited = false
        /// Whether a gap lies in front of what is read next.
        private var followsGap = false
        /// Whether the newest attempt failed.
        private var hasFailed = false

        fileprivate init(_ tail: LogTail) { self.tail = tail }

        /// Returns the next entries; suspends until there are some, or until it can be read again after an error.
        public mutating func next() async throws -> LogTail.Batch? {
            do {
                return try await nextBatch()
            } catch {
                hasFailed = true
                throw error
            }
        }

        private mutating func nextBatch() async throws -> LogTail.Batch {
            if follower == nil { try await begin() }
            while true {
                try Task.checkCancellation()
                let piece = try await read()
                let isBack = hasFailed
                hasFailed = false
                let entries = piece.entries.filter { tail.filter.matches($0) }
                defer { followsGap = piece.precedesGap || followsGap && entries.isEmpty }
                if !entries.isEmpty { return LogTail.Batch(entries: entries, followsGap: followsGap) }
                if isBack { return LogTail.Batch(entries: []) }
            }
        }

        private mutating func read() async throws -> (entries: [LogEntry], precedesGap: Bool) {
            switch try await follower?.next() {
            case .bytes(let bytes):
                hasWaited = false
                return (assembler.push(bytes), false)
            case .boundary:
                // A line that the older file did not end has no rest in the newer one.
                return (assembler.finish(), false)
            case .gap:
                return (assembler.finish(), true)
            case nil where !assembler.holdsEntry:
                if changes == nil {
                    changes = try await watch()
                } else if !hasFailed {
                    _ = try await changes?.next()
                }
                return ([], false)
            case nil where hasWaited:
                return (assembler.pause(), false)
            case nil:
                // More lines of a traceback may be on their way.
                try await tail.clock.sleep(for: tail.patience)
                hasWaited = true
                return ([], false)
            }
        }

        /// After the watch is there the log is read once more: what came before it is not missed.
        private func watch() async throws -> FileWatch.Iterator {
            let path = tail.file.path
            let paths = [path, "\(path).1"]
            return try await tail.file.host.watch(paths, every: tail.interval, clock: tail.clock).makeAsyncIterator()
        }

        private mutating func begin() async throws {
            let file = tail.file
            if let refusal = file.refusal { throw refusal }
            var position: LogPosition? = tail.start == .oldest ? nil : .beginning
            if tail.start.isAtEnd, let size = try await file.host.status(of: file.path)?.sizeBytes {
                var back: UInt64 = 0
                if case .last(let bytes) = tail.start { back = UInt64(Swift.max(0, bytes)) }
                let offset = size - Swift.min(size, back)
                let known = Int(Swift.min(offset, UInt64(LogFollower.contextBytes)))
                let context = try await file.host.read(file.path, from: offset - UInt64(known), count: known)
                // Shorter: it was truncated just now, and is read from its beginning.
                if context.count == known {
                    position = LogPosition(offset: offset, context: context)
                    assembler = LogAssembler(isLineStart: context.last.map { $0 == 0x0A } ?? true)
                }
            }
            follower = LogFollower(file.path, on: file.host, at: position)
        }
    }

    /// Begins a reading.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

extension LogFile.Start {
    fileprivate var isAtEnd: Bool {
        switch self {
        case .oldest, .beginning: false
        case .last, .end: true
        }
    }
}
