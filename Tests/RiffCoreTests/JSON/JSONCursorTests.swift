// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

@Suite struct JSONCursorTests {
    /// The value as a cursor finds it, walking through all of it.
    private static func walk(_ text: String) throws(CoreError) -> JSONValue {
        var found = JSONValue.null
        try JSONCursor.read(text) { (cursor) throws(CoreError) in found = try walk(&cursor) }
        return found
    }

    private static func walk(_ cursor: inout JSONCursor) throws(CoreError) -> JSONValue {
        switch cursor.kind() {
        case .object:
            var values: [JSONValue] = []
            try cursor.members { (_, cursor) throws(CoreError) in values.append(try walk(&cursor)) }
            return .array(values)
        case .array:
            var values: [JSONValue] = []
            try cursor.elements { (cursor) throws(CoreError) in values.append(try walk(&cursor)) }
            return .array(values)
        case .text: return .string(try cursor.text()?.repaired ?? "no text")
        case .other: return try cursor.value()
        }
    }

    private static let documents = [
        "null", " true ", "[1,2.5,-3e2]", "{}", "[]", #"{"a":{"b":[{},[]," x\n\u00e9"]},"c":"d"}"#, "\u{FEFF}7",
        #"["\ud83d\ude00","\ud83d","\ude00","a\\ud83d","\\\ud83d"]"#, "[NaN,-Infinity,Infinity,-0,0]",
        "", " ", "{", "[", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "01", "-01", "1.", "1e", "-",
        "+1",
        "tru", "nulL", "\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "[1]]", "{} {}", "[1 2]", "{\"a\":1 \"b\":2}",
        "'a'",
        String(repeating: "[", count: 256) + String(repeating: "]", count: 256),
        String(repeating: "[", count: 257) + String(repeating: "]", count: 257),
        String(repeating: "{\"a\":", count: 300) + "1" + String(repeating: "}", count: 300),
    ]

    @Test(arguments: documents)
    func `what is passed over is checked like what is read`(text: String) {
        let isJSON = (try? JSONValue(parsing: text)) != nil
        func reads(_ body: (inout JSONCursor) throws(CoreError) -> Void) -> Bool {
            do { try JSONCursor.read(text, body) } catch { return false }
            return true
        }
        #expect(reads { (_) throws(CoreError) in } == isJSON)
        #expect(reads { (cursor) throws(CoreError) in try cursor.skip() } == isJSON)
        #expect(reads { (cursor) throws(CoreError) in _ = try cursor.value() } == isJSON)
        #expect(reads { (cursor) throws(CoreError) in _ = try Self.walk(&cursor) } == isJSON)
    }

    @Test func `a walk finds every value in its order`() throws {
        let text = #"{"a":[1,{"b":"c"},null],"d":true,"e":"\u0041\n"}"#
        #expect(try Self.walk(text) == [[1, ["c"], nil], true, "A\n"])
    }

    @Test func `what the body does not take is passed over`() throws {
        var texts: [String] = []
        try JSONCursor.read(#"{"a":[{"x":1}],"b":"two","c":"\u0033","d":4}"#) { (cursor) throws(CoreError) in
            try cursor.members { (name, cursor) throws(CoreError) in
                switch name {
                case "b", "c", "d": texts.append(try cursor.text()?.repaired ?? "none")
                default: break
                }
            }
        }
        #expect(texts == ["two", "3", "none"])
    }

    @Test func `a name means the same with escapes`() throws {
        var found: [String] = []
        try JSONCursor.read(#"{"\u0061b":1,"ab":2,"a\\b":3,"abc":4,"":5}"#) { (cursor) throws(CoreError) in
            try cursor.members { (name, cursor) throws(CoreError) in
                if name == "ab" { found.append(try cursor.value().description) }
                if name == "" { found.append(try cursor.value().description) }
            }
        }
        #expect(found == ["1", "2", "5"])
    }

    @Test(
        arguments: [
            (#"\ud83d"#, nil, "", 0xD83D), (#"\ude00"#, 0xDE00, "", nil), (#"\uDE00ab\uD83D"#, 0xDE00, "ab", 0xD83D),
            (#"a\ud83d\ude00"#, nil, "a\u{1F600}", nil), (#"\\ud83d"#, nil, #"\ud83d"#, nil),
            (#"\\\ud83d"#, nil, #"\"#, 0xD83D), (#"\\\\ud83d"#, nil, #"\\ud83d"#, nil),
            // In the middle a half has no other one to wait for.
            (#"a\ud83db"#, nil, "a\u{FFFD}b", nil), (#"a\ude00"#, nil, "a\u{FFFD}", nil),
            (#"\ud83d\ud83d"#, nil, "\u{FFFD}", 0xD83D), (#"\ude00\ude00"#, 0xDE00, "\u{FFFD}", nil),
            ("\u{FFFD}", nil, "\u{FFFD}", nil), ("", nil, "", nil),
        ] as [(String, UInt16?, String, UInt16?)]
    )
    func `half a character at either end waits for its other half`(
        source: String,
        low: UInt16?,
        text: String,
        high: UInt16?
    ) throws {
        var found: JSONText?
        try JSONCursor.read("\"\(source)\"") { (cursor) throws(CoreError) in found = try cursor.text() }
        #expect(found?.low == low)
        #expect(found?.text == text)
        #expect(found?.high == high)
        #expect(try .string(found?.repaired ?? "") == JSONValue(parsing: "\"\(source)\""))
    }
}
