// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The part of a Codex record that was read.
struct BoardRecordFile {
    /// The first line, which says whose it is.
    var head: [UInt8]?
    var conversation: String?
    var directory: String?
    var isPersons = false
    /// The number of bytes that were taken, whole lines only.
    var offset: UInt64 = 0
    /// The size that was there when no whole line was left to read.
    var seenSize: UInt64 = 0
    /// The lines since the newest beginning of a turn, with it.
    var lines: [[UInt8]] = []
    /// The number of lines that were dropped before ``lines``.
    var droppedLines = 0
    /// Whether it was left alone: its first line cannot be read.
    var isForeign = false
    /// Whether reading goes on within a line.
    var isWithinLine = false
}

extension BoardMachine {
    /// The most lines of one record that wait for its agent.
    private static let lineLimit = 400
    /// The number of bytes to read at once, and from the end of a long record.
    private static let pieceBytes: UInt64 = 1 << 18

    /// The next piece of a record to read: only of those that were written since an agent or a server of Codex began.
    mutating func nextTail() -> BoardRequest? {
        let begun = processes.values.filter { kind(of: $0)?.kind == .codex }.map(\.began).min()
        guard let begun else { return nil }
        for (name, record) in records.sorted(by: { $0.value.modified > $1.value.modified }).prefix(40)
        where record.modified >= begun - 2 {
            let file = files[name] ?? BoardRecordFile()
            guard !file.isForeign, record.sizeBytes > file.offset, record.sizeBytes != file.seenSize else { continue }
            let count = Self.pieceBytes
            if file.head != nil, record.sizeBytes - file.offset > count {
                // Where the turn is stands at the end.
                files[name]?.offset = record.sizeBytes - count
                files[name]?.isWithinLine = true
                return .tail(from: record.sizeBytes - count + 1, count: Int(count), file: name)
            }
            return .tail(from: file.offset + 1, count: Int(count), file: name)
        }
        return nil
    }

    /// Takes a piece of a record.
    mutating func read(_ rows: [BoardRow], of name: String, at time: Duration) {
        guard let record = records[name] else { return }
        var lines = rows.compactMap { row -> [UInt8]? in if case .text(let bytes) = row { bytes } else { nil } }
        var file = files[name] ?? BoardRecordFile()
        // What follows the last line's end is no line yet.
        let rest = lines.popLast()?.count ?? 0
        file.seenSize = lines.isEmpty ? record.sizeBytes : 0
        // A first line that is not whole may be written in this moment; one as long as a piece is none.
        if lines.isEmpty, file.head == nil, rest >= Int(Self.pieceBytes) { file.isForeign = true }
        for line in lines {
            file.offset += UInt64(line.count) + 1
            if file.isWithinLine {
                file.isWithinLine = false
                continue
            }
            if file.head == nil { begin(&file, line, record) } else { append(line, to: &file) }
        }
        if files[name] != nil || files.count < Self.rowLimit { files[name] = file }
        bindRecords(at: time)
    }

    private func begin(_ file: inout BoardRecordFile, _ line: [UInt8], _ record: BoardRecord) {
        file.head = line
        guard let meta = try? JSONValue(parsing: line), meta["type"]?.text == "session_meta",
            let payload = meta["payload"]
        else {
            file.isForeign = true
            return
        }
        file.conversation = payload["id"]?.text.flatMap { ConversationID.isPlain($0) ? $0 : nil }
        file.directory = payload["cwd"]?.text
        file.isPersons = payload["thread_source"]?.text.map { $0 == "user" } ?? (payload["source"]?.text != nil)
    }

    private func append(_ line: [UInt8], to file: inout BoardRecordFile) {
        file.lines.append(line)
        guard file.lines.count > Self.lineLimit else { return }
        let count = file.lines.count / 2
        file.lines.removeFirst(count)
        file.droppedLines += count
    }

    /// Gives records to the agents that write them, and makes a thread of each that only a server can write.
    mutating func bindRecords(at time: Duration) {
        files = files.filter { records[$0.key] != nil }
        let persons = files.filter { $0.value.isPersons && !$0.value.isForeign }
        var bound: Set<String> = []
        let codex = agents.indices.filter { agents[$0].kind == .codex && agents[$0].pid != nil }
        for place in codex {
            guard let directory = agents[place].directory else { continue }
            let isAlone = codex.allSatisfy { $0 == place || !isIn(agents[$0].directory, directory) }
            let own = persons.filter { isIn($0.value.directory, directory) }
                .filter { (records[$0.key]?.modified ?? 0) >= agents[place].began - 2 }
            // Nobody's thread either, while it may be somebody's.
            bound.formUnion(own.keys)
            guard isAlone, let newest = own.max(by: { isOlder($0.key, $1.key) }) else { continue }
            give(newest.value, newest.key, to: place, at: time)
        }
        bindThreads(persons.filter { !bound.contains($0.key) }, at: time)
    }

    private mutating func bindThreads(_ files: [String: BoardRecordFile], at time: Duration) {
        let began = processes.values.filter { $0.isServer && kind(of: $0)?.kind == .codex }.map(\.began).min()
        let adapter = adapters.first { $0.kind == .codex }
        let open = files.filter { name, _ in
            guard let began, adapter != nil else { return false }
            return (records[name]?.modified ?? 0) >= began - 2
        }
        let ids = Set(open.values.compactMap { $0.conversation.map { "t" + $0 } })
        agents.removeAll { $0.pid == nil && !ids.contains($0.id) }
        guard let adapter else { return }
        for (name, file) in open.sorted(by: { $0.key < $1.key }) {
            guard let conversation = file.conversation else { continue }
            let id = "t" + conversation
            if !agents.contains(where: { $0.id == id }) {
                guard agents.count < Self.agentLimit else { return }
                agents.append(BoardAgent(id: id, adapter, nil, pane: nil, size: nil, at: time))
            }
            guard let place = agents.firstIndex(where: { $0.id == id }) else { continue }
            agents[place].directory = file.directory
            give(file, name, to: place, at: time)
        }
    }

    private mutating func give(_ file: BoardRecordFile, _ name: String, to place: Int, at time: Duration) {
        if agents[place].record != name {
            agents[place].record = name
            agents[place].takenLines = file.droppedLines
            if let head = file.head { agents[place].observer.take(.recordLine(head, file: name), at: time) }
        }
        agents[place].conversation = file.conversation
        let first = max(agents[place].takenLines - file.droppedLines, 0)
        guard first < file.lines.count else { return }
        for line in file.lines[first...] { agents[place].observer.take(.recordLine(line, file: name), at: time) }
        agents[place].takenLines = file.droppedLines + file.lines.count
    }

    private func isIn(_ directory: String?, _ other: String) -> Bool { directory?.isSame(bytes: other) ?? false }

    private func isOlder(_ name: String, _ other: String) -> Bool {
        let (left, right) = (records[name]?.modified ?? 0, records[other]?.modified ?? 0)
        return left == right ? name.utf8.lexicographicallyPrecedes(other.utf8) : left < right
    }
}
