// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTransport
import TestSupport
import Testing

/// The rules are numbered as in design/streaming.md, section 1.1, and each runs at every way of arriving.
@Suite struct ServerSentEventParserTests {
    /// What a stream said, and the ID that it left.
    struct Reading: Equatable {
        var outputs: [ServerSentEventParser.Output] = []
        var lastEventID = ""

        var events: [ServerSentEvent] {
            outputs.compactMap { if case .event(let event) = $0 { event } else { nil } }
        }
    }

    static func read(_ chunks: [[UInt8]], from lastEventID: String = "") throws -> Reading {
        var parser = ServerSentEventParser(lastEventID: lastEventID)
        var reading = Reading()
        for chunk in chunks { try parser.feed(chunk, into: &reading.outputs) }
        reading.lastEventID = parser.lastEventID
        return reading
    }

    /// Reads bytes whole, and checks that every other way of arriving says the same.
    static func read(_ bytes: [UInt8], from lastEventID: String = "") throws -> Reading {
        let whole = try read([bytes], from: lastEventID)
        for chunks in Chunking.all(bytes) { #expect(try read(chunks, from: lastEventID) == whole) }
        return whole
    }

    static func events(_ text: String) throws -> [ServerSentEvent] { try read(Array(text.utf8)).events }
    static func data(_ text: String) throws -> [String] { try events(text).map(\.data) }

    // MARK: Cases

    @Test(arguments: try Fixture.cases("sse/sse.jsonl"))
    func `a case comes out as it is written`(test: JSONValue) throws {
        let chunks = test["chunks"]?.chunks ?? []
        for way in [chunks] + Chunking.all(chunks.flatMap(\.self)) {
            let reading = try Self.read(way)
            let events: [JSONValue] = reading.events.map {
                ["type": .string($0.type), "data": .string($0.data), "id": .string($0.lastEventID)]
            }
            var retry = JSONValue.null
            var comments: [JSONValue] = []
            for output in reading.outputs {
                if case .retry(let wait) = output { retry = .integer(Int64(wait / .milliseconds(1))) }
                if case .comment(let text) = output { comments.append(.string(text)) }
            }
            #expect(.array(events) == test["events"])
            #expect(.string(reading.lastEventID) == test["last_id"])
            #expect(retry == test["retry"])
            #expect(.array(comments) == test["comments"])
        }
    }

    // MARK: 1 and 2: bytes

    @Test(
        arguments: [
            ([0xFF], "\u{FFFD}"),
            ([0xE2, 0x82], "\u{FFFD}"),
            ([0xE2, 0x82, 0x41], "\u{FFFD}A"),
            ([0xF0, 0x9F, 0x98, 0xF0, 0x9F, 0x98, 0x80], "\u{FFFD}\u{1F600}"),
            // Half of a pair, too long a form, beyond the last: no byte of them begins a character.
            ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ([0xC0, 0xAF], "\u{FFFD}\u{FFFD}"),
            ([0xE0, 0x80, 0xAF], "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
            ([0xF8, 0x88], "\u{FFFD}\u{FFFD}"),
        ] as [([UInt8], String)]
    )
    func `bytes that are not UTF-8 become one replacement for each maximal part`(
        bytes: [UInt8],
        expected: String
    ) throws {
        let line = Array("data:".utf8) + bytes
        #expect(try Self.read(line + [0x0A, 0x0A]).events.map(\.data) == [expected])
        // The next line is not touched.
        #expect(try Self.read(line + Array("\ndata:x\n\n".utf8)).events.map(\.data) == [expected + "\nx"])
    }

    @Test(arguments: [
        ("\u{FEFF}data: x\n\n", ["x"]),
        // The second belongs to the name, which is then an unknown one.
        ("\u{FEFF}\u{FEFF}data: x\n\n", []),
        ("\n\u{FEFF}data: x\n\n", []),
        ("data: x\n\n\u{FEFF}data: y\n\n", ["x"]),
        ("data:\u{FEFF}x\n\n", ["\u{FEFF}x"]),
        ("\u{FEFF}\ndata: x\n\n", ["x"]),
    ])
    func `one byte order mark is dropped, at the beginning`(text: String, expected: [String]) throws {
        #expect(try Self.data(text).map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
    }

    @Test(arguments: [[0xEF], [0xEF, 0xBB], [0xEF, 0xEF, 0xBB, 0xBF]] as [[UInt8]])
    func `a part of a byte order mark is data like any other`(bytes: [UInt8]) throws {
        #expect(try Self.read(bytes + Array("data: x\n\n".utf8)).events.isEmpty)
        #expect(try Self.read(bytes + Array("\ndata: x\n\n".utf8)).events.map(\.data) == ["x"])
    }

    // MARK: 3 and 4: lines

    @Test(arguments: [
        ("data: a\n\ndata: b\n\n", ["a", "b"]), ("data: a\r\rdata: b\r\r", ["a", "b"]),
        ("data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]), ("data: a\r\n\ndata: b\n\r\n", ["a", "b"]),
        ("data: a\rdata: b\r\ndata: c\n\r", ["a\nb\nc"]),
        // LF CR are two ends.
        ("data: a\n\rdata: b\n\r", ["a", "b"]),
        // Nothing else ends a line.
        ("data: a\u{B}b\u{C}c\u{85}d\u{2028}e\u{2029}f\n\n", ["a\u{B}b\u{C}c\u{85}d\u{2028}e\u{2029}f"]),
        // A line of one space is not empty.
        ("data: a\n \ndata: b\n\n", ["a\nb"]),
    ])
    func `CR, LF and both end a line, and an empty one the event`(text: String, expected: [String]) throws {
        #expect(try Self.data(text) == expected)
    }

    @Test func `a CR at the end of a chunk ends the line at once`() throws {
        var parser = ServerSentEventParser()
        var outputs: [ServerSentEventParser.Output] = []
        try parser.feed(Array("data: a\r\r".utf8), into: &outputs)
        #expect(outputs == [.event(ServerSentEvent(data: "a"))])
        // An empty chunk changes nothing: the LF still belongs to the CR.
        try parser.feed([], into: &outputs)
        try parser.feed(Array("\ndata: b\n".utf8), into: &outputs)
        #expect(outputs.count == 1)
        try parser.feed(Array("\n".utf8), into: &outputs)
        #expect(outputs.last == .event(ServerSentEvent(data: "b")))
    }

    @Test func `a comment is said, without its colon, and changes nothing`() throws {
        let reading = try Self.read(Array(":\n: ping\ndata: a\n:data: b\n\n: \u{E9}\n".utf8))
        let event = ServerSentEventParser.Output.event(ServerSentEvent(data: "a"))
        #expect(
            reading.outputs == [.comment(""), .comment(" ping"), .comment("data: b"), event, .comment(" \u{E9}")]
        )
    }

    // MARK: 5 and 6: fields

    @Test(arguments: [
        ("data:a\n\n", ["a"]), ("data: a\n\n", ["a"]), ("data:  a\n\n", [" a"]), ("data:\ta\n\n", ["\ta"]),
        ("data: a \n\n", ["a "]), ("data: a:b: c\n\n", ["a:b: c"]), ("data::\n\n", [":"]),
        // Only this name, exactly.
        ("Data: a\n\n", []), ("DATA: a\n\n", []), (" data: a\n\n", []), ("data : a\n\n", []), ("dat: a\n\n", []),
        ("datax: a\n\n", []), ("d\u{E1}ta: a\n\n", []), ("foo\nbar: 1\n\n", []),
        // Accents behind the colon and the space are no part of them.
        ("data:\u{301}a\n\n", ["\u{301}a"]), ("data: \u{301}a\n\n", ["\u{301}a"]), ("data\u{301}: a\n\n", []),
    ])
    func `a field is split after its colon, byte for byte`(text: String, expected: [String]) throws {
        #expect(try Self.data(text).map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    }

    @Test(arguments: [
        ("data\n\n", [""]), ("data:\n\n", [""]), ("data: \n\n", [""]), ("data\ndata\n\n", ["\n"]),
        ("data\ndata: a\n\n", ["\na"]), ("data: a\ndata\n\n", ["a\n"]), ("data: a\ndata: b\n\n", ["a\nb"]),
        ("data\n\ndata\ndata\n\ndata:", ["", "\n"]),
    ])
    func `data lines are joined, and nothing is added at the end`(text: String, expected: [String]) throws {
        #expect(try Self.data(text) == expected)
    }

    // MARK: 7 and 8: type, ID, retry

    @Test(arguments: [
        ("event: a\ndata: x\n\n", ["a"]), ("event:a\nevent: b\ndata: x\n\n", ["b"]),
        ("event: a\nevent:\ndata: x\n\n", ["message"]), ("event\ndata: x\n\n", ["message"]),
        ("event: a\ndata: x\n\ndata: y\n\n", ["a", "message"]),
        ("event: a\n\ndata: y\n\n", ["message"]), ("event:  a \ndata: x\n\n", [" a "]),
    ])
    func `the type is the last one of the block`(text: String, expected: [String]) throws {
        #expect(try Self.events(text).map(\.type) == expected)
    }

    @Test(arguments: [
        ("id: 1\ndata: x\n\ndata: y\n\n", ["1", "1"], "1"),
        ("id: 1\ndata: x\n\nid\ndata: y\n\n", ["1", ""], ""),
        ("id: 1\nid: 2\ndata: x\n\n", ["2"], "2"),
        // With a NUL it does not count, and what was before stays.
        ("id: 1\ndata: x\n\nid: 2\u{0}3\ndata: y\n\n", ["1", "1"], "1"),
        ("id: 1\n\n", [], "1"), ("id: 1\n\ndata: x\n\n", ["1"], "1"),
        ("id: \u{20AC}\ndata: x\n\n", ["\u{20AC}"], "\u{20AC}"),
        // A block without an end does not count.
        ("id: 1\ndata: x\n\nid: 2\ndata: y\n", ["1"], "1"), ("id: 1\n", [], ""),
    ])
    func `the ID stays until another one comes`(text: String, expected: [String], last: String) throws {
        let reading = try Self.read(Array(text.utf8))
        #expect(reading.events.map(\.lastEventID) == expected)
        #expect(reading.lastEventID == last)
    }

    @Test(
        arguments: [
            ("5", 5), ("0", 0), ("0007", 7), ("99999999999999999999", Int64.max), ("9223372036854775807", .max),
            ("9223372036854775808", .max), ("9223372036854775799", 9_223_372_036_854_775_799),
            ("", nil), ("+5", nil), ("-5", nil), ("1.5", nil), ("5 ", nil), ("\u{665}", nil), ("5s", nil), ("0x5", nil),
        ] as [(String, Int64?)]
    )
    func `a retry is digits alone, and counts at once`(value: String, expected: Int64?) throws {
        let outputs = try Self.read(Array("retry: \(value)\n".utf8)).outputs
        #expect(outputs == (expected.map { [.retry(.milliseconds($0))] } ?? []))
    }

    // MARK: 9 and 10: ends and beginnings

    @Test(arguments: ["data: x", "data: x\n", "event: a\ndata: x\r", "data: x\nid: 3\n: comment"])
    func `a block that no empty line ended is no event`(text: String) throws {
        #expect(try Self.events(text).isEmpty)
        #expect(try Self.data("data: a\n\n" + text) == ["a"])
    }

    @Test func `a new connection begins with the ID of the last one, and nothing else`() throws {
        let reading = try Self.read(Array("data: x\n\n".utf8), from: "7")
        #expect(reading.events == [ServerSentEvent(data: "x", lastEventID: "7")])
        #expect(reading.lastEventID == "7")
        #expect(try Self.read(Array("\u{FEFF}id\ndata: x\n\n".utf8), from: "7").lastEventID == "")
    }
}
