// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
package import RiffHub

/// The changes of a hub as lines for scripts: snapshots in, a line for each change out. The parts of a line stand
/// between tabs; the first one tells its kind.
package struct GridLines {
    private var last = HubSnapshot()
    /// What was written of each voice.
    private var chats: [HubVoice.ID: [HubChatMessage]] = [:]

    package init() {}

    /// Takes a snapshot.
    ///
    /// - Returns: What is new in it.
    package mutating func take(_ snapshot: HubSnapshot) -> [String] {
        var lines: [String] = []
        if snapshot.connection != last.connection {
            lines.append(Self.line("connection", snapshot.connectionLabel.lowercased().replacing("...", with: "")))
        }
        if let generation = snapshot.generation, generation != last.generation {
            lines.append(Self.line("generation", generation.rawValue))
        }
        if !snapshot.settings.json.isEmpty, snapshot.settings != last.settings {
            lines.append(Self.settings(snapshot.settings))
        }
        if snapshot.isMuted != last.isMuted { lines.append(Self.line("muted", "\(snapshot.isMuted)")) }
        for card in snapshot.cards {
            let line = Self.card(card)
            if last.card(card.id).map(Self.card) != line { lines.append(line) }
        }
        for card in last.cards where snapshot.card(card.id) == nil {
            lines.append(Self.line("card", card.id.rawValue, HubCard.State.inactive.name, "", "0"))
        }
        if snapshot.open?.id != last.open?.id {
            lines.append(snapshot.open.map { Self.line("open", $0.voice.id.rawValue) } ?? "grid")
        }
        if let open = snapshot.open {
            let written = chats[open.voice.id] ?? []
            lines += Self.news(in: open.chat, after: written).map { Self.message($0, of: open.voice.id) }
            chats[open.voice.id] = open.chat
        }
        if snapshot.microphone != last.microphone { lines.append(Self.line("microphone", "\(snapshot.microphone)")) }
        if let failure = snapshot.failure, failure != last.failure {
            lines.append(Self.line("failure", failure.code, failure.message))
        }
        if let failure = snapshot.connectionFailure, failure != last.connectionFailure {
            lines.append(Self.line("unreachable", failure.code, failure.message))
        }
        last = snapshot
        return lines
    }

    /// All settings.
    package static func settings(_ settings: HubSettings) -> String {
        (["settings"] + SettingsText.all(settings).map { "\($0.name)=\($0.value)" }).joined(separator: "\t")
    }

    /// A message of a voice.
    package static func message(_ message: HubChatMessage, of voice: HubVoice.ID) -> String {
        line("message", voice.rawValue, message.role.rawValue, message.text)
    }

    /// A line of these parts, each on one line.
    package static func line(_ parts: String...) -> String {
        parts.map { InertText.line($0) }.joined(separator: "\t")
    }

    private static func card(_ card: HubCard) -> String {
        let unread = card.hasUnread ? max(1, card.unread) : 0
        return line("card", card.id.rawValue, card.state.name, card.label, "\(unread)")
    }

    /// The messages behind those that were written. Where a chat got older messages, or lost its oldest ones, those
    /// that were written last are found again in it; the times that a hub tells later change nothing.
    package static func news(in chat: [HubChatMessage], after written: [HubChatMessage]) -> ArraySlice<HubChatMessage> {
        func isSame(_ left: ArraySlice<HubChatMessage>, _ right: ArraySlice<HubChatMessage>) -> Bool {
            left.elementsEqual(right) { $0.role == $1.role && $0.text == $1.text }
        }
        // It grew at its end, and perhaps lost its beginning.
        for start in written.indices {
            let kept = written[start...]
            if kept.count <= chat.count, isSame(kept, chat.prefix(kept.count)) { return chat[kept.count...] }
        }
        // It got a beginning.
        for count in stride(from: min(written.count, chat.count), to: 0, by: -1) {
            let end = written.suffix(count)
            for start in 0...(chat.count - count) where isSame(end, chat[start..<start + count]) {
                return chat[(start + count)...]
            }
        }
        // It lost some of those that were written last.
        for message in written.reversed() {
            if let place = chat.lastIndex(where: { $0.role == message.role && $0.text == message.text }) {
                return chat[(place + 1)...]
            }
        }
        return chat[...]
    }
}
