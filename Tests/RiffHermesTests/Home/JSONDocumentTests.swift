// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import Testing

struct JSONDocumentTests {
    static let odd = """
        \u{FEFF}{ "a" : 1.50 ,\t"unknown":{"x":[1,2, 3 ],"\\u0061":null},
          "text": "\\u00e9 \\"}] ,", "list" : [ { "id":1 } , {"id":2}],
          "big": 123456789012345678901234567890, "a b": true }

        """

    private static func edit(_ text: String, _ body: (inout JSONDocument) throws -> Void) throws -> String {
        var document = try JSONDocument(parsing: Array(text.utf8))
        try body(&document)
        #expect(try JSONValue(parsing: document.bytes) == document.value)
        return String(decoding: document.bytes, as: UTF8.self)
    }

    @Test(
        arguments: [
            (["a"], 2, #""a" : 1.50"#, #""a" : 2"#),
            (["text"], "new", #""\u00e9 \"}] ,""#, #""new""#),
            (["list", 1, "id"], 7, #"{"id":2}"#, #"{"id":7}"#),
            (["a b"], nil, #""a b": true"#, #""a b": null"#),
            (["unknown", "a"], "y", #""\u0061":null"#, #""\u0061":"y""#),
            (["big"], 1, "123456789012345678901234567890", "1"),
            (["list", 0, "name"], "n", #"{ "id":1 }"#, #"{ "id":1, "name":"n" }"#),
            (["unknown", "x", 3], 4, "[1,2, 3 ]", "[1,2, 3, 4 ]"),
            (["new"], false, #""a b": true }"#, #""a b": true, "new": false }"#),
        ] as [([JSONDocument.Step], JSONValue, String, String)]
    )
    func `one field changes, and every other byte stays`(
        path: [JSONDocument.Step],
        value: JSONValue,
        old: String,
        new: String
    ) throws {
        let result = try Self.edit(Self.odd) { try $0.set(path, to: value) }
        let places = Self.odd.ranges(of: old)
        try #require(places.count == 1)
        #expect(result == Self.odd.replacing(old, with: new))
    }

    @Test func `letters that are written otherwise are another text`() throws {
        let text = "{\"a\": \"caf\u{E9}\", \"b\": [1.50]}"
        #expect(try Self.edit(text) { try $0.set(["a"], to: "caf\u{E9}") } == text)
        let result = try Self.edit(text) { try $0.set(["a"], to: "cafe\u{301}") }
        #expect(result.utf8.elementsEqual(text.replacing("\u{E9}", with: "e\u{301}").utf8))
        #expect(try Self.edit(text) { try $0.set(["b"], to: [1.5]) } == text)
    }

    @Test func `what cannot be read again is not put in`() throws {
        var document = try JSONDocument(parsing: Array(#"{"a": 1}"#.utf8))
        var deep: JSONValue = 1
        for _ in 0..<300 { deep = [deep] }
        let error = #expect(throws: DataError.self) { try document.set(["a"], to: deep) }
        #expect(error?.code == .fileMalformed)
        #expect(document.bytes == Array(#"{"a": 1}"#.utf8) && document.value == ["a": 1])
    }

    @Test(
        arguments: [
            (["a"], #" "a" : 1.50 ,"# + "\t", " "),
            (["list", 0], #"{ "id":1 } , "#, ""),
            (["list", 1], #" , {"id":2}"#, ""),
            (["a b"], #", "a b": true"#, ""),
            (["unknown", "a"], #","\u0061":null"#, ""),
        ] as [([JSONDocument.Step], String, String)]
    )
    func `one field goes, and every other byte stays`(path: [JSONDocument.Step], old: String, new: String) throws {
        let result = try Self.edit(Self.odd) { try $0.remove(path) }
        #expect(result == Self.odd.replacing(old, with: new))
        #expect(try JSONDocument(parsing: Array(result.utf8))[path] == (path == ["list", 0] ? ["id": 2] : nil))
    }

    @Test func `a value that is there already leaves the text as it is`() throws {
        let result = try Self.edit(Self.odd) {
            try $0.set(["a"], to: 1.5)
            try $0.set(["list"], to: [["id": 1], ["id": 2]])
            try $0.remove(["none"])
        }
        #expect(result == Self.odd)
    }

    @Test func `new entries are written as the text is`() throws {
        let pretty = "{\n    \"jobs\": [\n        {\n            \"id\": \"a\"\n        }\n    ],\n    \"none\": []\n}"
        let result = try Self.edit(pretty) {
            try $0.set(["jobs", 1], to: ["id": "b", "deep": ["x", []]])
            try $0.set(["none", 0], to: 1)
        }
        #expect(
            result == """
                {
                    "jobs": [
                        {
                            "id": "a"
                        },
                        {
                            "id": "b",
                            "deep": [
                                "x",
                                []
                            ]
                        }
                    ],
                    "none": [
                        1
                    ]
                }
                """
        )
        #expect(try Self.edit("{}") { try $0.set(["a"], to: ["b": 1]) } == #"{"a": {"b":1}}"#)
        #expect(try Self.edit("[]") { try $0.set([0], to: "x") } == #"["x"]"#)
        #expect(try Self.edit(#"{"a":1}"#) { try $0.remove(["a"]) } == "{}")
        #expect(try Self.edit("1 ") { try $0.set([], to: 2) } == "2 ")
    }

    @Test func `of a name that is written twice the last counts`() throws {
        let text = #"{"a":1,"b":2,"a":3}"#
        #expect(try Self.edit(text) { try $0.set(["a"], to: 4) } == #"{"a":1,"b":2,"a":4}"#)
        #expect(try Self.edit(text) { try $0.remove(["a"]) } == #"{"b":2}"#)
    }

    @Test(arguments: [["none", "x"], ["list", 5], ["list", "x"], ["a", 0], ["list", 3]] as [[JSONDocument.Step]])
    func `a place that is not there is refused, and nothing changes`(path: [JSONDocument.Step]) throws {
        var document = try JSONDocument(parsing: Array(Self.odd.utf8))
        let error = #expect(throws: DataError.self) { try document.set(path, to: 1) }
        #expect(error?.code == .noSuchField)
        #expect(document.bytes == Array(Self.odd.utf8))
    }

    @Test func `what is no JSON is refused at every cut`() throws {
        let bytes = Array(Self.odd.utf8)
        let end = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
        for cut in 0...end {
            let error = #expect(throws: DataError.self) { try JSONDocument(parsing: Array(bytes[..<cut])) }
            #expect(error?.code == .fileMalformed)
        }
    }

    @Test func `random texts keep all but the one value that changes`() throws {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            let value = Self.random(&generator, depth: 0)
            let text = Self.write(value, &generator)
            var document = try JSONDocument(parsing: Array(text.utf8))
            #expect(document.value == value)
            var path: [JSONDocument.Step] = []
            var at = value
            while Bool.random(using: &generator) || path.isEmpty {
                if let member = at.object?.randomElement(using: &generator) {
                    path.append(.member(member.key))
                    at = member.value
                } else if let list = at.array, let place = list.indices.randomElement(using: &generator) {
                    path.append(.element(place))
                    at = list[place]
                } else {
                    break
                }
            }
            try document.set(path, to: "riff-mark")
            #expect(document[path] == "riff-mark")
            // Back again: what is left is the text as it was, if the value was written the only way it can be.
            let marked = String(decoding: document.bytes, as: UTF8.self)
            let parts = marked.components(separatedBy: #""riff-mark""#)
            try #require(parts.count == 2)
            #expect(text.hasPrefix(parts[0]) && text.hasSuffix(parts[1]))
        }
    }

    private static func random(_ generator: inout SeededGenerator, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 4 ? 4 : 7), using: &generator) {
        case 0: .null
        case 1: .bool(.random(using: &generator))
        case 2: .integer(.random(in: -9999...9999, using: &generator))
        case 3: .string(["", "a", "\"\\{[", "漢字,\n", "]}:"].randomElement(using: &generator) ?? "")
        case 4: .array((0..<Int.random(in: 0...3, using: &generator)).map { _ in random(&generator, depth: depth + 1) })
        default:
            .object(
                JSONObject(
                    (0..<Int.random(in: 0...4, using: &generator)).map { place in
                        ("k\(place)\"", random(&generator, depth: depth + 1))
                    }
                )
            )
        }
    }

    private static func write(_ value: JSONValue, _ generator: inout SeededGenerator) -> String {
        func space() -> String { ["", "", " ", "\n", "\t ", "\r\n  "].randomElement(using: &generator) ?? "" }
        switch value {
        case .array(let elements):
            return "[" + space() + elements.map { write($0, &generator) + space() }.joined(separator: ",") + "]"
        case .object(let members):
            let parts = members.map { member in
                space() + JSONValue.string(member.key).description + space() + ":" + space()
                    + write(member.value, &generator) + space()
            }
            return "{" + (parts.isEmpty ? space() : parts.joined(separator: ",")) + "}"
        default: return value.description
        }
    }
}
