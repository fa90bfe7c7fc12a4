// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import Testing

/// Addresses that look like others, or that a program would not take for an address.
struct LinkAddressTests {
    static let refused = [
        "https://evil.com\\@good.com", "https://evil.com\\@good.com/x", "https:\\\\evil.com",
        "https://good.com\\.evil.com",
        "https://evil.com\\", "ssh://-oProxyCommand=touch", "ssh://-oProxyCommand=touch@host", "ssh://-l/x",
        "ssh://me@-oProxyCommand=x", "ssh://-", "ftp://-x", "http://-x.example", "ssh://%2DoProxyCommand=x",
        "https://good.com%2Fx@evil.com%00", "https://a%2Eb", "https://good.com:x@", "https://good.com:80x/",
        "https://good.com:-80/", "https://a b.com/", "https://good.com|evil.com", "https://<x>/",
        "https://", "https:///x", "https://@", "https://:80", "javascript:x", "data:x", "file:///x", "vbscript:x",
    ]

    @Test(arguments: refused)
    func `what a program put on its text opens nothing`(address: String) {
        var screen = Screen(size: TerminalSize(columns: 100, rows: 4))
        screen.feed("\u{1B}]8;;\(address)\u{1B}\\word\u{1B}]8;;\u{1B}\\")
        let link = screen.link(at: ScreenPosition(line: 0, column: 0))
        #expect(link?.url == nil)
        #expect(!screen.picture.html().contains("href"))
    }

    @Test(arguments: refused.filter { !$0.contains(" ") && !$0.contains("\\") && !$0.contains("<") })
    func `nor does one that is written as in markdown`(address: String) {
        var screen = Screen(size: TerminalSize(columns: 100, rows: 4))
        screen.feed("[word](\(address))")
        #expect(screen.links(in: screen.lines).allSatisfy { $0.url == nil || $0.kind == .bare })
    }

    @Test func `the host that is shown is the one that is opened`() {
        for (address, host) in [
            ("https://me:pw@ex.test/x", "ex.test"), ("https://good.com@evil.com", "evil.com"),
            ("https://good.com:80@evil.com:8080/", "evil.com:8080"), ("http://[::1]:80/", "[::1]:80"),
            ("https://bücher.example/", "bücher.example"), ("https://a.b?@c.d", "a.b"), ("https://a.b#@c.d", "a.b"),
            ("ssh://me@a-b.c", "a-b.c"), ("https://a.b/-o", "a.b"), ("https://a.b/%2D", "a.b"),
        ] {
            var screen = Screen(size: TerminalSize(columns: 100, rows: 4))
            screen.feed("\u{1B}]8;;\(address)\u{1B}\\word\u{1B}]8;;\u{1B}\\")
            let link = screen.link(at: ScreenPosition(line: 0, column: 0))
            #expect(link?.url == address)
            #expect(link?.host == host)
        }
    }

    /// As other terminals were reported to have them wrong.
    @Test(arguments: [
        ("[\"https://a.example/\",\"not_a_link\"]", "https://a.example/"),
        (
            "http://127.0.0.1:9100?uri=http://127.0.0.1:43247/sZaU=",
            "http://127.0.0.1:9100?uri=http://127.0.0.1:43247/sZaU="
        ),
        ("[a](https://a.example)", "https://a.example"), ("(found in https://a.example/b)", "https://a.example/b"),
        ("#43 (https://a.example/pull/43)(Fixes #42),", "https://a.example/pull/43"),
        ("https://a.example/wiki/Rust_(video_game) x", "https://a.example/wiki/Rust_(video_game)"),
        ("See https://a.example/b.", "https://a.example/b"),
        ("https://a.example/Jd2x8Yvh-", "https://a.example/Jd2x8Yvh-"),
    ])
    func `an address in a text is found whole`(text: String, url: String) {
        var screen = Screen(size: TerminalSize(columns: 100, rows: 4))
        screen.feed(text)
        #expect(screen.links(in: screen.lines).map(\.url) == [url])
    }

    @Test func `what stands in a text ends before a backslash`() {
        var screen = Screen(size: TerminalSize(columns: 100, rows: 4))
        screen.feed("https://evil.com\\@good.com ssh://-oProxyCommand=touch")
        #expect(screen.links(in: screen.lines).compactMap(\.url) == ["https://evil.com"])
    }
}
