// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension ChatThread {
    /// The conversation as a chat of any kind. A refusal is the text of an answer that has none.
    ///
    /// - Parameters:
    ///   - id: Which chat it is; `ChatSource/gateway` is its source.
    ///   - model: The model that is asked.
    /// - Returns: The chat.
    public func chat(_ id: ChatID, model: String? = nil) -> Chat {
        Chat(id: id, model: model, entries: entries.map(\.chatEntry))
    }
}

extension ChatThread.Entry {
    fileprivate var chatEntry: ChatEntry {
        let calls = toolCalls.map { call in
            ChatEntry.ToolCall(
                id: call.id,
                name: call.name,
                input: call.object.map { .object($0) } ?? .string(call.arguments)
            )
        }
        let state: ChatEntry.State =
            switch self.state {
            case .whole: .whole
            case .growing: .growing
            case .cut: .cut
            case .failed(let reason): .failed(reason: reason)
            }
        return ChatEntry(
            id: "\(id)",
            role: ChatEntry.Role(rawValue: role.rawValue),
            text: text.isEmpty ? refusal : text,
            toolCalls: calls,
            state: state,
            extra: doubt.map { ["doubt": .string($0)] } ?? [:]
        )
    }
}
