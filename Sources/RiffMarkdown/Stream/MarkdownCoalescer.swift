// Riff
// SPDX-License-Identifier: Apache-2.0

/// Joins updates, so that a screen is drawn once a frame however fast text comes. No update is lost.
///
///     var coalescer = MarkdownCoalescer(interval: .milliseconds(16))
///     let update = stream.append(text)
///     if let due = coalescer.add(update, at: start.duration(to: .now)) { draw(due) }
///
/// It is a value without a clock: the caller tells the time, as a duration from any fixed moment, and asks again at
/// ``deadline`` with ``takeDue(at:)``.
public struct MarkdownCoalescer: Sendable {
    /// The least time between two updates.
    package let interval: Duration
    private var waiting: MarkdownUpdate?
    private var lastTaken: Duration?

    /// A coalescer that waits for nothing yet.
    public init(interval: Duration) { self.interval = interval }

    /// When what is waiting is due; nil if nothing is.
    public var deadline: Duration? { waiting == nil ? nil : lastTaken.map { $0 + interval } ?? .zero }

    /// Adds an update.
    ///
    /// - Returns: All updates since the last one that was returned, as one, if the interval is over.
    public mutating func add(_ update: MarkdownUpdate, at now: Duration) -> MarkdownUpdate? {
        if waiting == nil { waiting = update } else { waiting?.merge(update) }
        return takeDue(at: now)
    }

    /// What is waiting, if the interval is over.
    public mutating func takeDue(at now: Duration) -> MarkdownUpdate? {
        if let lastTaken, now < lastTaken + interval { return nil }
        guard let update = take() else { return nil }
        lastTaken = now
        return update
    }

    /// What is waiting, due or not: at the end of the text.
    public mutating func take() -> MarkdownUpdate? {
        defer { waiting = nil }
        return waiting
    }
}

extension MarkdownUpdate {
    /// Adds the update that followed this one: together they say what both said.
    package mutating func merge(_ next: MarkdownUpdate) {
        let first = committed.first?.id ?? .max
        committed += next.committed
        for amendment in next.amended { replace(amendment.block, amendment.reason, first: first) }
        tail.merge(next.tail)
        openBlock = next.openBlock
    }
}

extension MarkdownTailDelta {
    fileprivate mutating func merge(_ next: MarkdownTailDelta) {
        if next.keepPrefixUTF8 <= keepPrefixUTF8 {
            self = next
        } else {
            // All of what was appended stays, or its start does.
            let kept = appended.utf8.prefix(next.keepPrefixUTF8 - keepPrefixUTF8)
            if kept.count < appended.utf8.count { appended = String(decoding: kept, as: UTF8.self) }
            appended += next.appended
        }
    }
}
