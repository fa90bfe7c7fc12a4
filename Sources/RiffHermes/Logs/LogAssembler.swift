// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Makes entries of a log's bytes, however they come in pieces.
///
/// A line with a time begins an entry, and the lines without one that follow belong to it. An entry is given out once
/// the next begins, or when its owner says that nothing came for a while; what comes for it afterwards is an entry that
/// ``LogEntry/continuesPrevious``. Every line comes out, once.
package struct LogAssembler: Sendable {
    /// The most bytes of one entry; a longer one continues in the next.
    package static let entryBytes = 256 * 1024

    private var splitter = LineSplitter(limitBytes: LogAssembler.entryBytes, overflow: .pieces, stripsCR: true)
    private var pending: LogEntry?
    private var pendingBytes = 0
    /// The last entry's, for lines that follow once it was given out.
    private var last: LogLine?
    private var nextID: UInt64 = 0
    /// Whether the next line is the rest of one that was too long.
    private var isWithinLine = false

    /// Creates an assembler.
    ///
    /// - Parameter isLineStart: Whether a line begins with the next byte; otherwise the rest of one is skipped first.
    package init(isLineStart: Bool = true) {
        if !isLineStart { splitter.skipLine() }
    }

    /// Whether an entry waits for more lines, or a line for its end.
    package var holdsEntry: Bool { pending != nil }

    /// Takes the next bytes.
    ///
    /// - Returns: The entries that are whole now.
    package mutating func push(_ bytes: some Collection<UInt8>) -> [LogEntry] {
        var entries: [LogEntry] = []
        for line in splitter.push(bytes) { take(line, into: &entries) }
        return entries
    }

    /// Nothing came for a while: gives out the entry that waits. A line without its end still waits.
    package mutating func pause() -> [LogEntry] {
        guard let entry = pending else { return [] }
        pending = nil
        return [entry]
    }

    /// The file is over: gives out everything.
    package mutating func finish() -> [LogEntry] {
        var entries: [LogEntry] = []
        if let line = splitter.finish() { take(line, into: &entries) }
        entries += pause()
        last = nil
        isWithinLine = false
        return entries
    }

    private mutating func take(_ line: LineSplitter.Line, into entries: inout [LogEntry]) {
        defer { isWithinLine = !line.isComplete }
        // With the line end before it: empty lines count, too.
        let cost = line.bytes.count + (isWithinLine ? 0 : 1)
        if !isWithinLine, let start = LogLine(Array(line.bytes)) {
            entries += pause()
            last = start
            begin(start, message: start.message, line.bytes.count, continues: false)
        } else if pending != nil, pendingBytes + cost <= Self.entryBytes {
            pending?.message += (isWithinLine ? "" : "\n") + String(decoding: line.bytes, as: UTF8.self)
            pendingBytes += cost
        } else {
            let continues = pending != nil || last != nil || nextID > 0
            entries += pause()
            let message = String(decoding: line.bytes, as: UTF8.self)
            begin(last, message: message, line.bytes.count, continues: continues)
        }
    }

    private mutating func begin(_ line: LogLine?, message: String, _ count: Int, continues: Bool) {
        pending = LogEntry(
            id: nextID,
            timestamp: line?.timestamp,
            level: line?.level,
            session: line?.session,
            logger: line?.logger,
            message: message,
            continuesPrevious: continues
        )
        pendingBytes = count
        nextID += 1
    }
}
