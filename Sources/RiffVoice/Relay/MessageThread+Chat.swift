// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension MessageThread {
    /// The conversation as a chat of any kind.
    ///
    /// - Parameter id: Which chat it is; `ChatSource/riff` is its source.
    /// - Returns: The chat. An entry has the server's name once that is known.
    public func chat(_ id: ChatID) -> Chat { Chat(id: id, entries: entries.map(\.chatEntry)) }
}

extension MessageThread.Entry {
    fileprivate var chatEntry: ChatEntry {
        let name =
            switch id {
            case .local(let made): serverID?.text ?? "local:\(made.text)"
            case .server(let given): given.text
            }
        let state: ChatEntry.State =
            switch self.state {
            case .sending: .sending
            case .sent: .whole
            case .failed(let reason): .failed(reason: reason)
            }
        return ChatEntry(
            id: name,
            role: ChatEntry.Role(rawValue: role.rawValue),
            text: text,
            time: time,
            attachments: attachments.map { ChatEntry.Attachment(name: $0) },
            state: state
        )
    }
}
