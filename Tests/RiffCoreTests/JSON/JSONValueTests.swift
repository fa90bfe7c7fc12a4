// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

@Suite struct JSONValueTests {
    @Test(
        arguments: [
            ("null", .null), (" true ", true), ("false", false), ("\"\"", ""), ("[]", []), ("{}", [:]),
            ("[1, [2], {\"a\": [null]}]", [1, [2], ["a": [nil]]]),
            ("{\"a\":1,\"b\":{\"c\":\"d\"}}", ["b": ["c": "d"], "a": 1]),
            ("\u{FEFF}7", 7),
            // A name twice: the last counts, as for Python and JavaScript.
            ("{\"a\":1,\"b\":2,\"a\":3}", ["a": 3, "b": 2]),
            ("[NaN, Infinity, -Infinity]", [nil, nil, nil]),
        ] as [(String, JSONValue)]
    )
    func `a document is read as it says`(text: String, expected: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == expected)
    }

    @Test(arguments: [
        (#""a\"b\\c\/d\b\f\n\r\t""#, "a\"b\\c/d\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u20AC""#, "A\u{E9}\u{20AC}"),
        (#""\ud83d\ude00""#, "\u{1F600}"),
        // Half of a pair, alone, before a text and before another half.
        (#""\ud83d""#, "\u{FFFD}"), (#""\ude00x""#, "\u{FFFD}x"), (#""\ud83d\u0041""#, "\u{FFFD}A"),
        (#""\ud83d\ud83d\ude00""#, "\u{FFFD}\u{1F600}"), (#""\ud83d\n""#, "\u{FFFD}\n"),
        ("\"tab\tand \u{1}\"", "tab\tand \u{1}"),
        ("\"0123456\\n89012345678\"", "0123456\n89012345678"),
    ])
    func `a text's escapes are undone`(text: String, expected: String) throws {
        #expect(try JSONValue(parsing: text) == .string(expected))
    }

    @Test func `bytes that are no UTF-8 become the replacement character`() throws {
        #expect(try JSONValue(parsing: [0x22, 0x61, 0xFF, 0x62, 0x22]) == "a\u{FFFD}b")
        #expect(try JSONValue(parsing: [0x22, 0x5C, 0x6E, 0xC3, 0x22]) == "\n\u{FFFD}")
    }

    @Test(
        arguments: [
            ("0", .integer(0)), ("-1", .integer(-1)), ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)), ("999999999999999999", .integer(999_999_999_999_999_999)),
            ("9223372036854775808", .numeral("9223372036854775808")),
            ("18446744073709551616", .numeral("18446744073709551616")),
            ("-0", .number(-0.0)), ("1.0", .number(1)), ("1e5", .number(100_000)), ("0.1", .number(0.1)),
            ("-2.5E-3", .number(-0.0025)), ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
            ("0.30000000000000004", .number(0.30000000000000004)), ("0e0", .number(0)),
            ("0.1000000000000000055511151231257827", .numeral("0.1000000000000000055511151231257827")),
            ("1e400", .numeral("1e400")), ("1e-400", .numeral("1e-400")),
        ] as [(String, JSONValue)]
    )
    func `a number keeps its value`(text: String, expected: JSONValue) throws {
        let value = try JSONValue(parsing: text)
        #expect(value == expected)
        #expect(try JSONValue(parsing: value.bytes()) == value)
    }

    @Test(arguments: [
        "", " ", "{", "[", "[1", "[1,", "[1,]", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{a:1}", "{\"a\" 1}",
        "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "tru", "nul", "truth", "Nan", "-", "-I", "01", "-01", "1.",
        ".5",
        "1e", "1e+", "+1", "1 2", "{}x", "INFO starting", "\u{FEFF}",
    ])
    func `what is not JSON is refused, with its place`(text: String) {
        #expect { try JSONValue(parsing: text) } throws: { error in
            (error as? CoreError)?.code == .invalidJSON
        }
    }

    @Test func `every part of a document is refused or a document`() throws {
        let text = #"{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00",true,null],"b":{"c":"long enough for the quick path"}}"#
        let bytes = Array(text.utf8)
        for count in 0..<bytes.count {
            #expect(throws: CoreError.self, "\(count) bytes") { try JSONValue(parsing: bytes[..<count]) }
        }
        #expect(try JSONValue(parsing: bytes)["b"]?["c"] == "long enough for the quick path")
    }

    @Test func `nesting is bounded`() throws {
        let deep = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        #expect(try JSONValue(parsing: deep(256)).array?.count == 1)
        #expect(throws: CoreError.self) { try JSONValue(parsing: deep(257)) }
        #expect(throws: CoreError.self) { try JSONValue(parsing: String(repeating: "{\"a\":", count: 1_000_000)) }
    }

    @Test func `what is written is one line and reads the same`() throws {
        let value: JSONValue = [
            "text": "line\nbreak \"quoted\" back\\slash \u{0}\u{1F}\u{7F} \u{2028} \u{1F600}",
            "n": [1, 2.5, nil, true],
            "o": [:], "big": .numeral("123456789012345678901234567890"),
        ]
        let bytes = value.bytes()
        #expect(!bytes.contains(0x0A))
        #expect(try JSONValue(parsing: bytes) == value)
        #expect(JSONValue.object(["b": 1, "a": [2]]).bytes(sortedKeys: true) == Array(#"{"a":[2],"b":1}"#.utf8))
    }

    @Test func `an object with many members is read in good time and keeps the last of each name`() throws {
        var text = "{"
        for number in 0..<100_000 { text += "\"k\(number % 50_000)\":\(number)," }
        let object = try #require(JSONValue(parsing: text + "\"end\":0}").object)
        #expect(object.count == 50_001)
        #expect(object["k7"] == 50_007)
    }
}
