// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import TestSupport
import Testing

struct PromptTextTests {
    @Test(arguments: [
        ("a b", "a b"), ("a\r\nb\rc", "a\nb\nc"), ("a\tb", "a    b"), ("  a  \n\n", "  a"), ("a \nb\t", "a\nb"),
        ("a\nb\n", "\n\n<pasted_content id=\"aa89\">\na\nb\n</pasted_content id=\"aa89\">\n"),

    ])
    func `what an agent writes is the prompt that was sent`(sent: String, written: String) {
        #expect(PromptText(sent) == PromptText(written))
        #expect(!PromptText(sent).isEmpty)
    }

    @Test(arguments: [
        ("a b", "a  b"), ("a\nb", "a b"), ("a", " a"), ("go on", "Go on"), ("é", "e\u{301}"), ("a\n\nb", "a\nb"),
        ("a", "\n\n<pasted_content id=\"1\">\na\n</pasted_content id=\"2\">\n"),
        ("a", "<pasted_content id=\"1\">\na"), ("a", "<pasted_content id=\"A B\">\na\n</pasted_content id=\"A B\">"),
    ])
    func `other words are other words`(one: String, other: String) {
        #expect(PromptText(one) != PromptText(other))
    }

    @Test func `space alone is empty`() { #expect(PromptText(" \r\n\t\n").isEmpty) }

    @Test func `a hostile text costs time in proportion`() {
        let mark = "<pasted_content id=\"1\">\n"
        #expect(PromptText(String(repeating: mark, count: 50_000)) != PromptText(""))
    }
}
