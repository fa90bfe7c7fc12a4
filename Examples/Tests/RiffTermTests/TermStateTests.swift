// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

import ExampleTerminal
import riff_term

struct TermStateTests {
    /// What is typed (`^` is the prefix key), what is to be done, and where that leaves the person.
    private static let cases: [(typed: String, effects: [TermState.Effect], mode: TermState.Mode)] = [
        ("ls\r", [.send(Array("ls\r".utf8))], .session),
        ("\u{1B}[A\u{3}", [.send(Array("\u{1B}[A\u{3}".utf8))], .session),
        ("ab^", [.send(Array("ab".utf8))], .command),
        ("ab^nc", [.send(Array("ab".utf8)), .create, .send(Array("c".utf8))], .session),
        ("^^", [.send([0x1D])], .session),
        ("^?", [], .session),
        ("^x", [], .closing(.base)),
        ("^xy", [.close(.base)], .session),
        ("^xn", [], .session),
        ("^x\u{1B}", [], .session),
        ("^]^[", [.turn(1), .turn(-1)], .session),
        ("^\u{1B}[C^\u{1B}OD", [.turn(1), .turn(-1)], .session),
        ("^3^0", [.show(2)], .session),
        ("^/", [], .typing("")),
        ("^/né\u{7F}o", [], .typing("no")),
        ("^/\r", [], .session),
        ("^/\u{7F}", [], .session),
        ("^/ab\u{1B}", [], .session),
        // Keys right behind the Escape key are the session's.
        ("^/ab\u{1B}cd", [.send(Array("cd".utf8))], .session),
        ("^/ab\u{1B}\u{1B}d", [.send(Array("\u{1B}d".utf8))], .session),
        ("^/a b\r", [.search("a b")], .searching("a b")),
        ("^/a\r\u{1B}c", [.search("a"), .send(Array("c".utf8))], .session),
        ("^/a\r\u{1B}", [.search("a")], .session),
        // Return in the forms that terminals have for it; with Shift it sends nothing off.
        ("^/a\u{1B}[13u", [.search("a")], .searching("a")),
        ("^/a\u{1B}[27;2;13~\u{1B}[13;2u\u{1B}[13;99999999999999999999u\u{1B}[;;;u", [], .typing("a")),
        ("^/ab\u{1B}[127u\u{1B}[27u", [], .session),
        ("^/a\u{1B}[13;3ub", [], .typing("ab")),
        ("^l^d^p^w^r^q", [.findLinks, .dictate, .takePicture, .away, .reconnect, .quit], .session),
        // A paste is text, whatever is in it.
        ("\u{1B}[200~a^xy\u{1B}[201~", [.send(Array("\u{1B}[200~a\u{1D}xy\u{1B}[201~".utf8))], .session),
        ("^\u{1B}[200~q\u{1B}[201~", [], .command),
        ("^/\u{1B}[200~q^x\u{1B}[201~", [], .typing("qx")),
    ]

    @Test(arguments: cases)
    func `what is typed does the same however its bytes are split`(
        typed: String,
        effects: [TermState.Effect],
        mode: TermState.Mode
    ) {
        let bytes = Array(typed.utf8.map { $0 == UInt8(ascii: "^") ? TermState.prefix : $0 })
        for split in 0...bytes.count {
            // What riff-term reads itself takes an escape character that nothing follows for the Escape key.
            let isEscape = split > 0 && split < bytes.count && bytes[split - 1] == 0x1B
            guard !isEscape || !typed.contains("^") else { continue }
            var state = TermState()
            let found = [bytes[..<split], bytes[split...]].flatMap { state.all(Array($0)) }
            #expect(Self.joined(found) == effects, "split at \(split)")
            #expect(state.mode == mode, "split at \(split)")
        }
    }

    /// Keys in two pieces are as good as in one.
    private static func joined(_ effects: [TermState.Effect]) -> [TermState.Effect] {
        effects.reduce(into: []) { all, effect in
            if case .send(let bytes) = effect, case .send(let before)? = all.last {
                all[all.count - 1] = .send(before + bytes)
            } else {
                all.append(effect)
            }
        }
    }

