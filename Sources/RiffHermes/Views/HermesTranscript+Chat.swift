// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension HermesTranscript {
    /// The session as a chat of any kind, as far as it was read: what was taken back is left out, and what a tool
    /// returned stands in the call that it answers.
    ///
    /// - Parameter id: Which chat it is; `ChatSource/hermes` is its source.
    /// - Returns: The chat.
    public func chat(_ id: ChatID) -> Chat {
        var entries: [ChatEntry] = []
        // Where each call is that has no answer yet.
        var calls: [ByteName: (entry: Int, call: Int)] = [:]
        for message in messages where !message.isRewound {
            if message.role == .tool, let name = message.toolCallID,
                let place = calls.removeValue(forKey: ByteName(name))
            {
                entries[place.entry].toolCalls[place.call].output = .string(message.content)
                entries[place.entry].toolCalls[place.call].status = "completed"
                continue
            }
            if let reasoning = message.reasoning, !reasoning.isEmpty {
                entries.append(
                    ChatEntry(id: "\(message.id):thought", role: .thought, text: reasoning, time: message.timestamp)
                )
            }
            for (index, call) in message.toolCalls.enumerated() {
                calls[ByteName(call.id)] = (entries.count, index)
            }
            entries.append(message.chatEntry)
        }
        return Chat(id: id, title: session?.title, model: session?.model, entries: entries)
    }
}

extension HermesMessage {
    fileprivate var chatEntry: ChatEntry {
        let calls = toolCalls.map { call in
            // What a model wrote need not be JSON.
            let input = (try? JSONValue(parsing: call.arguments)) ?? .string(call.arguments)
            return ChatEntry.ToolCall(id: call.id, name: call.name, input: input)
        }
        return ChatEntry(
            id: "\(id)",
            role: ChatEntry.Role(rawValue: role.rawValue),
            text: content,
            time: timestamp,
            toolCalls: calls,
            state: isTruncated ? .cut : .whole
        )
    }
}
