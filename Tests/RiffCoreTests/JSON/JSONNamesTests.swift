// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import TestSupport
import Testing

struct JSONNamesTests {
    @Test func `members whose names differ in their bytes are two`() throws {
        let json = try JSONValue(parsing: "{\"\u{E9}\": 1, \"e\u{301}\": 2, \"\u{212A}\": 3, \"K\": 4}")
        #expect(json.object?.count == 4)
        #expect(json["\u{E9}"] == 1 && json["e\u{301}"] == 2 && json["K"] == 4)
        let other = try JSONValue(parsing: "{\"e\u{301}\": 1, \"\u{E9}\": 2, \"\u{212A}\": 3, \"K\": 4}")
        #expect(json != other)
        // Many of them are told apart in another way than few.
        let many = (0..<40).map { ("\u{E9}\($0)", JSONValue.null) } + (0..<40).map { ("e\u{301}\($0)", JSONValue.null) }
        #expect(JSONObject(many).count == 80)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 40])
    func `what is added is what is new, and the first of it`(count: Int) {
        let old = JSONObject((0..<count).map { ("k\($0)", 0) })
        let more: [(String, JSONValue)] = (0..<50).map { ("k\($0)", 1) } + (0..<60).map { ("k\($0)", 2) }
        var object = old
        object.add(new: more.flatMap { JSONObject([$0]) })
        #expect(object.keys == (0..<max(count, 60)).map { "k\($0)" })
        #expect(object.map(\.value) == (0..<60).map { $0 < count ? 0 : $0 < 50 ? 1 : 2 })
    }

    @Test func `changes set members, and null takes them away`() {
        var object: JSONObject = ["a": 1, "b": 2, "c": 3]
        let changes: JSONObject = ["b": .null, "d": 4, "e": .null, "a": 5]
        object.apply(changes)
        #expect(object == ["a": 5, "c": 3, "d": 4])
        #expect(object.keys == ["a", "c", "d"])
    }
}

extension InTurn {
    @Suite(.timeLimit(.minutes(2)))
    struct JSONGrowthTests {
        private static func object(_ count: Int, from start: Int = 0) -> JSONObject {
            JSONObject((start..<start + count).map { ("member \($0)", .integer(1)) })
        }

        @Test func `unknown members, changes and names that stand twice cost what their number costs`() async throws {
            let rest = await Growth.factor(from: 10_000, enough: 10) { size in
                var object = JSONObject()
                object.write(rest: Self.object(size))
                object.write(rest: Self.object(size, from: size / 2))
                #expect(object.count == size + size / 2)
            }
            #expect(rest < 10)
            let changes = await Growth.factor(from: 10_000, enough: 10) { size in
                var object = Self.object(size)
                object.apply(Self.object(size, from: size / 2))
                object.apply(JSONObject((0..<size).map { ("member \($0)", JSONValue.null) }))
                #expect(object.count == size / 2)
            }
            #expect(changes < 10)
            let twice = await Growth.factor(from: 10_000, enough: 10) { size in
                let all = (0..<2 * size).map { ("member \($0 % size)", JSONValue.integer(1)) }
                #expect(JSONObject(all).count == size)
            }
            #expect(twice < 10)
        }
    }
}
