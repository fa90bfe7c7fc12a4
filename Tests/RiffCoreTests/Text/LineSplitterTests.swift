// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import Testing

struct LineSplitterTests {
    private static let text = Array("one\r\n\nzwölf 漢字\n🎧 last".utf8)
    private static let rules: [LineSplitter.Overflow] = [.pieces, .keepsBeginning, .drops]

    private static func lines(
        _ parts: [ArraySlice<UInt8>],
        limit: Int = 100,
        _ overflow: LineSplitter.Overflow = .pieces,
        stripsCR: Bool = true
    ) -> [LineSplitter.Line] {
        var splitter = LineSplitter(limitBytes: limit, overflow: overflow, stripsCR: stripsCR)
        var lines = parts.flatMap { splitter.push($0) }
        if let rest = splitter.finish() { lines.append(rest) }
        return lines
    }

    private static func texts(_ lines: [LineSplitter.Line]) -> [String] {
        lines.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test(arguments: 0...text.count, rules)
    func `lines are the same wherever the bytes are split`(place: Int, overflow: LineSplitter.Overflow) {
        let lines = Self.lines([Self.text[..<place], Self.text[place...]], overflow)
        #expect(Self.texts(lines) == ["one", "", "zwölf 漢字", "🎧 last"])
        #expect(lines.map(\.isComplete) == [true, true, true, false])
        #expect(lines.allSatisfy { !$0.isCut })
        let kept = Self.lines([Self.text[..<place], Self.text[place...]], overflow, stripsCR: false)
        #expect(Self.texts(kept) == ["one\r", "", "zwölf 漢字", "🎧 last"])
    }

    @Test(arguments: rules)
    func `lines that are too long are the same for every size of chunks`(overflow: LineSplitter.Overflow) {
        let text = "12345678\n123456789\n1234567\r\n12345678\r\n\n\r\nöäüöäüöäü漢字漢字🎧🎧🎧\nx\r\r\n123456789012"
        let bytes = Array(text.utf8)
        for limit in 8...14 {
            let whole = Self.lines([bytes[...]], limit: limit, overflow)
            #expect(whole.allSatisfy { $0.bytes.count <= limit })
            for size in 1...bytes.count {
                let parts = stride(from: 0, to: bytes.count, by: size).map { bytes[$0...].prefix(size) }
                #expect(Self.lines(parts, limit: limit, overflow) == whole, "limit \(limit), chunks of \(size)")
            }
        }
    }

    @Test(arguments: 8...14)
    func `a line that is too long comes in pieces, cut between characters`(limit: Int) {
        let line = "äöü漢字🎧🎧 end of it"
        let lines = Self.lines([Array(line.utf8)[...], [0x0A]], limit: limit)
        #expect(Self.texts(lines).joined() == line)
        #expect(lines.allSatisfy { $0.bytes.count <= limit && !$0.isCut })
        #expect(lines.map(\.isComplete) == Array(repeating: false, count: lines.count - 1) + [true])
    }

    @Test func `a line that is too long keeps its beginning, and says how much was dropped`() {
        let lines = Self.lines([Array("12345\n1234567\r\n123\n12345678".utf8)[...]], limit: 5, .keepsBeginning)
        #expect(Self.texts(lines) == ["12345", "12345", "123", "12345"])
        #expect(lines.map(\.droppedBytes) == [0, 3, 0, 3])
        #expect(lines.map(\.isComplete) == [true, true, true, false])
    }

    @Test func `a line that is too long is dropped, and says its length`() {
        let lines = Self.lines([Array("12345\n1234567\r\n123\n12345678".utf8)[...]], limit: 5, .drops)
        #expect(Self.texts(lines) == ["12345", "", "123", ""])
        #expect(lines.map(\.droppedBytes) == [0, 8, 0, 8])
        #expect(lines.map(\.isComplete) == [true, true, true, false])
    }

    @Test func `bytes that are no UTF-8 lose nothing around them`() {
        let bytes = [UInt8](repeating: 0x80, count: 20) + [0x0A, 0x41, 0x0A]
        let lines = Self.lines([bytes[...]], limit: 9)
        #expect(lines.flatMap(\.bytes) == [UInt8](repeating: 0x80, count: 20) + [0x41])
        #expect(lines.last?.bytes == [0x41])
    }

    @Test(arguments: 0...text.count)
    func `a skipped line is none, wherever the bytes are split`(place: Int) {
        var splitter = LineSplitter(limitBytes: 100, overflow: .drops, stripsCR: true)
        splitter.skipLine()
        let lines = splitter.push(Self.text[..<place]) + splitter.push(Self.text[place...])
        #expect(Self.texts(lines) == ["", "zwölf 漢字"])
        #expect(splitter.heldBytes == "🎧 last".utf8.count)
    }

    @Test func `a stream that ends within a skipped line begins anew with a line`() {
        var splitter = LineSplitter(limitBytes: 100, overflow: .pieces, stripsCR: true)
        #expect(splitter.push(Array("held".utf8)).isEmpty)
        splitter.skipLine()
        #expect(splitter.push(Array("rest of it".utf8)).isEmpty)
        #expect(splitter.heldBytes == 0)
        #expect(splitter.finish() == nil)
        #expect(Self.texts(splitter.push(Array("line\n".utf8))) == ["line"])
    }

    @Test func `bytes since the last line's end are counted, dropped ones too`() {
        for overflow in Self.rules.dropFirst() {
            var splitter = LineSplitter(limitBytes: 5, overflow: overflow, stripsCR: false)
            var counts: [Int] = []
            for byte in Array("12\n1234567\n1".utf8) {
                _ = splitter.push([byte])
                counts.append(splitter.heldBytes)
                #expect(splitter.isCut == (splitter.heldBytes > 5))
            }
            #expect(counts == [1, 2, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1])
        }
    }

    @Test func `a line is taken at a time, and the rest of the chunk is left`() {
        var splitter = LineSplitter(limitBytes: 100, overflow: .drops, stripsCR: false)
        var chunk = Array("one\ntwo\nthr".utf8)[...]
        #expect(splitter.next(in: &chunk)?.bytes.elementsEqual("one".utf8) == true)
        #expect(chunk.elementsEqual("two\nthr".utf8))
        #expect(splitter.next(in: &chunk)?.bytes.elementsEqual("two".utf8) == true)
        #expect(splitter.next(in: &chunk) == nil && chunk.isEmpty)
        #expect(splitter.finish()?.bytes.elementsEqual("thr".utf8) == true)
        #expect(splitter.finish() == nil)
    }

    @Test(arguments: 0..<20)
    func `any bytes split anywhere give the same lines, and a piece loses no byte`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let some: [UInt8] = [0x0A, 0x0D, 0x41, 0x80, 0xC3, 0xE6, 0xF0, 0xBF]
        let bytes = (0..<400).map { _ in some.randomElement(using: &generator) ?? 0 }
        for overflow in Self.rules {
            let whole = Self.lines([bytes[...]], limit: 8, overflow, stripsCR: false)
            var parts: [ArraySlice<UInt8>] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                parts.append(rest.prefix(Int.random(in: 1...30, using: &generator)))
                rest = rest.dropFirst(parts.last?.count ?? 0)
            }
            #expect(Self.lines(parts, limit: 8, overflow, stripsCR: false) == whole)
            let count = whole.reduce(0) { $0 + $1.bytes.count + $1.droppedBytes + ($1.isComplete ? 1 : 0) }
            #expect(count == bytes.count)
            guard overflow == .pieces else { continue }
            #expect(whole.flatMap { Array($0.bytes) + ($0.isComplete ? [0x0A] : []) } == bytes)
        }
    }

    @Test func `a limit can be any number`() {
        for overflow in Self.rules {
            for limit in [Int.min, -1, 0, .max] {
                let lines = Self.lines([Array("a\n\nb".utf8)[...]], limit: limit, overflow)
                #expect(lines.map { $0.bytes.count + $0.droppedBytes } == [1, 0, 1])
            }
        }
    }
}
