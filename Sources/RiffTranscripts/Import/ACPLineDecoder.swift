// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import RiffCore

/// Messages of the Agent Client Protocol (<https://agentclientprotocol.com>), both directions or the agent's alone.
///
/// Pieces of text become messages, and updates change the tool call that they name; so a session is whole only at the
/// end, and is held until then. Its messages are named by what is before them, so that the recording of the same
/// session gives the same names, once it has grown or where the agent sends all of it again, and another part of the
/// session other ones.
struct ACPLineDecoder: TranscriptLineDecoder {
    let session: TranscriptSession.ID
    let source = ChatSource.acp
    private var sessions: [TranscriptSession.ID: ACPRecording] = [:]
    private var order: [TranscriptSession.ID] = []
    /// The folders of sessions that were asked for, by the request's id.
    private var asked: [JSONValue: JSONValue] = [:]
    /// Sessions that were asked to be loaded or resumed, and of which nothing came since.
    private var loading: [TranscriptSession.ID: Load] = [:]

    private struct Load {
        let request: JSONValue?
        let directory: String?
        /// Whether the agent need not send the conversation again, though some do.
        let isResume: Bool
    }

    init(session: TranscriptSession.ID) { self.session = session }

    mutating func items(_ line: JSONValue) throws(LineProblem) -> [ImportItem] {
        guard line.object != nil else { throw LineProblem("it is not an object") }
        let message = line["msg"] ?? line
        // What stands between the messages in a recording: what an agent wrote elsewhere.
        guard message.object != nil else { return [] }
        let parameters = message["params"]
        switch message["method"]?.text {
        case "session/update": try update(parameters, line)
        case "session/prompt":
            resume(identity(parameters), line)
            change(parameters, line) { $0.prompt(parameters?["prompt"]?.array ?? []) }
        case "session/load", "session/resume":
            // The agent may send all of it again, or nothing, or refuse: what there is stays until it comes.
            guard loading.count < 1024 else { break }
            loading[identity(parameters)] = Load(
                request: message["id"],
                directory: parameters?["cwd"]?.text,
                isResume: message["method"] == "session/resume"
            )
        case "session/new": if let id = message["id"], asked.count < 1024 { asked[id] = parameters?["cwd"] ?? .null }
        case nil where message["update"] != nil: try update(message, line)
        case nil where message["result"]?["sessionId"] != nil:
            guard let directory = message["id"].flatMap({ asked.removeValue(forKey: $0) }) else { return [] }
            change(message["result"]) { $0.directory = directory.text }
        case nil where message["error"] != nil:
            if let id = message["id"], let failed = loading.first(where: { $0.value.request == id }) {
                loading[failed.key] = nil
            }
        default: break
        }
        return []
    }

    mutating func rest() -> [ImportItem] {
        order.flatMap { id -> [ImportItem] in
            guard let recording = sessions[id], !recording.messages.isEmpty else { return [] }
            let header = TranscriptSession(
                id: id,
                source: source,
                title: recording.title,
                directory: recording.directory
            )
            return [.session(header)] + recording.messages.map { .message($0, in: id) }
        }
    }

    private mutating func update(_ parameters: JSONValue?, _ line: JSONValue) throws(LineProblem) {
        guard let update = parameters?["update"]?.object else { throw LineProblem("its update is missing") }
        guard let kind = update["sessionUpdate"]?.text else { throw LineProblem("its update does not say what it is") }
        let id = identity(parameters)
        if ACPRecording.conversation.contains(kind), let load = loading.removeValue(forKey: id),
            !load.isResume || sessions[id]?.begins(with: update) ?? true
        {
            let title = sessions[id]?.title
            change(parameters) { $0 = ACPRecording(directory: load.directory, title: title) }
        }
        change(parameters, line) { $0.apply(update) }
    }

    /// Resumes a session that continues, and of which nothing was sent again.
    private mutating func resume(_ id: TranscriptSession.ID, _ line: JSONValue) {
        guard let load = loading.removeValue(forKey: id), sessions[id] == nil else { return }
        order.append(id)
        sessions[id] = ACPRecording(directory: load.directory, firstLine: line)
    }

    private func identity(_ parameters: JSONValue?) -> TranscriptSession.ID {
        let named = parameters?["sessionId"]?.text
        return named.flatMap { TranscriptName.isValid($0) ? $0 : nil } ?? session
    }

    /// Changes the session that parameters name. One that begins with a line of its middle is told by it from other
    /// recordings of the session: two days can begin with the same question.
    private mutating func change(
        _ parameters: JSONValue?,
        _ line: JSONValue? = nil,
        _ body: (inout ACPRecording) -> Void
    ) {
        let id = identity(parameters)
        if sessions[id] == nil { order.append(id) }
        body(&sessions[id, default: ACPRecording(firstLine: line)])
    }
}

/// A session of the Agent Client Protocol, as it was recorded.
struct ACPRecording {
    /// The updates that are a part of the conversation; others tell of commands, modes and the like.
    static let conversation: Set<String> = [
        "user_message_chunk", "agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update",
    ]

