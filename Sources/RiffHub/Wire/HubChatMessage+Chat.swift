// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension [HubChatMessage] {
    /// A voice's messages as a chat of any kind; what only acknowledges another message is left out.
    ///
    /// - Parameter id: Which chat it is; `ChatSource/hub` is its source.
    /// - Returns: The chat. Older hubs give messages no names: these are named by their time, and by their place among
    ///   those of one time.
    public func chat(_ id: ChatID) -> Chat {
        var names: [ByteName: Int] = [:]
        let entries = filter(\.isShown).map { message -> ChatEntry in
            let given = message.id.map(\.rawValue).flatMap { (1...400).contains($0.utf8.count) ? "id:\($0)" : nil }
            let name = given ?? "at:\(message.time.map { "\($0)" } ?? "now")"
            let count = names[ByteName(name), default: 0]
            names[ByteName(name)] = count + 1
            return ChatEntry(
                id: count == 0 ? name : "\(count)+\(name)",
                role: ChatEntry.Role(rawValue: message.role.rawValue),
                text: message.text,
                time: message.time
            )
        }
        return Chat(id: id, entries: entries)
    }
}
