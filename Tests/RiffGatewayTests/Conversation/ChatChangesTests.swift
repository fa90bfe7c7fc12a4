// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffGateway
import Testing

/// A reader that only appends what it is told has what is there.
@Suite(.timeLimit(.minutes(5))) struct ChatChangesTests {
    /// What a reader has of each entry.
    struct Copy: Equatable, Sendable {
        var texts: [Int: String] = [:]
        var refusals: [Int: String] = [:]
        var starts = 0

        mutating func take(_ update: ChatThread.Update) {
            for text in update.texts { Self.add(text, to: &texts, &starts) }
            for refusal in update.refusals { Self.add(refusal, to: &refusals, &starts) }
        }

        private static func add(_ growth: TextGrowth, to all: inout [Int: String], _ starts: inout Int) {
            if growth.startsOver {
                starts += 1
                all[growth.id] = growth.text
            } else {
                all[growth.id]? += growth.text
            }
        }
    }

    @Test func `every piece comes once and in order, and a busy reader gets several as one`() async {
        let source = ChatThreadSource(ChatThread())
        defer { withExtendedLifetime(source) {} }
        source.change { $0.ask("?") }
        var reader = source.changes().makeAsyncIterator()
        let first = await reader.next()
        #expect(first?.texts == [.init(id: 0, text: "?", startsOver: true), .init(id: 1, text: "", startsOver: true)])
        #expect(first?.thread == source.current && first?.refusals == [])
        source.change { $0.grow("Two ") }
        #expect(await reader.next()?.texts == [.init(id: 1, text: "Two ")])
        for piece in ["t\u{E9}", "sts", " fail\u{1F600}"] { source.change { $0.grow(piece) } }
        let merged = await reader.next()
        #expect(merged?.texts == [.init(id: 1, text: "t\u{E9}sts fail\u{1F600}")])
        #expect(merged?.thread.answer?.text == "Two t\u{E9}sts fail\u{1F600}")
    }

    @Test func `a reader that joins late gets all of it first`() async {
        let source = ChatThreadSource(ChatThread())
        defer { withExtendedLifetime(source) {} }
        source.change { $0.ask("?") }
        source.change { $0.grow("One ") }
        source.change { $0.grow("two ") }
        var late = source.changes().makeAsyncIterator()
        #expect(await late.next()?.texts.last == .init(id: 1, text: "One two ", startsOver: true))
        source.change { $0.grow("three") }
        #expect(await late.next()?.texts == [.init(id: 1, text: "three")])
    }

    @Test func `an answer that is asked for again starts over, however late it is read`() async {
        let source = ChatThreadSource(ChatThread())
        defer { withExtendedLifetime(source) {} }
        source.change { $0.ask("?") }
        source.change { $0.grow("One two thr") }
        var reader = source.changes().makeAsyncIterator()
        _ = await reader.next()
        source.change { $0.end(.cut) }
        source.change(replacingAnswer: true) { $0.resume(from: "One two ") }
        source.change { $0.grow("three, four") }
        let update = await reader.next()
        #expect(update?.texts == [.init(id: 1, text: "One two three, four", startsOver: true)])
    }

    @Test func `a refusal grows beside the text`() async {
        let source = ChatThreadSource(ChatThread())
        defer { withExtendedLifetime(source) {} }
        source.change { $0.ask("?") }
        var reader = source.changes().makeAsyncIterator()
        _ = await reader.next()
        source.change { $0.refuse("I ") }
        #expect(await reader.next()?.refusals == [.init(id: 1, text: "I ", startsOver: true)])
        source.change { $0.refuse("won't") }
        let update = await reader.next()
        #expect(update?.refusals == [.init(id: 1, text: "won't")] && update?.texts == [])
    }

    @Test func `a refusal that is taken back is told as an empty one, once`() async {
        let source = ChatThreadSource(ChatThread())
        defer { withExtendedLifetime(source) {} }
        source.change { $0.ask("?") }
        source.change { $0.refuse("I won't") }
        var (reader, other) = (source.changes().makeAsyncIterator(), source.changes().makeAsyncIterator())
        #expect(await reader.next()?.refusals == [.init(id: 1, text: "I won't", startsOver: true)])
        source.change { $0.end(.cut) }
        source.change(replacingAnswer: true) { $0.resume(from: "") }
        #expect(await reader.next()?.refusals == [.init(id: 1, text: "", startsOver: true)])
        // Who never had it is not told of it.
        #expect(await other.next()?.refusals == [])
        source.change { $0.grow("Well") }
        #expect(await reader.next()?.refusals == [])
        source.change { $0.refuse("No") }
        var copy = Copy(refusals: [1: ""])
        if let update = await reader.next() { copy.take(update) }
        #expect(copy.refusals == [1: "No"])
        if let update = await other.next() { copy.take(update) }
        #expect(copy.refusals == [1: "No"])
    }

    @Test(arguments: [1, 3, 1_000])
    func `readers beside an answer that grows have all of it`(_ count: Int) async {
        let source = ChatThreadSource(ChatThread())
        let copies = await withTaskGroup(of: Copy.self) { group in
            for _ in 0..<min(count, 16) {
                group.addTask {
                    var copy = Copy()
                    for await update in source.changes() {
                        copy.take(update)
                        if update.thread.answer?.state == .whole, update.thread.entries.count == 4 { break }
                    }
                    return copy
                }
            }
            source.change { $0.ask("first") }
            for number in 0..<count { source.change { $0.grow("\(number) ") } }
            source.change { $0.end(.whole) }
            source.change { $0.ask("second") }
            for number in 0..<1_000 { source.change { $0.grow("\(number),") } }
            source.change { $0.end(.whole) }
            var all: [Copy] = []
            for await copy in group { all.append(copy) }
            return all
        }
        let expected = Dictionary(uniqueKeysWithValues: source.current.entries.map { ($0.id, $0.text) })
        for copy in copies { #expect(copy.texts == expected && copy.starts == 4) }
    }
}
