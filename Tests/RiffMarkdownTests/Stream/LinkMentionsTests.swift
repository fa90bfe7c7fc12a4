// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffMarkdown
import RiffTesting
import Testing

/// What references stand for, which may be far more than they are written with.
struct LinkMentionsTests {
    /// The HTML of all blocks as they are in the end, of a text in pieces of bytes.
    private func blocks(_ text: String, _ sizes: (inout SeededGenerator) -> Int, seed: UInt64 = 0) -> [String] {
        var stream = MarkdownStream()
        var html: [String] = []
        func take(_ update: MarkdownUpdate) {
            html += update.committed.map { MarkdownHTML.exact().text(of: $0) }
            for amendment in update.amended {
                html[amendment.block.id] = MarkdownHTML.exact().text(of: amendment.block)
            }
        }
        let bytes = Array(text.utf8)
        var generator = SeededGenerator(seed: seed)
        var start = 0
        while start < bytes.count {
            let end = min(start + sizes(&generator), bytes.count)
            take(stream.append(bytes: bytes[start..<end]))
            start = end
        }
        take(stream.finish())
        return html
    }

    @Test(arguments: [1, 7, 100, 1_000_000])
    func `links that are defined one by one stay links`(size: Int) {
        let references = (0..<60).map { "- [x][\($0)]\n" }.joined()
        let address = "https://example.com/" + String(repeating: "a", count: 40)
        let definitions = (0..<60).map { "[\($0)]: \(address)\($0)\n\n" }.joined()
        let html = blocks(references + "\n" + definitions + "[x][0] [x][59]\n") { _ in size }.joined()
        #expect(html.matches(of: #/<a href="https:/#).count == 62)
    }

    @Test func `many references to an address are all links`() {
        let address = "https://example.com/" + String(repeating: "a", count: 70)
        let text = "[a]: \(address)\n\n" + String(repeating: "- [x][a]\n", count: 3000)
        #expect(blocks(text) { _ in 5000 }.joined().matches(of: #/<a href="https:/#).count == 3000)
    }

    @Test func `a definition of any length has one link at least`() {
        let data = "data:image/png;base64," + String(repeating: "A", count: 300_000)
        let text = "![a][b]\n\n![c][b]\n\n[b]: <\(data)>\n"
        for size in [500, 1_000_000] {
            let html = blocks(text) { _ in size }
            #expect(html[0] == "<p><img src=\"\(data)\" alt=\"a\" /></p>\n")
            #expect(html[1] == "<p>![c][b]</p>\n")
        }
    }

    // MARK: - However the text is cut

    /// A document whose definitions are of many lengths, stand anywhere, and are referred to in many ways.
    private func document(_ generator: inout SeededGenerator) -> String {
        func number(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }
        let lengths = [20, 90, 300, 1000, 4000, 30_000, 60_000]
        var waiting = lengths.indices.map { index in
            "[l\(index)]: /" + String(repeating: "u", count: lengths[index]) + "\n\n"
        }
        waiting.append("[a`b]: /" + String(repeating: "v", count: 500) + "\n\n")
        var text = "[l5] ![x][l6] [l6]\n\n"
        for _ in 0..<60 {
            func reference() -> String {
                let label = "l\(number(lengths.count + 1))"
                return switch number(9) {
                case 0, 1: "[\(label)]"
                case 2: "[*x* y][\(label)]"
                case 3: "[x [\(label)] y][l2]"
                case 4: "![x][\(label)]"
                case 5: "[\(label)](/inline)"
                case 6: "[x][a`b] `[\(label)]` "
                case 7: "[\(label.uppercased())][] `[l3]` \\[l4]"
                default: "[x][\(label)][l1]"
                }
            }
            let references = (0...number(12)).map { _ in reference() }
            switch number(6) {
            case 0: text += references.map { "- \($0)\n" }.joined() + "\n"
            case 1: text += references.joined(separator: " ") + "\n\n"
            case 2: text += "> " + references.joined(separator: "\n") + "\n\n"
            case 3: text += "| a |\n|---|\n" + references.map { "| \($0) |\n" }.joined() + "\n"
            case 4: text += "# " + references.joined() + "\n"
            default: if !waiting.isEmpty { text += waiting.remove(at: number(waiting.count)) }
            }
        }
        return text + waiting.joined()
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `what references stand for does not depend on how the text is cut`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let text = document(&generator)
        let whole = blocks(text) { _ in text.utf8.count }
        let bytes = whole.reduce(0) { $0 + $1.utf8.count }
        // More than 100 KB of expansions, and some that were refused.
        #expect(bytes > text.utf8.count + 100_000)
        #expect(whole.contains { $0.contains("[x][l5]") || $0.contains("[l5]") || $0.contains("[l6]") })
        for chunking in 0..<5 as Range<UInt64> {
            let most = [40, 300, 2000, 10_000, 60_000][Int(chunking)]
            let cut = blocks(text, { Int($0.next() % UInt64(most)) + 1 }, seed: seed &* 100 &+ chunking)
            #expect(cut == whole, "in pieces of up to \(most) bytes")
        }
    }

    @Test(arguments: [true, false], [3, 40])
    func `references make no more than a hundred and thirty bytes of each`(areLate: Bool, labelCount: Int) {
        let labels = (0..<labelCount).map { "[\(String($0, radix: 36))]" }
        let size = 20_000
        let mentions = String(repeating: labels.joined(separator: "\n\n") + "\n\n", count: size / 6 / labelCount)
        let definitions = labels.map { $0 + ": /" + String(repeating: "b", count: size / labelCount) + "\n\n" }.joined()
        let text = areLate ? mentions + definitions : definitions + mentions
        let bytes = blocks(text) { _ in 10_000 }.reduce(0) { $0 + $1.utf8.count }
        // A link has some bytes of its own.
        #expect(bytes < 150 * text.utf8.count)
    }
}
