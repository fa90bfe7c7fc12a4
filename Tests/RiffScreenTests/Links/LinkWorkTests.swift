// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import TestSupport
import Testing

/// The work of looking for links.
struct LinkWorkTests {
    @Test(arguments: [
        "[", "](", "[](", "[](<", "[a](b \"", "[a](b '", "[a](b (", "\\[", "(", "https://", "https://a.b,",
        "https://a.b/(", "www.",
        "www.a,www.", "mailto:a@b,", "http:", "://", "a:", "[a](https://b) ", "https://a.b ",
    ])
    func `looking through a text is linear`(unit: String) {
        let unit = Array(unit.utf8)
        Growth.expectLinear(16_000, String(decoding: unit, as: UTF8.self)) { count in
            var screen = Screen(size: TerminalSize(columns: 200, rows: 24))
            screen.feed((0..<count).map { unit[$0 % unit.count] })
            let links = screen.links(in: screen.lines)
            #expect(links.reduce(0) { $0 + ($1.url?.utf8.count ?? 0) } <= 8 * count + 4096)
        }
    }

    @Test(arguments: [
        "https://a.b/ccccccccccccccccccccccccccccccccccc", "bbbbbbbbbbbbbbbbbbbbbb/bbbbbbbbbbbbbbbbbb?bbbbbb",
        "│ https://a.b/cccccccccc?ccccccccccccccccccccc │",
        "│ cccc/cccccccccccccccccccccccc?cccccccccccccc │", "│││││││││││││││││││││││││││││││││││││││││││││││",
    ])
    func `looking through rows that may belong together is linear`(row: String) {
        Growth.expectLinear(300, row) { count in
            var screen = Screen(size: TerminalSize(columns: 47, rows: 24))
            screen.feed("https://a.b/ccccccccccccccccccccccccccccccccc/d\r\n")
            for _ in 0..<count { screen.feed(row.prefix(47) + "\r\n") }
            _ = screen.links(in: screen.lines)
            let middle = (screen.lines.lowerBound + screen.lines.upperBound) / 2
            _ = screen.link(at: ScreenPosition(line: middle, column: 3))
            #expect(screen.lines.count >= count)
        }
    }
}
