// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

struct TextBytesTests {
    /// To Swift none of these has a Character that is a slash: an accent follows it, or something that joins what
    /// follows.
    private static let odd = ["a/\u{301}b", "a\u{600}/b", "a/\u{200D}b"]

    @Test(arguments: odd)
    func `a slash is a byte, whatever stands around it`(text: String) {
        #expect(text.contains(byte: "/"))
        #expect(text.split(byte: "/").count == 2)
        let slash = text.firstIndex(byte: "/")
        #expect(slash != nil && slash == text.lastIndex(byte: "/"))
        #expect(text.split(byte: "/").joined(separator: "/").isSame(bytes: text))
        #expect(text[...].split(byte: "/", maxSplits: 1).first.map { text.hasPrefix(bytes: $0 + "/") } == true)
    }

    @Test func `prefixes and suffixes are bytes`() {
        #expect("/\u{301}x".hasPrefix(bytes: "/") && "x\u{600}/".hasSuffix(bytes: "/"))
        #expect(!"é".hasPrefix(bytes: "e") && "e\u{301}".hasPrefix(bytes: "e"))
        #expect(!"/".hasPrefix(bytes: "//") && !"/".hasSuffix(bytes: "//") && "".hasSuffix(bytes: ""))
        let rest = "root/\u{301}x".dropping(prefix: "root/")
        #expect(rest.map(String.init)?.isSame(bytes: "\u{301}x") == true)
        #expect("roo/x".dropping(prefix: "root/") == nil)
    }

    @Test(arguments: [("/", "/"), ("//", "/"), ("a//", "a"), ("a", "a"), ("", ""), ("/a/", "/a"), ("a/b", "a/b")])
    func `what ends a text goes, its first byte stays`(text: String, expected: String) {
        #expect(text.droppingLast(byte: "/") == expected)
    }

    @Test func `lines end at LF, with or without a CR, and nowhere else`() {
        #expect("a\r\nb\n\n\r\nc\u{2028}d\u{85}e".byteLines == ["a", "b", "c\u{2028}d\u{85}e"])
        #expect("".byteLines.isEmpty && "\r\n".byteLines.isEmpty && "x\ry".byteLines == ["x\ry"])
        let part = "one\r\ntwo".dropFirst(1)
        #expect(part.byteLines == ["ne", "two"])
    }

    @Test func `two spellings of a letter are two names`() {
        #expect("\u{E9}" == "e\u{301}" && !"\u{E9}".isSame(bytes: "e\u{301}"))
        #expect(Set(["\u{E9}", "e\u{301}", "\u{E9}"].map { ByteName($0) }).count == 2)
        #expect(ByteName("K") != ByteName("\u{212A}"))
    }

    @Test func `sessions whose names differ in their bytes are two`() throws {
        let names = try ["caf\u{E9}", "cafe\u{301}"].map { try SessionName($0) }
        #expect(names[0] != names[1] && Set(names).count == 2)
    }
}
