// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffHermes

/// The newest entries of a log, as far as they are kept here.
package struct LogBook: Sendable {
    static let limit = 2000

    package private(set) var entries: [LogEntry] = []
    /// What keeps the log from being read.
    package var problem: String?
    /// Whether something was read, or there is nothing to be read.
    package private(set) var isBegun = false

    package init() {}

    package mutating func add(_ batch: LogTail.Batch) {
        isBegun = true
        problem = batch.followsGap ? "Some of the log was gone before it could be read." : nil
        entries += batch.entries
        entries.removeFirst(max(0, entries.count - Self.limit))
    }

    /// The lines of the entries that are at least so grave.
    package func lines(_ level: LogEntry.Level?) -> [String] {
        let filter = LogFilter(minimumLevel: level)
        return entries.filter(filter.matches).flatMap { LogText.lines(of: $0) }
    }
}

/// An entry as lines of text.
enum LogText {
    static func lines(of entry: LogEntry) -> [String] {
        let message = entry.message.split(separator: "\n", omittingEmptySubsequences: false)
        let words = [
            entry.timestamp, entry.level?.rawValue, entry.session.map { "[\($0)]" }, entry.logger.map { $0 + ":" },
        ]
        let head = words.compactMap { $0 }.joined(separator: " ")
        let first = head.isEmpty ? String(message.first ?? "") : "\(head) \(message.first ?? "")"
        return [first] + message.dropFirst().map { "    " + $0 }
    }
}
