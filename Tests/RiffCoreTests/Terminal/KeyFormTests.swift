// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

/// Modified keys in the form that a program asked for.
struct KeyFormTests {
    /// A key, and what follows the escape character in each form; `nil` for what it sends without any.
    struct Row: Sendable, CustomTestStringConvertible {
        let key: TerminalKey
        let modifiers: KeyModifiers
        /// modifyOtherKeys 1 and 2, kitty's flag 1 and flags 1 and 8.
        let forms: [String?]
        var testDescription: String { "\(key) \(modifiers.rawValue)" }

        init(_ key: TerminalKey, _ modifiers: KeyModifiers, _ forms: String?...) {
            (self.key, self.modifiers, self.forms) = (key, modifiers, forms)
        }
    }

    static let rows = [
        Row(.enter, [], nil, nil, nil, "[13u"),
        Row(.enter, .shift, "[27;2;13~", "[27;2;13~", "[13;2u", "[13;2u"),
        Row(.enter, .alt, "[27;3;13~", "[27;3;13~", "[13;3u", "[13;3u"),
        Row(.enter, .control, "[27;5;13~", "[27;5;13~", "[13;5u", "[13;5u"),
        Row(.enter, [.shift, .alt, .control], "[27;8;13~", "[27;8;13~", "[13;8u", "[13;8u"),
        // A line's end that a phone's keyboard types.
        Row(.character("\n"), [], nil, nil, nil, "[13u"),
        Row(.character("\n"), .shift, "[27;2;13~", "[27;2;13~", "[13;2u", "[13;2u"),
        Row(.tab, [], nil, nil, nil, "[9u"), Row(.tab, .shift, nil, nil, "[9;2u", "[9;2u"),
        Row(.tab, .control, "[27;5;9~", "[27;5;9~", "[9;5u", "[9;5u"),
        Row(.tab, [.shift, .control], "[27;6;9~", "[27;6;9~", "[9;6u", "[9;6u"),
        Row(.backspace, [], nil, nil, nil, "[127u"), Row(.backspace, .control, nil, nil, "[127;5u", "[127;5u"),
        Row(.backspace, .shift, nil, "[27;2;127~", "[127;2u", "[127;2u"),
        Row(.backspace, .alt, nil, "[27;3;127~", "[127;3u", "[127;3u"),
        Row(.escape, [], nil, nil, "[27u", "[27u"), Row(.escape, .shift, nil, "[27;2;27~", "[27;2u", "[27;2u"),
        Row(.character("a"), [], nil, nil, nil, "[97u"), Row(.character("A"), .shift, nil, nil, nil, "[97;2u"),
        Row(.character("A"), [], nil, nil, nil, "[97;2u"),
        Row(.character("c"), .control, nil, "[27;5;99~", "[99;5u", "[99;5u"),
        Row(.character("A"), [.shift, .control], nil, "[27;6;65~", "[97;6u", "[97;6u"),
        Row(.character("b"), .alt, nil, "[27;3;98~", "[98;3u", "[98;3u"),
        Row(.character("1"), .control, "[27;5;49~", "[27;5;49~", "[49;5u", "[49;5u"),
        Row(.character(";"), .control, "[27;5;59~", "[27;5;59~", "[59;5u", "[59;5u"),
        Row(.character(" "), .shift, nil, "[27;2;32~", nil, "[32;2u"),
        Row(.character(" "), .control, nil, "[27;5;32~", "[32;5u", "[32;5u"),
        Row(.character("é"), .alt, nil, "[27;3;233~", "[233;3u", "[233;3u"),
        Row(.character("漢"), [], nil, nil, nil, "[28450u"),
        // More than one scalar is text, whatever is held.
        Row(.character("👩‍👩‍👧"), .control, nil, nil, nil, nil), Row(.character("e\u{301}"), .alt, nil, nil, nil, nil),
        Row(.up, [], nil, nil, "[A", "[A"), Row(.up, .shift, nil, nil, nil, nil),
        Row(.home, [], nil, nil, "[H", "[H"), Row(.delete, .control, nil, nil, nil, nil),
        Row(.function(1), [], nil, nil, "[P", "[P"), Row(.function(3), [], nil, nil, "[13~", "[13~"),
        Row(.function(3), .shift, nil, nil, "[13;2~", "[13;2~"), Row(.function(5), [], nil, nil, nil, nil),
        Row(.function(99), [], nil, nil, nil, nil),
    ]

    static let forms: [KeyForm] = [
        .modifyOtherKeys(level: 1), .modifyOtherKeys(level: 2), .kitty(flags: 1), .kitty(flags: 9),
    ]

    @Test(arguments: rows)
    func `a key is sent in the form that was asked for`(row: Row) {
        for applicationCursor in [false, true] {
            let plain = KeyEncoder(applicationCursor: applicationCursor).encode(row.key, modifiers: row.modifiers)
            for (form, expected) in zip(Self.forms, row.forms) {
                let encoder = KeyEncoder(applicationCursor: applicationCursor, form: form)
                let bytes = expected.map { Array(("\u{1B}" + $0).utf8) } ?? plain
                #expect(encoder.encode(row.key, modifiers: row.modifiers) == bytes, "\(form)")
            }
        }
    }

    @Test(arguments: [
        KeyForm.modifyOtherKeys(level: 0), .modifyOtherKeys(level: -1), .kitty(flags: 0), .kitty(flags: 2),
        .kitty(flags: 4), .kitty(flags: 16),
    ])
    func `what asks for nothing changes nothing`(form: KeyForm) {
        for row in Self.rows {
            #expect(
                KeyEncoder(form: form).encode(row.key, modifiers: row.modifiers)
                    == KeyEncoder().encode(row.key, modifiers: row.modifiers)
            )
        }
    }

    @Test func `no modified Return is sent like Return alone, in whatever form`() {
        for form in Self.forms + [.plain] {
            for modifiers in 1...7 {
                for key in [TerminalKey.enter, .character("\n"), .character("\r"), .character("\r\n")] {
                    let bytes = KeyEncoder(form: form).encode(key, modifiers: KeyModifiers(rawValue: modifiers))
                    #expect(bytes != [0x0D])
                    #expect(bytes.first == 0x1B)
                }
            }
        }
    }
}
