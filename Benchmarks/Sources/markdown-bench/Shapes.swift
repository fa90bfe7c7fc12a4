// Riff
// SPDX-License-Identifier: Apache-2.0

/// Texts of a size that strain one thing each.
enum Shapes {
    /// What an answer may well look like (streaming.md 2.5).
    static let plausible: [(name: String, text: @Sendable (Int) -> String)] = [
        ("fence", { "```swift\n" + repeated("let value = compute(index) // line\n", $0) }),
        ("list", { repeated("- item with `code` and **bold** text\n", $0) }),
        ("nested list", { repeated("- outer\n  - inner one\n  - inner *two*\n", $0) }),
        ("table", { "| a | b |\n|---|---|\n" + repeated("| cell one | `two` and *three* |\n", $0) }),
        ("paragraph", { repeated("A line of *prose* with [a link](https://a.example/b) and more words.\n", $0) }),
        ("one line", { repeated("word **bold** and `code`, then more words; ", $0) }),
        ("quotes", { repeated("> A quoted line with *words* in it.\n", $0) }),
        ("deep quotes", { String(repeating: ">", count: $0) }),
        ("brackets", { String(repeating: "[", count: $0) }),
    ]

    /// What is made to take time.
    static let adversarial: [(name: String, text: @Sendable (Int) -> String)] = [
        ("[", { String(repeating: "[", count: $0) }),
        ("![", { repeated("![", $0) }),
        ("[a](", { repeated("[a](", $0) }),
        ("[a](<b", { repeated("[a](<b", $0) }),
        ("[ with ]", { String(repeating: "[", count: $0 / 2) + String(repeating: "]", count: $0 / 2) }),
        ("![ with ](b)", { repeated("![", $0 / 3) + repeated("](b)", $0 / 3 * 2) }),
        ("![ with links", { repeated("![", $0 / 2) + repeated("[a](b)", $0 / 2) }),
        ("[]()", { repeated("[*a*](b)", $0) }),
        ("labels", { repeated("[a" + String(repeating: "b", count: 900) + "]", $0) }),
        ("*", { String(repeating: "*", count: $0) }),
        ("*a ", { repeated("*a ", $0) }),
        ("*a **b", { repeated("*a **b ", $0 / 2) + repeated("c** d* ", $0 / 2) }),
        ("*a_ ", { repeated("*a _b ", $0 / 2) + repeated("c* d_ ", $0 / 2) }),
        ("_a then b* c_", { repeated("_a ", $0 / 2) + repeated("b* c_ ", $0 / 2) }),
        ("*a **a", { repeated("*a **a ", $0 / 2) + repeated("a** a* ", $0 / 2) }),
        ("~~ and ~", { "~~a " + repeated("*b ", $0 / 2) + repeated("c~ ", $0 / 2) }),
        ("emphasis lines", { repeated("*a\n", $0 / 2) + repeated("a*\n", $0 / 2) }),
        (">", { String(repeating: ">", count: $0) }),
        ("> lines", { repeated("> > > > > > > > a\n", $0) }),
        (">> then lines", { String(repeating: ">", count: $0 / 2) + "\n" + repeated("a\n", $0 / 2) }),
        (
            ">> then hard breaks", { String(repeating: ">", count: $0 / 2) + "a\n" + repeated("a\\\n", $0 / 2) }
        ),
        ("- - -", { repeated("- ", $0) }),
        ("- - - blank", { repeated("- ", $0 / 2) + "a" + String(repeating: "\n", count: $0 / 2) }),
        (
            "nested by indent",
            { size in
                var (text, depth) = ("", 0)
                while text.utf8.count < size {
                    text += String(repeating: "  ", count: depth) + "- a\n"
                    depth += 1
                }
                return text
            }
        ),
        ("1. 1. 1.", { repeated("1. ", $0) }),
        ("`", { String(repeating: "`", count: $0) }),
        (
            "` ``",
            { size in
                var (text, length) = ("", 1)
                while text.utf8.count < size {
                    text += String(repeating: "`", count: length) + " "
                    length = length % 90 + 1
                }
                return text
            }
        ),
        ("&", { String(repeating: "&", count: $0) }),
        ("&amp;", { repeated("&amp;", $0) }),
        ("&#x1;", { repeated("&#x1F600;", $0) }),
        ("&aaaa", { repeated("&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", $0) }),
        ("<", { String(repeating: "<", count: $0) }),
        ("<!--", { repeated("<!-- a ", $0) }),
        ("a <!-", { repeated("a <!-", $0) }),
        ("<?", { "a " + repeated("<? ??> ", $0) }),
        ("<![CDATA[", { "a " + repeated("<![CDATA[ ]]]> ", $0) }),
        ("<a b='", { "a " + repeated("<a b='\"c ", $0) }),
        ("<a b c", { "a <a " + repeated("b ", $0) }),
        ("www.a_", { repeated("www.a_", $0) }),
        ("www.a.b<(", { repeated("www.a.b<(", $0) }),
        ("http://)", { "http://a.b" + String(repeating: ")", count: $0) }),
        ("@", { String(repeating: "@", count: $0) }),
        ("a@a", { repeated("a@a", $0) }),
        ("a@b.c ", { repeated("a@b.c ", $0) }),
        ("\\", { String(repeating: "\\", count: $0) }),
        ("spaces", { "a" + String(repeating: " ", count: $0) + "b" }),
        ("tabs", { repeated("\t", $0) + "b" }),
        ("line ends", { String(repeating: "\n", count: $0) }),
        ("definitions", { repeated("[a]: b\n", $0) }),
        (
            "late definitions",
            { repeated("[a] [b] [c]\n", $0 / 2) + "\n" + repeated("[a]: x\n\n[b]: y\n\n[c]: z\n\n", $0 / 2) }
        ),
        (
            "many late definitions",
            { size in
                (0..<size / 20).map { "[a\($0)] " }.joined() + "\n\n"
                    + (0..<size / 20).map { "[a\($0)]: b\n\n" }.joined()
            }
        ),
        ("one late definition", { repeated("[a]\n\n", $0) + "[a]: /u\n\nx" }),
        ("one late footnote", { repeated("[^a]\n\n", $0) + "[^a]: b\n\nx" }),
        ("footnotes", { size in (0..<size / 20).map { "[^a\($0)]\n\n[^a\($0)]: b\n\n" }.joined() }),
        ("expansions", { size in expansions(size, areLate: false) }),
        ("late expansions", { size in expansions(size, areLate: true) }),
        (
            "long destination, many blocks",
            { "[a]: " + String(repeating: "b", count: $0 / 2) + "\n\n" + repeated("[a]\n\n", $0 / 2) }
        ),
        ("long destinations", { "[a]: " + String(repeating: "b", count: $0 / 2) + "\n\n" + repeated("[a]", $0 / 2) }),
        ("table pipes", { String(repeating: "|", count: $0 / 2) + "\n" + repeated("|-", $0 / 2) }),
        (
            "table of short rows",
            { size in
                let columns = 1000
                return repeated("|a", columns * 2) + "|\n" + repeated("|-", columns * 2) + "|\n" + repeated("b\n", size)
            }
        ),
        (
            "table of one wide cell",
            { "|" + String(repeating: "a", count: $0 / 2) + "|\n|-|\n" + repeated("|b\n", $0 / 2) }
        ),
        ("delimiter rows", { repeated("|-|-|\n|-|-|-|\n", $0) }),
        ("setext", { repeated("a\n=\n", $0) }),
        ("$", { repeated("$a ", $0) }),
    ]

    /// Definitions and references to them that together stand for the most.
    private static func expansions(_ size: Int, areLate: Bool) -> String {
        let labels = (0..<max(size / 1600, 1)).map { "[\(String($0, radix: 36))]" }
        let references = String(repeating: labels.joined() + "\n", count: 160)
        let definitions = labels.map { $0 + ": " + String(repeating: "b", count: 750) + "\n" }.joined()
        return areLate ? references + "\n" + definitions + "\nx" : definitions + "\n" + references
    }

    static func repeated(_ text: String, _ size: Int) -> String {
        String(repeating: text, count: max(size / text.utf8.count, 1))
    }
}
