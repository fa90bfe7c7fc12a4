// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import RiffCore

/// Lines of Claude Code's own transcripts, `~/.claude/projects/<folder>/<session>.jsonl`.
///
/// What was said is taken, and the tools that were used, with what they returned: that comes in a later line, so that
/// the newest messages are held until then. Files of gigabytes are no rarity: no more is held than a window. Side
/// conversations of helpers, thinking and notes of the program are passed over.
struct ClaudeLineDecoder: TranscriptLineDecoder {
    let session: TranscriptSession.ID
    let source = ChatSource.other
    private var header: TranscriptSession?
    private var title: String?
    /// The newest messages, and how many went before them.
    private var messages: [ChatEntry] = []
    private var goneCount = 0
    private var heldBytes = 0

    /// The most messages, and about the most bytes, that are held.
    private static let window = (messages: 2000, bytes: 32 << 20)
    /// The place of a tool's call, by the call's id: which message, and which of its calls.
    private var calls: [ByteName: (message: Int, call: Int)] = [:]

    init(session: TranscriptSession.ID) { self.session = session }

    /// Whether a line is one of Claude's. Other kinds come with each version.
    static func wrote(_ json: JSONValue) -> Bool {
        guard let kind = json["type"]?.text, json["jsonrpc"] == nil else { return false }
        switch kind {
        case "user", "assistant": return json["message"]?.object != nil && json["uuid"] != nil
        case "summary": return json["leafUuid"] != nil
        case "file-history-snapshot", "queue-operation": return true
        default: return json["sessionId"]?.text != nil
        }
    }

    mutating func items(_ line: JSONValue) throws(LineProblem) -> [ImportItem] {
        guard line.object != nil else { throw LineProblem("it is not an object") }
        if line["type"] == "summary" { title = line["summary"]?.text.map(InertText.line) ?? title }
        guard let role = line["type"]?.text, role == "user" || role == "assistant",
            line["isSidechain"]?.bool != true, line["isMeta"]?.bool != true
        else { return [] }
        guard let message = line["message"] else { throw LineProblem("its message is missing") }
        guard let id = line["uuid"]?.text, TranscriptName.isValid(id) else {
            throw LineProblem("its id is missing, empty or too long")
        }
        let time = line["timestamp"]?.text.flatMap(Self.seconds(of:))
        begin(line, time)
        add(message, role: ChatEntry.Role(rawValue: role), id: id, time: time)
        return older()
    }

    /// Returns the messages that have waited long enough for their tools; the newest message always waits.
    private mutating func older() -> [ImportItem] {
        guard messages.count > Self.window.messages || heldBytes > Self.window.bytes, messages.count > 1 else {
            return []
        }
        let count = max(1, messages.count / 2)
        let gone = messages.prefix(count)
        messages.removeFirst(count)
        goneCount += count
        heldBytes = heldBytes > Self.window.bytes ? 0 : heldBytes / 2
        return items(of: gone)
    }

    private func items(of messages: some Sequence<ChatEntry>) -> [ImportItem] {
        guard var header else { return [] }
        header.title = title
        return [.session(header)] + messages.map { .message($0, in: header.id) }
    }

    mutating func rest() -> [ImportItem] { items(of: messages) }

    private mutating func begin(_ line: JSONValue, _ time: Double?) {
        guard header == nil else { return }
        let named = line["sessionId"]?.text.flatMap { TranscriptName.isValid($0) ? $0 : nil }
        header = TranscriptSession(
            id: named ?? session,
            source: source,
            directory: line["cwd"]?.text,
            createdAt: time
        )
    }

    private mutating func add(_ message: JSONValue, role: ChatEntry.Role, id: String, time: Double?) {
        var texts = message["content"]?.text.map { [$0] } ?? []
        var tools: [ChatEntry.ToolCall] = []
        var attachments: [ChatEntry.Attachment] = []
        for block in message["content"]?.array ?? [] {
            switch block["type"]?.text {
            case "text": block["text"]?.text.map { texts.append($0) }
            case "tool_use":
                tools.append(
                    ChatEntry.ToolCall(
                        id: block["id"]?.text ?? "",
                        name: block["name"]?.text ?? "",
                        input: block["input"]
                    )
                )
            case "tool_result": finish(block)
            case "image", "document":
                attachments.append(
                    ChatEntry.Attachment(
                        name: block["type"]?.text ?? "",
                        mediaType: block["source"]?["media_type"]?.text
                    )
                )
            default: break
            }
        }
        let text = texts.filter { !$0.isEmpty }.joined(separator: "\n\n")
        guard !text.isEmpty || !tools.isEmpty || !attachments.isEmpty else { return }
        for (place, tool) in tools.enumerated() { calls[ByteName(tool.id)] = (goneCount + messages.count, place) }
        heldBytes += text.utf8.count + tools.reduce(0) { $0 + Self.size(of: $1.input) }
        messages.append(
            ChatEntry(
                id: id,
                role: role,
                text: text,
                time: time,
                // What the program itself says has no model.
                model: message["model"]?.text.flatMap { $0.utf8.first == UInt8(ascii: "<") ? nil : $0 },
                toolCalls: tools,
                attachments: attachments
            )
        )
    }

    private mutating func finish(_ result: JSONValue) {
        guard let id = result["tool_use_id"]?.text, let place = calls.removeValue(forKey: ByteName(id)),
            place.message >= goneCount
        else { return }
        let message = place.message - goneCount
        messages[message].toolCalls[place.call].output = result["content"]
        messages[message].toolCalls[place.call].status = result["is_error"]?.bool == true ? "failed" : "completed"
        heldBytes += Self.size(of: result["content"])
    }

    private static func size(of json: JSONValue?) -> Int {
        switch json {
        case .string(let text): text.utf8.count
        case .array(let elements): elements.reduce(16) { $0 + size(of: $1) }
        case .object(let members): members.reduce(16) { $0 + $1.key.utf8.count + size(of: $1.value) }
        default: 16
        }
    }

    /// `2026-11-21T03:54:49.633Z` (ISO 8601), with or without a fraction.
    private static func seconds(of stamp: String) -> Double? {
        let styles = [true, false].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
        return styles.lazy.compactMap { try? $0.parse(stamp) }.first?.timeIntervalSince1970
    }
}
