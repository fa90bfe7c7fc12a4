// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// A row of an answer of the host's script.
package enum BoardRow: Hashable, Sendable {
    /// A pane of tmux as it is now, or that it is gone.
    case pane(String, BoardPane?)
    /// The state file of a process that lives; `nil` if either is gone.
    case state(Int, [UInt8]?)
    /// The time and the size of a record; `nil` if it is gone, or not among the newest any more.
    case record(String, BoardRecord?)
    /// A process.
    case process(BoardProcess)
    /// The beginning of what a pane shows.
    case picture(String)
    /// A row of a picture or of a record.
    case text([UInt8])
    /// What the host lacks.
    case lacks(String)

    /// Reads a row; `nil` for what is none: a login file's words, the rest of a name with a line's end in it.
    ///
    /// - Parameters:
    ///   - line: The line without its end.
    ///   - mark: The word before each row.
    package init?(line: ArraySlice<UInt8>, mark: String) {
        if line.first == UInt8(ascii: "|") {
            self = .text(Array(line.dropFirst()))
            return
        }
        let prefix = Array((mark + " ").utf8)
        guard line.starts(with: prefix) else { return nil }
        let row = line.dropFirst(prefix.count)
        guard let first = row.first else { return nil }
        let rest = row.dropFirst()
        switch first {
        case UInt8(ascii: "+"): self.init(change: rest, isThere: true)
        case UInt8(ascii: "-"): self.init(change: rest, isThere: false)
        case UInt8(ascii: "F"):
            guard let process = BoardProcess(fields: Self.fields(rest)) else { return nil }
            self = .process(process)
        case UInt8(ascii: "V"):
            let pane = String(decoding: rest, as: UTF8.self)
            guard BoardPane.isID(pane) else { return nil }
            self = .picture(pane)
        default: return nil
        }
    }

    private init?(change: ArraySlice<UInt8>, isThere: Bool) {
        guard let kind = change.first else { return nil }
        let fields = Self.fields(change.dropFirst())
        guard let key = fields.first else { return nil }
        switch kind {
        case UInt8(ascii: "P"):
            guard BoardPane.isID(key) else { return nil }
            let pane = isThere ? BoardPane(fields: fields) : nil
            if isThere, pane == nil { return nil }
            self = .pane(key, pane)
        case UInt8(ascii: "S"):
            guard key.hasSuffix(bytes: ".json"), let pid = Int(key.dropLast(5)), pid > 0 else { return nil }
            let tab = change.firstIndex(of: 0x09)
            self = .state(pid, isThere ? tab.map { Array(change[($0 + 1)...]) } ?? [] : nil)
        case UInt8(ascii: "R"):
            guard BoardRecord.isName(key) else { return nil }
            let record = isThere ? BoardRecord(fields: fields) : nil
            if isThere, record == nil { return nil }
            self = .record(key, record)
        case UInt8(ascii: "!"): self = .lacks(InertText.quote(key, limitBytes: 80))
        default: return nil
        }
    }

    private static func fields(_ bytes: ArraySlice<UInt8>) -> [String] {
        bytes.split(separator: 0x09, maxSplits: 11, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

/// A pane of tmux.
package struct BoardPane: Hashable, Sendable {
    let pid: Int
    /// The terminal, such as `pts/3`.
    let terminal: String
    let isDead: Bool
    let status: Int?
    let size: TerminalSize
    /// When something was drawn in its window last, in the host's seconds; a word for comparing.
    let activity: String
    let session: String
    let command: String
    let directory: String
    let title: String

    init?(fields: [String]) {
        guard fields.count == 12, let pid = Int(fields[1]), let columns = Int(fields[5]), let rows = Int(fields[6]),
            (1...2000).contains(columns), (1...1000).contains(rows)
        else { return nil }
        self.pid = pid
        terminal = String(fields[2].dropping(prefix: "/dev/") ?? fields[2][...])
        isDead = fields[3] == "1"
        status = Int(fields[4])
        size = TerminalSize(columns: columns, rows: rows)
        activity = fields[7]
        session = fields[8]
        command = fields[9]
        directory = fields[10]
        title = fields[11]
    }

    /// Whether a text is tmux's id of a pane, such as `%3`.
    static func isID(_ text: String) -> Bool {
        guard text.utf8.first == UInt8(ascii: "%"), (2...12).contains(text.utf8.count) else { return false }
        return text.utf8.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

/// A record of Codex.
package struct BoardRecord: Hashable, Sendable {
    /// When it was written last, in seconds since 1970 of the host's clock.
    let modified: Int
    let sizeBytes: UInt64

    init?(fields: [String]) {
        guard fields.count == 3, let modified = Int(fields[1]), let size = UInt64(fields[2]) else { return nil }
        self.modified = modified
        sizeBytes = size
    }

    /// Whether a text is the name of a record: plain, so that it can be asked for, and beneath the folder.
    static func isName(_ text: String) -> Bool {
        guard text.hasSuffix(bytes: ".jsonl"), text.utf8.count <= 200 else { return false }
        return text.split(byte: "/", omittingEmptySubsequences: false).allSatisfy { ConversationID.isPlain(String($0)) }
    }
}

/// A process of an agent's program.
package struct BoardProcess: Hashable, Sendable {
    let pid: Int
    let parent: Int
    /// The terminal, such as `pts/3`; `?` for none.
    let terminal: String
    /// When it began, in seconds since 1970 of the host's clock, within two.
    let began: Int
    let program: String
    /// Whether it serves others and is no agent itself.
    let isServer: Bool

    init?(fields: [String]) {
        guard fields.count == 6, let pid = Int(fields[0]), pid > 0, let parent = Int(fields[1]),
            let began = Int(fields[3])
        else { return nil }
        self.pid = pid
        self.parent = parent
        terminal = fields[2]
        self.began = began
        program = fields[4]
        isServer = fields[5] == "1"
    }
}