    var directory: String?
    /// The line at which the recording begins in the middle of the session.
    private let firstLine: JSONValue?
    private(set) var title: String?
    private var entries: [Entry] = []
    private var places: [String: Int] = [:]
    /// The prompt that was just sent, which some agents repeat.
    private var prompted: Substring = ""

    private struct Entry {
        var role: ChatEntry.Role
        var id: JSONValue?
        var text = ""
        var attachments: [ChatEntry.Attachment] = []
        var call: JSONObject?
    }

    init(directory: String? = nil, title: String? = nil, firstLine: JSONValue? = nil) {
        (self.directory, self.title, self.firstLine) = (directory, title, firstLine)
    }

    /// Whether an update says how it begins.
    func begins(with update: JSONObject) -> Bool {
        guard update["sessionUpdate"] == "user_message_chunk", let piece = update["content"]?["text"]?.text else {
            return false
        }
        return entries.first?.role == .user && !piece.isEmpty && entries.first?.text.hasPrefix(piece) == true
    }

    mutating func prompt(_ content: [JSONValue]) {
        entries.append(Entry(role: .user))
        for block in content { add(block) }
        prompted = (entries.last?.text ?? "")[...]
    }

    mutating func apply(_ update: JSONObject) {
        switch update["sessionUpdate"]?.text {
        case "user_message_chunk":
            let piece = update["content"]?["text"]?.text ?? ""
            if piece.isEmpty || !isRepeated(piece) { extend(.user, update) }
        case "agent_message_chunk": extend(.assistant, update)
        case "agent_thought_chunk": extend(.thought, update)
        case "tool_call", "tool_call_update": change(update)
        case "session_info_update":
            if let value = update["title"] { title = value.text.map(InertText.line) }
        default: break
        }
    }

    /// Whether a piece is what was just asked, said again. It is looked for behind the last one, and after one that is
    /// not there no more: the work is that of one walk through the question.
    private mutating func isRepeated(_ piece: String) -> Bool {
        guard let found = prompted.utf8.firstRange(of: piece.utf8) else {
            prompted = ""
            return false
        }
        prompted = prompted[found.upperBound...]
        return true
    }

    private mutating func extend(_ role: ChatEntry.Role, _ update: JSONObject) {
        if role != .user { prompted = "" }
        if entries.last?.role != role || entries.last?.id != update["messageId"] {
            entries.append(Entry(role: role, id: update["messageId"]))
        }
        if let content = update["content"] { add(content) }
    }

    private mutating func add(_ block: JSONValue) {
        let last = entries.count - 1
        if block["type"] == "text", let text = block["text"]?.text {
            entries[last].text += text
        } else {
            let resource = block["resource"] ?? block
            let uri = resource["uri"]?.text
            entries[last].attachments.append(
                ChatEntry.Attachment(
                    name: block["name"]?.text ?? uri ?? block["type"]?.text ?? "",
                    mediaType: resource["mimeType"]?.text,
                    sizeBytes: block["size"]?.integer,
                    location: uri,
                    extra: ["block": block]
                )
            )
        }
    }

    /// A call, and what changes it: `null` takes a member away, what is not there stays.
    private mutating func change(_ update: JSONObject) {
        let id = update["toolCallId"]?.text ?? ""
        let place = places[id] ?? entries.count
        if place == entries.count {
            entries.append(Entry(role: .tool))
            places[id] = place
        }
        var call = entries[place].call ?? [:]
        call.apply(update.lazy.filter { $0.key != "sessionUpdate" })
        entries[place].call = call
    }

    var messages: [ChatEntry] {
        var before = SHA256()
        before.update(data: firstLine?.bytes() ?? [])
        return entries.map { entry in
            // A person's words come whole; others may go on in a longer recording, and calls always do.
            before.update(data: Array("\0\(entry.role.rawValue)\0\(entry.role == .user ? entry.text : "")".utf8))
            let name = before.finalize().prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            before.update(data: Array("\0\(entry.call?["toolCallId"]?.text ?? entry.text)".utf8))
            return ChatEntry(
                id: "acp-\(String(name, radix: 36))",
                role: entry.role,
                text: entry.text,
                toolCalls: entry.call.map { [ChatEntry.ToolCall(acp: $0)] } ?? [],
                attachments: entry.attachments,
                extra: entry.id.map { ["messageId": $0] } ?? [:]
            )
        }
    }
}

extension ChatEntry.ToolCall {
    fileprivate init(acp call: JSONObject) {
        self.init(
            id: call["toolCallId"]?.text ?? "",
            name: call["title"]?.text ?? "",
            kind: call["kind"]?.text,
            status: call["status"]?.text,
            input: call["rawInput"],
            output: call["rawOutput"],
            extra: JSONValue.object(call).rest(
                besides: ["toolCallId", "title", "kind", "status", "rawInput", "rawOutput", "extra"]
            )
        )
    }
}
