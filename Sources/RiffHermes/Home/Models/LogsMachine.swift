// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import DequeModule

/// The rules of a view of a log: the newest entries, filtered without being read again, held still while somebody reads.
public struct LogsMachine: HomeMachine {
    /// What happens.
    public enum Event: Sendable {
        /// Entries came.
        case batch(LogBatch)
        /// The person filters.
        case filter(LogFilter)
        /// The person reads, and wants nothing to move; or wants to go on.
        case hold(Bool)
        /// The person empties the view, or another log is shown.
        case clear
        /// The log cannot be read at the moment; `nil` once it can.
        case problem(Problem?)
    }

    /// Nothing is to be done.
    public enum Effect: Sendable {}

    /// What is shown.
    public struct Snapshot: Sendable, Equatable {
        /// The entries that pass the filter, oldest first.
        package var entries: [LogEntry] = []
        /// The filter.
        package var filter = LogFilter()
        /// How many entries of each level are held, whatever the filter.
        package var counts: [LogLevel: Int] = [:]
        /// The sessions and the parts of the agent that are among them, to choose from.
        package var sessions: [String] = []
        /// The parts of the agent.
        package var components: [String] = []
        /// Ids of entries in front of which something may be missing.
        package var gaps: Set<UInt64> = []
        /// Whether the view is held, and how many entries came meanwhile.
        package var isHeld = false
        /// How many entries came while it is held.
        package var waiting = 0
        /// Why the log cannot be read.
        package var problem: Problem?
    }

    /// What is shown now.
    public private(set) var snapshot = Snapshot()
    /// The most entries that are held.
    package let limit: Int
    private var entries = Deque<LogEntry>()
    /// The most bytes of their messages that are held; the newest entry is, however long it is.
    package let limitBytes: Int
    private var heldBytes = 0
    private var isBehindGap = false

    /// An empty view.
    package init(limit: Int = 5000, limitBytes: Int = 16 << 20) {
        (self.limit, self.limitBytes) = (max(1, limit), max(0, limitBytes))
    }

    /// Takes an event.
    public mutating func take(_ event: Event) -> [Effect] {
        switch event {
        case .batch(let batch):
            isBehindGap = isBehindGap || batch.followsGap
            if isBehindGap, let first = batch.entries.first {
                snapshot.gaps.insert(first.id)
                isBehindGap = false
            }
            entries.append(contentsOf: batch.entries)
            heldBytes += batch.entries.reduce(0) { $0 + $1.message.utf8.count }
            while entries.count > limit || heldBytes > limitBytes && entries.count > 1 {
                heldBytes -= entries.removeFirst().message.utf8.count
            }
            snapshot.problem = nil
            if snapshot.isHeld { snapshot.waiting += batch.entries.count } else { show() }
        case .filter(let filter):
            snapshot.filter = filter
            show()
        case .hold(let isHeld):
            snapshot.isHeld = isHeld
            if !isHeld { show() }
        case .clear:
            entries.removeAll()
            heldBytes = 0
            (snapshot.gaps, isBehindGap) = ([], false)
            show()
        case .problem(let problem):
            snapshot.problem = problem
        }
        return []
    }

    private mutating func show() {
        snapshot.waiting = 0
        snapshot.entries = entries.filter { snapshot.filter.matches($0) }
        snapshot.counts = [:]
        var sessions: Set<String> = []
        var components: Set<String> = []
        for entry in entries {
            if !entry.continuesPrevious { snapshot.counts[entry.level ?? .info, default: 0] += 1 }
            if let session = entry.session { sessions.insert(session) }
            if let component = entry.component { components.insert(component) }
        }
        snapshot.sessions = sessions.sorted()
        snapshot.components = components.sorted()
        if let oldest = entries.first?.id { snapshot.gaps = snapshot.gaps.filter { $0 >= oldest } }
    }
}
