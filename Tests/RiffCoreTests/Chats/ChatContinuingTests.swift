// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ChatContinuingTests {
    /// A chat of words: a person's in upper case, an agent's in lower case.
    private static func chat(_ source: ChatSource, _ words: String) -> Chat {
        let entries = words.split(separator: " ").enumerated().map { index, word in
            ChatEntry(id: "\(index)", role: word.first?.isUppercase == true ? .user : .assistant, text: String(word))
        }
        return Chat(id: ChatID(source, owner: "h", name: "s"), title: source.rawValue, entries: entries)
    }

    @Test(arguments: [
        // history, live, joined
        ("A b C d", "E f", "A b C d E f"),
        ("A b C d", "A b C d E f", "A b C d E f"),
        ("A b C d", "C d E f", "A b C d E f"),
        ("A b", "", "A b"), ("", "A b", "A b"),
        // A person who says one thing again.
        ("A b C", "C d", "A b C C d"),
        ("A b A b", "A b A b C", "A b A b C"),
        ("A b A b A b", "A b A c", "A b A b A b A c"),
        ("A", "A b", "A b"),
    ])
    func `what a live chat repeats of its history is there once`(history: String, live: String, joined: String) {
        let chat = Self.chat(.hermes, history).continued(by: Self.chat(.acp, live))
        #expect(chat.entries.map(\.text).joined(separator: " ") == joined)
        #expect(Set(chat.entries.map(\.id)).count == chat.entries.count)
        #expect(chat.id.source == .acp && chat.title == "acp")
    }

    @Test func `names of entries stay while the live chat grows`() {
        let history = Self.chat(.hermes, "A b")
        let names = ["C", "C d", "C d E"].map { history.continued(by: Self.chat(.acp, $0)).entries.map(\.id) }
        #expect(names[1].starts(with: names[0]) && names[2].starts(with: names[1]))
    }

    @Test func `thoughts and tools between the words do not hide a repetition`() {
        var history = Self.chat(.hermes, "A b C d")
        history.entries.insert(ChatEntry(id: "t", role: .thought, text: "hm"), at: 1)
        history.entries.insert(ChatEntry(id: "u", role: .tool, text: ""), at: 4)
        var live = Self.chat(.acp, "A b C d E")
        live.entries[1].text = " b\n"
        #expect(history.continued(by: live).entries.map(\.text) == ["A", " b\n", "C", "d", "E"])
    }

    @Test func `two long chats are joined in linear time`() {
        let same = Self.chat(.hermes, Array(repeating: "A b", count: 20_000).joined(separator: " "))
        #expect(same.continued(by: same).entries.count == 40_000)
    }
}
