// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import Testing

/// Rows that a program drew, and what each piece of an address in them opens.
struct BrokenCase: Sendable, CustomTestStringConvertible {
    let name: String
    let columns: Int
    let rows: [String]
    /// What the cells with these texts open, each looked for in the rows in turn.
    let opens: [(text: String, url: String?)]
    var testDescription: String { name }

    init(_ name: String, columns: Int, _ rows: [String], _ opens: (String, String?)...) {
        (self.name, self.columns, self.rows) = (name, columns, rows)
        self.opens = opens.map { (text: $0.0, url: $0.1) }
    }

    var screen: Screen {
        var screen = Screen(size: TerminalSize(columns: columns, rows: 24))
        screen.feed(rows.joined(separator: "\r\n"))
        return screen
    }

    /// The first cell of a text; each text stands in one row alone.
    func place(of text: String) -> ScreenPosition? {
        for (line, row) in rows.enumerated() {
            guard let range = row.firstRange(of: text) else { continue }
            return ScreenPosition(line: line, column: CharacterWidth.of(row[..<range.lowerBound]))
        }
        return nil
    }
}

struct BrokenLinkTests {
    static let whole = "https://a.example/path/to/a/page?query=1&more=2"

    static let cases = [
        // At the full width.
        BrokenCase(
            "full width",
            columns: 30,
            ["see", "https://a.example/path/to/a/pa", "ge?query=1&more=2", "end"],
            ("https", whole),
            ("ge?", whole),
            ("end", nil)
        ),
        BrokenCase(
            "full width, three rows",
            columns: 20,
            ["https://a.example/pa", "th/to/a/page?query=1", "&more=2"],
            ("https", whole),
            ("th/", whole),
            ("&more", whole)
        ),
        BrokenCase(
            "full width, behind words",
            columns: 31,
            ["go to https://a.example/path/to", "/a/page?query=1&more=2 now"],
            ("https", nil),
            ("/a/page", nil),
            ("now", nil)
        ),
        BrokenCase(
            "full width, with a sign",
            columns: 30,
            ["go to https://a.example/path/t", "o/a/page?query=1&more=2 now"],
            ("https", whole),
            ("o/a/page", whole),
            ("now", nil)
        ),
        BrokenCase(
            "a word that may be its end",
            columns: 30,
            ["https://a.example/path/to/a/pa", "ges and so on"],
            ("https", nil),
            ("ges", nil)
        ),
        BrokenCase(
            "a file's name that may be its end",
            columns: 30,
            ["https://a.example/path/to/a/pa", "README.md is there"],
            ("https", nil),
            ("README", nil)
        ),
        BrokenCase(
            "a row that is full by chance",
            columns: 30,
            ["https://a.example/path/to/a/pa", "", "README.md"],
            ("https", "https://a.example/path/to/a/pa")
        ),
        BrokenCase(
            "two addresses",
            columns: 30,
            ["https://a.example/path/to/a/pa", "https://b.example/x"],
            ("https://a", "https://a.example/path/to/a/pa"),
            ("https://b", "https://b.example/x")
        ),
        BrokenCase(
            "a list",
            columns: 30,
            ["- https://a.example/path/to/a/", "- b/c?d", "1. e/f"],
            ("https", "https://a.example/path/to/a/")
        ),
        BrokenCase(
            "an end in brackets",
            columns: 30,
            ["(https://a.example/path/to/a/)", "b/c?d"],
            ("https", "https://a.example/path/to/a/")
        ),
        BrokenCase(
            "the end of a sentence",
            columns: 30,
            ["https://a.example/path/to/a/p.", "Then it ends"],
            ("https", "https://a.example/path/to/a/p")
        ),
        // Indented.
        BrokenCase(
            "indented",
            columns: 32,
            ["  https://a.example/path/to/a/pa", "  ge?query=1&more=2"],
            ("https", whole),
            ("ge?", whole)
        ),
        BrokenCase(
            "under its beginning",
            columns: 32,
            ["● https://a.example/path/to/a/pa", "  ge?query=1&more=2"],
            ("https", whole),
            ("ge?", whole)
        ),
        BrokenCase(
            "indented by a program that leaves a margin",
            columns: 34,
            ["  https://a.example/path/to/a/pa", "  ge?query=1&more=2"],
            ("https", nil),
            ("ge?", nil)
        ),
        BrokenCase(
            "further in, another thing",
            columns: 32,
            ["https://a.example/path/to/a/pa/b", "        b/c?d"],
            ("https", "https://a.example/path/to/a/pa/b")
        ),
        // In a box.
        BrokenCase(
            "in a box",
            columns: 40,
            [
                "╭────────────────────────────────╮", "│ https://a.example/path/to/a/pa │",
                "│ ge?query=1&more=2              │",
                "╰────────────────────────────────╯",
            ],
            ("https", whole),
            ("ge?", whole)
        ),
        BrokenCase(
            "in a box, three rows",
            columns: 40,
            ["│ https://a.example/pa │", "│ th/to/a/page?query=1 │", "│ &more=2              │"],
            ("https", whole),
            ("th/", whole),
            ("&more", whole)
        ),
        BrokenCase(
            "in a box, a word",
            columns: 40,
            ["│ https://a.example/pa │", "│ ges and so on        │"],
            ("https", nil),
            ("ges", nil)
        ),
        BrokenCase(
            "in a box, with room behind it",
            columns: 40,
            ["│ https://a.example/pa        │", "│ th/to                       │"],
            ("https", "https://a.example/pa")
        ),
        BrokenCase(
            "behind a quote's bar",
            columns: 32,
            ["│ https://a.example/path/to/a/pa", "│ ge?query=1&more=2"],
            ("https", whole),
            ("ge?", whole)
        ),
        BrokenCase(
            "a box that ends",
            columns: 40,
            ["│ https://a.example/pa │", "th/to?a"],
            ("https", "https://a.example/pa")
        ),
        // In fewer columns than there are.
        BrokenCase(
            "a program's own width",
            columns: 100,
            [
                "Confirmed: all is green and the page is live", "at https://a.example/path/to/recorded/case-e",
                "quilibrium.html, and the rest of it all",
            ],
            ("https", nil)
        ),
        BrokenCase(
            "words behind an address",
            columns: 100,
            [
                "Confirmed: all is green and the page is live", "at https://a.example/path/to/recorded/case-e",
                "for whoever wants to look at it now",
            ],
            ("https", "https://a.example/path/to/recorded/case-e")
        ),
        BrokenCase(
            "a longer row nearby",
            columns: 100,
            [
                "Confirmed: all is green, and the page is live now", "at https://a.example/path/to/recorded/case-e",
                "v2.0 for whoever wants to look",
            ],
            ("https", "https://a.example/path/to/recorded/case-e")
        ),
        BrokenCase(
            "lines of a log",
            columns: 100,
            [
                "12:00 GET https://a.example/path/to/recorded/a", "12:01 GET https://a.example/path/to/recorded/bcd",
                "12:02 GET https://a.example/path/to/recorded/c",
            ],
            ("https://a.example/path/to/recorded/bcd", "https://a.example/path/to/recorded/bcd")
        ),
    ]

