// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import RiffCore
import Testing

import riff_term

/// The work that typed and pasted bytes make, counted in what they leave: whatever comes, it is bounded or as long as
/// what was typed.
struct TypedWorkTests {
    static let units = [
        "a", "\u{1B}", "\u{1B}[", "\u{1B}[9;9;9;9", "\u{1B}[13;2u", "\u{1B}[27;2;13~", "\u{1B}[999999999999999999999u",
        "漢", "\u{1B}[M",
        "\u{7F}", "\u{1B}[200~", "\u{1B}[200~a", "\u{1B}[201~", "\u{1D}", "\u{1D}/", "e\u{301}",
    ]

    private static func bytes(_ unit: String, _ count: Int) -> [UInt8] {
        let unit = Array(unit.utf8)
        return (0..<count).map { unit[$0 % unit.count] }
    }

    @Test(arguments: units)
    func `keys are no more than bytes`(unit: String) {
        for count in [1000, 2000, 4000] {
            var keys = TypedKeys()
            var found = 0
            for byte in Self.bytes(unit, count) {
                if keys.escape(before: byte) != nil { found += 1 }
                if keys.feed(byte) != nil { found += 1 }
            }
            #expect(found <= count)
            var editor = LineEditor()
            _ = editor.type(Self.bytes(unit, count))
            #expect(editor.text.utf8.count <= count)
        }
    }

    @Test(arguments: units)
    func `a search takes no more than a person types`(unit: String) {
        for count in [1000, 2000, 4000] {
            var state = TermState()
            state.typed([TermState.prefix, UInt8(ascii: "/")] + Self.bytes(unit, count))
            var sent = 0
            while let effect = state.next(active: .base) {
                if case .send(let bytes) = effect { sent += bytes.count }
            }
            #expect(sent <= count + 2)
            if case .typing(let text) = state.mode { #expect(text.utf8.count <= 1004) }
        }
    }

    /// Every key with every modifier in every form.
    @Test func `a key is a few bytes`() {
        let keys: [TerminalKey] = [
            .enter, .tab, .escape, .backspace, .delete, .insert, .up, .down, .left, .right, .home, .end, .pageUp,
            .pageDown,
            .function(.max), .function(3), .function(20), .character("a"), .character("漢"), .character("\u{10FFFF}"),
            .character("\n"),
        ]
        let forms: [KeyForm] = [
            .plain, .modifyOtherKeys(level: 1), .modifyOtherKeys(level: .max), .kitty(flags: 1), .kitty(flags: .max),
        ]
        for key in keys {
            for form in forms {
                for modifiers in 0...7 {
                    let bytes = KeyEncoder(form: form).encode(key, modifiers: KeyModifiers(rawValue: modifiers))
                    #expect(bytes.count <= 16)
                }
            }
        }
        // A character is as long as it is.
        let cluster = Character("e" + String(repeating: "\u{301}", count: 1000))
        for form in forms {
            #expect(KeyEncoder(form: form).encode(.character(cluster), modifiers: .control).count <= 2001)
        }
    }
}
