// Riff
// SPDX-License-Identifier: Apache-2.0

/// The complete blocks that name a link or a footnote which is not defined.
struct LateReferences: Sendable {
    private struct Entry: Sendable {
        let block: FinishedBlock
        let source: [UInt8]
        /// The labels that it waits for, or waited for.
        var labels: Set<LinkLabel> = []
    }

    private var entries: [Int: Entry] = [:]
    private var waiting: [LinkLabel: [Int]] = [:]
    /// The blocks that wait to be read again.
    private var due: [Int: MarkdownAmendment.Reason] = [:]
    /// Those of them that wait for the end.
    private var postponed: [Int: MarkdownAmendment.Reason] = [:]

    /// The number of bytes of source that were read again. A long block that names a thousand links, each defined in a
    /// line of its own, would be read a thousand times; past a share of the text such blocks wait for the end.
    private var spent = 0
    private static let freeBytes = 1 << 20

    /// Notes what a block waits for; it may be waiting for other labels already.
    mutating func wait(_ id: Int, _ block: FinishedBlock, source: [UInt8], for labels: Set<LinkLabel>) {
        guard !labels.isEmpty else {
            entries[id] = nil
            return
        }
        var entry = entries.removeValue(forKey: id) ?? Entry(block: block, source: source)
        for label in labels where entry.labels.insert(label).inserted { waiting[label, default: []].append(id) }
        entries[id] = entry
    }

    /// A label was defined.
    mutating func define(_ label: LinkLabel, reason: MarkdownAmendment.Reason) {
        for id in waiting.removeValue(forKey: label) ?? [] where entries[id] != nil && postponed[id] == nil {
            due[id] = due[id] ?? reason
        }
    }

    /// A block to read again.
    struct Due {
        let id: Int
        let block: FinishedBlock
        let source: [UInt8]
        let reason: MarkdownAmendment.Reason
    }

    /// Returns the blocks to read again now, in order.
    mutating func takeDue(textLength: Int, isLast: Bool) -> [Due] {
        if isLast {
            due.merge(postponed) { $1 }
            postponed = [:]
        }
        guard !due.isEmpty else { return [] }
        var taken: [Due] = []
        for (id, reason) in due.sorted(by: { $0.key < $1.key }) {
            guard let entry = entries[id] else { continue }
            guard isLast || spent + entry.source.count <= Self.freeBytes + 4 * textLength else {
                postponed[id] = reason
                continue
            }
            spent += entry.source.count
            taken.append(Due(id: id, block: entry.block, source: entry.source, reason: reason))
        }
        due = [:]
        return taken
    }
}
