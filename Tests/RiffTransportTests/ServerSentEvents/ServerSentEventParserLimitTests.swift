// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import TestSupport
import Testing

/// Rules 11 and 12 of design/streaming.md, section 1.1.
@Suite struct ServerSentEventParserLimitTests {
    /// Events up to an error, and its code.
    private static func read(
        _ chunks: [[UInt8]],
        _ limits: ServerSentEventParser.Limits
    ) -> ([ServerSentEventParser.Output], TransportError.Code?) {
        var parser = ServerSentEventParser(limits: limits)
        var outputs: [ServerSentEventParser.Output] = []
        var code: TransportError.Code?
        for chunk in chunks {
            do throws(TransportError) { try parser.feed(chunk, into: &outputs) } catch { code = error.code }
        }
        return (outputs, code)
    }

    @Test(arguments: [
        ("data: 3456\n\n", true), ("data: 34567\n\n", false), ("data: 34567", false), (": 34567890123\n", false),
        ("event: a\ndata: b\n\n", true), ("\u{FEFF}data: 3456\n\n", false),
    ])
    func `a line past its limit is one error, wherever it was split`(text: String, isFine: Bool) {
        let limits = ServerSentEventParser.Limits(lineBytes: 10, eventBytes: 1000)
        let whole = Self.read([Array("data: ok\n\n\(text)data: no\n\n".utf8)], limits)
        #expect(whole.0.first == .event(ServerSentEvent(data: "ok")))
        #expect(whole.1 == (isFine ? nil : .eventTooLarge))
        #expect(whole.0.contains(.event(ServerSentEvent(data: "no"))) == isFine)
        for chunks in Chunking.all(Array("data: ok\n\n\(text)data: no\n\n".utf8)) {
            let parts = Self.read(chunks, limits)
            #expect(parts.0 == whole.0)
            #expect(parts.1 == whole.1)
        }
    }

    @Test(arguments: [
        ("data: 345\ndata: 345\n\n", true), ("data: 345\ndata: 345\ndata: 345\n\n", false),
        ("event: 34567\ndata: 3456\n\n", true), ("event: 345678\ndata: 3456\n\n", false),
        ("data: 345\n\ndata: 345\n\ndata: 345\n\n", true), ("data: 345\ndata: 345\n: 34567890\n\n", false),
    ])
    func `what an event keeps has a limit`(text: String, isFine: Bool) {
        let limits = ServerSentEventParser.Limits(lineBytes: 1000, eventBytes: 15)
        let whole = Self.read([Array(text.utf8)], limits)
        #expect(whole.1 == (isFine ? nil : .eventTooLarge))
        for chunks in Chunking.all(Array(text.utf8)) {
            let parts = Self.read(chunks, limits)
            #expect(parts.0 == whole.0)
            #expect(parts.1 == whole.1)
        }
    }

    @Test func `after an error nothing is read any more, and the ID stays`() throws {
        var parser = ServerSentEventParser(limits: .init(lineBytes: 8, eventBytes: 8))
        var outputs: [ServerSentEventParser.Output] = []
        try parser.feed(Array("id: 1\n\n".utf8), into: &outputs)
        for bytes in ["data: too long", "", "\n\ndata: x\n\n"] {
            let error = #expect(throws: TransportError.self) { try parser.feed(Array(bytes.utf8), into: &outputs) }
            #expect(error?.code == .eventTooLarge)
            #expect(error?.message == "The event stream has a line of more than 8 bytes.")
        }
        #expect(outputs.isEmpty)
        #expect(parser.lastEventID == "1")
    }

    /// Nothing is measured here: one that looked again at what it keeps would not come to an end in the suite's time.
    @Test func `long lines and many lines come out whole, in small chunks too`() throws {
        for (count, size) in [(512 << 10, 7), (5 << 20, 16 << 10)] {
            let text = String(repeating: "0123456789abcdef", count: count / 16)
            var parser = ServerSentEventParser()
            var outputs: [ServerSentEventParser.Output] = []
            let bytes = Array("data: \(text)\n\n".utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                try parser.feed(bytes[start..<min(start + size, bytes.count)], into: &outputs)
            }
            #expect(outputs == [.event(ServerSentEvent(data: text))])
        }
        let lines = Array(repeating: "data: a\n", count: 200_000).joined() + "\n"
        let data = Array(repeating: "a", count: 200_000).joined(separator: "\n")
        #expect(try ServerSentEventParserTests.read([Array(lines.utf8)]).events == [ServerSentEvent(data: data)])
    }

    @Test(arguments: [
        "data: 0123456789", "data: 0123456789\n", "x: 0123456789", ": 0123456789", "data: 0123456789\n: a\n",
    ])
    func `what is kept takes no more memory than the limit and a chunk`(piece: String) throws {
        let (limit, chunk) = (100_000, 1_000)
        var parser = ServerSentEventParser(limits: .init(lineBytes: limit, eventBytes: limit))
        var outputs: [ServerSentEventParser.Output] = []
        var most = 0
        var code: TransportError.Code?
        let bytes = Array(String(repeating: piece, count: chunk / piece.utf8.count).utf8)
        for _ in 0..<400 where code == nil {
            do throws(TransportError) { try parser.feed(bytes, into: &outputs) } catch { code = error.code }
            most = max(most, parser.keptCapacity)
        }
        #expect(code == .eventTooLarge)
        // A buffer may be a little larger than it was asked to be.
        #expect(most > limit / 2 && most <= limit + chunk + 4096)
        #expect(parser.keptCapacity == 0 && outputs.allSatisfy { if case .comment = $0 { true } else { false } })
    }
}
