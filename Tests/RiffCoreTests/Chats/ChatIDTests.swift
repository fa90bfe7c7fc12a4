// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ChatIDTests {
    @Test func `parts that read the same when put together are different chats`() {
        let ids = [
            ChatID(.acp, owner: "a", name: "b:c"), ChatID(.acp, owner: "a:b", name: "c"),
            ChatID(.acp, owner: "", name: "a:b:c"), ChatID(.acp, owner: "a:b:c", name: ""),
            ChatID(ChatSource(rawValue: "acp:1.1:a"), owner: "b", name: "c"), ChatID(.hub, owner: "a", name: "b:c"),
            ChatID(.acp, owner: "é", name: "x"), ChatID(.acp, owner: "e\u{301}", name: "x"),
        ]
        #expect(Set(ids.map { Array($0.text.utf8) }).count == ids.count)
    }

    @Test func `long names have short keys of their own`() {
        let long = String(repeating: "x", count: 600)
        let ids = [
            ChatID(.acp, owner: long, name: ""), ChatID(.acp, owner: "", name: long),
            ChatID(.acp, owner: "", name: long + "x"),
            ChatID(.hermes, owner: "", name: long),
        ]
        #expect(Set(ids.map(\.text)).count == ids.count)
        #expect(ids.allSatisfy { $0.text.utf8.count <= 512 })
        #expect(ids[0].text == ChatID(.acp, owner: long, name: "").text)
    }

    @Test func `random identities never share a key`() {
        var generator = SeededGenerator(seed: 7)
        let pieces = ["a", ":", "1", "1.1", "#", "acp", "", "ab", "💬"]
        func text() -> String {
            (0..<Int.random(in: 0...4, using: &generator)).map { _ in pieces.randomElement(using: &generator)! }
                .joined()
        }
        var known: [[UInt8]: [[UInt8]]] = [:]
        for _ in 0..<20_000 {
            let id = ChatID(ChatSource(rawValue: text()), owner: text(), name: text())
            let parts = [id.source.rawValue, id.owner, id.name].map { Array($0.utf8) }
            let before = known.updateValue(parts, forKey: Array(id.text.utf8))
            #expect(before == nil || before == parts)
        }
    }
}