    @Test(arguments: cases)
    func `the whole address, or no link`(test: BrokenCase) throws {
        let screen = test.screen
        let rows = screen.picture(of: screen.lines).rows
        for (text, url) in test.opens {
            let place = try #require(test.place(of: text))
            #expect(screen.link(at: place)?.url == url, "\(text)")
            #expect(screen.links(in: screen.lines).first { $0.range.contains(place) }?.url == url, "\(text), of all")
            #expect(LinkDetector().link(at: place, in: rows)?.url == url, "\(text), in rows")
            #expect(
                LinkDetector().links(in: rows).first { $0.range.contains(place) }?.url == url,
                "\(text), in all rows"
            )
        }
    }

    /// An address of letters and signs as they come, broken at each width: what opens is the address or nothing.
    @Test(arguments: 12...60)
    func `at no width does a part of an address open`(columns: Int) {
        let address = "https://login.example/oauth/authorize?code=true&client_id=9d1c250a-e61b&state=xyz%3A1"
        for (left, right) in [("", ""), ("  ", ""), ("│ ", " │"), ("> ", ""), ("│ ", "")] {
            let room = columns - left.count - right.count
            var rows: [String] = []
            var rest = Substring(address)
            while !rest.isEmpty {
                let piece = rest.prefix(room)
                let padding = right.isEmpty ? "" : String(repeating: " ", count: room - piece.count)
                rows.append(left + piece + padding + right)
                rest = rest.dropFirst(room)
            }
            var screen = Screen(size: TerminalSize(columns: columns, rows: 24))
            screen.feed((rows + ["", "done"]).joined(separator: "\r\n"))
            let urls = screen.links(in: screen.lines).compactMap(\.url)
            #expect(urls.allSatisfy { $0 == address }, "\(left)\(right) \(urls)")
        }
    }
}
