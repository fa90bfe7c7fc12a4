// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore
internal import DequeModule

/// The rules of a view of a log: the newest entries, filtered without being read again, held still while the user
/// reads.
package struct LogsMachine: HomeMachine {
    /// An event of the log's view.
    package enum Event: Sendable {
        /// Entries came.
        case batch(LogTail.Batch)
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
    package enum Effect: Sendable {}

    package private(set) var answer = HermesAnswer<LogFilter, LogFile.View>(value: LogFile.View())
    /// The most entries that are held.
    package let limit: Int
    private var entries = Deque<LogEntry>()
    /// The most bytes of their messages that are held; the newest entry is, however long it is.
    package let limitBytes: Int
    private var heldBytes = 0
    private var isBehindGap = false
    private var view = LogFile.View()

    package init(limit: Int = 5000, limitBytes: Int = 16 << 20) {
        self.limit = max(1, limit)
        self.limitBytes = max(0, limitBytes)
    }

    package static func asked(_ filter: LogFilter) -> Event { .filter(filter) }
    package static var refreshed: Event? { nil }
    package static var paused: (begin: Event, end: Event)? { (.hold(true), .hold(false)) }

    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .batch(let batch):
            isBehindGap = isBehindGap || batch.followsGap
            if isBehindGap, let first = batch.entries.first {
                view.gaps.insert(first.id)
                isBehindGap = false
            }
            entries.append(contentsOf: batch.entries)
            heldBytes += batch.entries.reduce(0) { $0 + $1.message.utf8.count }
            while entries.count > limit || heldBytes > limitBytes && entries.count > 1 {
                heldBytes -= entries.removeFirst().message.utf8.count
            }
            answer.problem = nil
            if view.isPaused { view.waiting += batch.entries.count } else { show() }
        case .filter(let filter):
            answer.question = filter
            show()
        case .hold(let isHeld):
            view.isPaused = isHeld
            if !isHeld { show() }
        case .clear:
            entries.removeAll()
            heldBytes = 0
            view.gaps = []
            isBehindGap = false
            show()
        case .problem(let problem):
            answer.problem = problem
        }
        answer.value = view
        return []
    }

    private mutating func show() {
        let filter = answer.question ?? LogFilter()
        view.waiting = 0
        view.entries = entries.filter { filter.matches($0) }
        view.counts = [:]
        var sessions: Set<String> = []
        var components: Set<String> = []
        for entry in entries {
            if !entry.continuesPrevious { view.counts[entry.level ?? .info, default: 0] += 1 }
            if let session = entry.session { sessions.insert(session) }
            if let component = entry.component { components.insert(component) }
        }
        view.sessions = sessions.sorted()
        view.components = components.sorted()
        if let oldest = entries.first?.id { view.gaps = view.gaps.filter { $0 >= oldest } }
    }
}