    @Test func `what was found is walked through from the newest, round and round`() {
        var state = TermState()
        _ = state.all([TermState.prefix] + Array("/a\r".utf8))
        state.searched("a", count: 3)
        #expect(state.mode == .found("a", place: 2, count: 3))
        #expect(state.showsHistory)
        for (key, place) in [("\u{1B}[A", 1), ("n", 0), ("n", 2), ("\u{1B}[B", 0), ("N", 1)] {
            #expect(state.all(Array(key.utf8)).isEmpty)
            #expect(state.mode == .found("a", place: place, count: 3))
            #expect(state.place == place)
        }
        #expect(state.all(Array("l".utf8)) == [.findLinks])
        state.found(links: ["https://a"], chosen: 0)
        #expect(state.place == 1)
        #expect(state.all([0x1B]).isEmpty)
        #expect(state.mode == .session)
        #expect(!state.showsHistory)
    }

    @Test func `a search without a find says so, and one that was given up changes nothing`() {
        var state = TermState()
        _ = state.all([TermState.prefix] + Array("/a\r".utf8))
        state.searched("a", count: 0)
        #expect(state.mode == .session)
        #expect(state.notice == "a: not found")
        _ = state.all(Array("x".utf8))
        #expect(state.notice == nil)
        state.searched("a", count: 5)
        #expect(state.mode == .session)
        #expect(!state.showsHistory)
    }

    @Test(
        arguments: [
            ("\r", [.copy("b")]), ("o", [.open("b")]), ("\u{1B}[B\r", [.copy("c")]), ("\t\t\r", [.copy("a")]),
            ("k\r", [.copy("a")]), ("q", []),
        ] as [(String, [TermState.Effect])]
    )
    func `a link is chosen, then copied or opened`(typed: String, effects: [TermState.Effect]) {
        var state = TermState()
        state.found(links: ["a", "b", "c"], chosen: 1)
        #expect(state.all(Array(typed.utf8)) == effects)
        #expect(state.mode == .session)
    }

    @Test func `what comes behind a command counts from what it has changed`() throws {
        let second = try SessionName("riff-2")
        var state = TermState()
        state.typed([TermState.prefix] + Array("]".utf8) + [TermState.prefix] + Array("xy".utf8))
        #expect(state.next(active: .base) == .turn(1))
        #expect(state.next(active: second) == .close(second))
        #expect(state.next(active: .base) == nil)
        state.typed([TermState.prefix] + Array("l\u{1B}[B\rx".utf8))
        #expect(state.next(active: .base) == .findLinks)
        state.found(links: ["a", "b"], chosen: 0)
        #expect(state.next(active: .base) == .copy("b"))
        #expect(state.next(active: .base) == .send(Array("x".utf8)))
        #expect(state.next(active: .base) == nil)
    }

    @Test func `no links are told`() {
        var state = TermState()
        state.found(links: [], chosen: 0)
        #expect(state.mode == .session)
        #expect(state.notice == "no link here")
    }
}

extension TermState {
    /// Everything that comes of what is typed.
    fileprivate mutating func all(_ bytes: [UInt8]) -> [Effect] {
        typed(bytes)
        var effects: [Effect] = []
        while let effect = next(active: .base) { effects.append(effect) }
        return effects
    }
}

struct TypedKeysTests {
    @Test(
        arguments: [
            ("aé漢😀", [.character("a"), .character("é"), .character("漢"), .character("😀")]),
            ("\u{1B}[A\u{1B}OB", [.up, .down]),
            // Reports of the mouse and of focus, and keys with modifiers, are no keys of riff-term's.
            ("\u{1B}[<0;3;4Mq", [.character("q")]),
            ("\u{1B}[M !!q", [.character("q")]),
            ("\u{1B}[Iq\u{1B}[1;5C", [.character("q")]),
            ("\r\u{8}\t", [.enter, .backspace, .tab]),
        ] as [(String, [TerminalKey])]
    )
    func `keys are told apart from reports`(typed: String, expected: [TerminalKey]) {
        var keys = TypedKeys()
        #expect(typed.utf8.compactMap { keys.feed($0) } == expected)
        #expect(keys.pause() == nil)
    }

    @Test func `an escape character alone is the key once nothing follows`() {
        var keys = TypedKeys()
        #expect(keys.feed(0x1B) == nil)
        #expect(keys.pause() == .escape)
        #expect(keys.feed(UInt8(ascii: "q")) == .character("q"))
    }
}
