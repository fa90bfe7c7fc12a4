// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension ACPTranscript {
    /// The conversation as a chat of any kind.
    ///
    /// Names of entries are those of the agent's messages and tool calls, and numbers where it gives none: the same
    /// session loaded again has the same ones.
    ///
    /// - Parameter id: Which chat it is; `ChatSource/acp` is its source.
    /// - Returns: The chat, with each tool call in an entry of its own.
    public func chat(_ id: ChatID) -> Chat {
        var names: Set<ByteName> = []
        let entries = entries.enumerated().map { index, entry -> ChatEntry in
            var name = entry.agentName ?? "\(entry.id)"
            // An agent may give a name twice.
            if !names.insert(ByteName(name)).inserted { name = "\(entry.id)+\(name.prefix(256))" }
            return entry.chatEntry(name, state: state(at: index))
        }
        let model = models?.availableModels.first { $0.modelID == models?.currentModelID }
        return Chat(id: id, title: title, model: model?.name, entries: entries)
    }

    private func state(at index: Int) -> ChatEntry.State {
        if let call = entries[index].call {
            if call.isFinished { return .whole }
            return isRunning ? .growing : .cut
        }
        guard index == entries.indices.last else { return .whole }
        switch turn {
        case .running, .cancelling: return entries[index].role == .user ? .whole : .growing
        case .failed(let reason): return .failed(reason: reason)
        case .idle: return .whole
        }
    }

    private var isRunning: Bool {
        switch turn {
        case .running, .cancelling: true
        case .idle, .failed: false
        }
    }
}

extension ACPTranscript.Entry {
    fileprivate var agentName: String? {
        let name = call.map { "call:\($0.id.rawValue)" } ?? message.id.map { "message:\($0.rawValue)" }
        return name.flatMap { $0.utf8.count <= 400 ? $0 : nil }
    }

    fileprivate func chatEntry(_ name: String, state: ChatEntry.State) -> ChatEntry {
        switch role {
        case .tool:
            return ChatEntry(id: name, role: .tool, text: "", toolCalls: call.map { [$0.chatCall] } ?? [], state: state)
        case .user: return said(name, .user, state)
        case .agent: return said(name, .assistant, state)
        case .thought: return said(name, .thought, state)
        }
    }

    private func said(_ name: String, _ role: ChatEntry.Role, _ state: ChatEntry.State) -> ChatEntry {
        let attachments = message.content.compactMap(\.chatAttachment)
        return ChatEntry(id: name, role: role, text: message.text, attachments: attachments, state: state)
    }
}

extension ACPTranscript.ToolCall {
    fileprivate var chatCall: ChatEntry.ToolCall {
        ChatEntry.ToolCall(
            id: id.rawValue,
            name: title,
            kind: kind.rawValue,
            status: wasCancelled ? "cancelled" : status.rawValue,
            input: rawInput,
            output: rawOutput
        )
    }
}

extension ACP.ContentBlock {
    fileprivate var chatAttachment: ChatEntry.Attachment? {
        switch self {
        case .image(let image): ChatEntry.Attachment(name: "image", mediaType: image.mimeType, location: image.uri)
        case .audio(let audio): ChatEntry.Attachment(name: "audio", mediaType: audio.mimeType)
        case .resourceLink(let link):
            ChatEntry.Attachment(
                name: InertText.line(link.name),
                mediaType: link.mimeType,
                sizeBytes: link.size.map { Int64($0) },
                location: link.uri
            )
        default: nil
        }
    }
}
