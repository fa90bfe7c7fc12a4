// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import Testing

/// In which form a program asked for modified keys.
struct KeyFormTests {
    @Test(
        arguments: [
            ("", .plain), ("[>4;1m", .modifyOtherKeys(level: 1)), ("[>4;2m", .modifyOtherKeys(level: 2)),
            ("[>4;9m", .modifyOtherKeys(level: 2)), ("[>4;2m[>4m", .plain), ("[>4;2m[>4;0m", .plain),
            ("[>4;2m[>m", .plain), ("[>4;2m[>4n", .plain), ("[>4;2m[>2;3m", .modifyOtherKeys(level: 2)),
            ("[>4;2m[>n", .modifyOtherKeys(level: 2)),
            ("[>1u", .kitty(flags: 1)), ("[>u", .plain), ("[>9u", .kitty(flags: 9)), ("[>31u", .kitty(flags: 9)),
            ("[>4u", .plain), ("[>1u[<u", .plain), ("[>1u[>8u[<u", .kitty(flags: 1)), ("[>1u[>8u[<2u", .plain),
            ("[>1u[<99999u", .plain), ("[<u[>1u", .kitty(flags: 1)), ("[=1u", .kitty(flags: 1)),
            ("[=1;1u[=8;2u", .kitty(flags: 9)), ("[=9;1u[=1;3u", .kitty(flags: 8)), ("[=1u[=0u", .plain),
            ("[>1u[=8u[<u", .plain), ("[>4;2m[>1u", .kitty(flags: 1)), ("[>4;2m[>1u[<u", .modifyOtherKeys(level: 2)),
            // The two screens keep theirs apart.
            ("[>1u[?1049h", .plain), ("[?1049h[>8u[?1049l", .plain), ("[>1u[?1049h[>8u[?1049l", .kitty(flags: 1)),
            ("[>4;1m[?1049h", .modifyOtherKeys(level: 1)),
            // A reset, and sequences that look alike.
            ("[>1u[>4;2mc", .plain), ("[1u", .plain), ("[?1u", .plain), ("[4;2m", .plain),
        ] as [(String, KeyForm)]
    )
    func `the form is told`(input: String, form: KeyForm) {
        var screen = Screen(size: TerminalSize(columns: 20, rows: 4))
        screen.feed(input.replacing("[", with: "\u{1B}[").replacing("c", with: "\u{1B}c"))
        #expect(screen.modes.keyForm == form)
    }

    @Test func `the question for it is answered, with the flags that are known`() {
        var screen = Screen(size: TerminalSize(columns: 20, rows: 4))
        screen.feed("\u{1B}[?u\u{1B}[>31u\u{1B}[?u\u{1B}[?1049h\u{1B}[?u")
        #expect(String(decoding: screen.takeReplies(), as: UTF8.self) == "\u{1B}[?0u\u{1B}[?9u\u{1B}[?0u")
        #expect(screen.cursor.row == 0 && screen.cursor.column == 0)
    }

    @Test func `what is pushed without end is bounded`() {
        var screen = Screen(size: TerminalSize(columns: 20, rows: 4))
        for _ in 0..<1000 { screen.feed("\u{1B}[>1u\u{1B}[>8u") }
        screen.feed("\u{1B}[<15u")
        #expect(screen.modes.keyForm == .kitty(flags: 1))
        screen.feed("\u{1B}[<u")
        #expect(screen.modes.keyForm == .plain)
    }
}
