// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffMarkdown
import Testing

struct MarkdownCoalescerTests {
    @Test func `updates come once an interval, and none is lost`() {
        let text = "# One\n\nTwo [a]\n\nThree\n\n[a]: /b\n\n- four\n- five\n"
        for interval in [1, 2, 3, 7, 1000] {
            var stream = MarkdownStream()
            var coalescer = MarkdownCoalescer(interval: .milliseconds(interval))
            var blocks: [MarkdownBlock] = []
            var (tail, times): ([UInt8], [Duration]) = ([], [])
            func draw(_ update: MarkdownUpdate) {
                blocks += update.committed
                for amendment in update.amended { blocks[amendment.block.id] = amendment.block }
                tail = Array(tail.prefix(update.tail.keepPrefixUTF8)) + update.tail.appended.utf8
            }
            for (index, piece) in TextCutting.byCharacter.cut(text).enumerated() {
                let now = Duration.milliseconds(index)
                guard let due = coalescer.add(stream.append(piece), at: now) else { continue }
                draw(due)
                times.append(now)
                #expect(String(decoding: tail, as: UTF8.self) == stream.tailSource)
                #expect(coalescer.deadline == nil)
            }
            if let due = coalescer.add(stream.finish(), at: .milliseconds(text.count)) { draw(due) }
            if let rest = coalescer.take() { draw(rest) }
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= .milliseconds(interval) })
            let html = blocks.map { MarkdownHTML.exact().text(of: $0) }.joined()
            #expect(html == MarkdownStream.html(text), "\(interval)")
        }
    }

    @Test func `what waits is due at its deadline`() {
        var stream = MarkdownStream()
        var coalescer = MarkdownCoalescer(interval: .milliseconds(16))
        #expect(coalescer.deadline == nil)
        #expect(coalescer.add(stream.append("a"), at: .seconds(5)) != nil)
        #expect(coalescer.add(stream.append("b"), at: .seconds(5) + .milliseconds(3)) == nil)
        #expect(coalescer.deadline == .seconds(5) + .milliseconds(16))
        #expect(coalescer.takeDue(at: .seconds(5) + .milliseconds(15)) == nil)
        let due = coalescer.takeDue(at: .seconds(5) + .milliseconds(16))
        #expect(due?.tail == MarkdownTailDelta(keepPrefixUTF8: 1, appended: "b"))
        #expect(coalescer.take() == nil)
    }

    @Test func `blocks that are amended twice are amended once, as they are in the end`() {
        var stream = MarkdownStream()
        _ = stream.append("[a] [b]\n\n[b]\n\n[a]\n\n# c\n\n")
        var update = stream.append("[a]: /1\n\n# d\n")
        #expect(update.amended.map(\.block.id) == [0, 2])
        update.amended.swapAt(0, 1)
        update.merge(stream.append("\n[b]: /2\n\n# e\n"))
        #expect(update.amended.map(\.block.id) == [2, 0, 1])
        #expect(update.amended[1].block.root.children.compactMap(\.link).map(\.destination) == ["/1", "/2"])
    }

    @Test func `deltas join, also where the second takes back a part of the first`() {
        var update = MarkdownUpdate()
        update.tail = MarkdownTailDelta(keepPrefixUTF8: 3, appended: "defg")
        var next = MarkdownUpdate()
        next.tail = MarkdownTailDelta(keepPrefixUTF8: 5, appended: "x")
        update.merge(next)
        #expect(update.tail == MarkdownTailDelta(keepPrefixUTF8: 3, appended: "dex"))
        next.tail = MarkdownTailDelta(keepPrefixUTF8: 1, appended: "y")
        update.merge(next)
        #expect(update.tail == MarkdownTailDelta(keepPrefixUTF8: 1, appended: "y"))
    }
}
