// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

@Suite struct TextGrowthTests {
    private static func read(_ text: String, _ marks: inout TextGrowthMarks, edition: UInt64 = 0) -> TextGrowth? {
        marks.growth(of: 7, edition: edition, bytes: text.utf8.count) {
            String(decoding: text.utf8.dropFirst($0), as: UTF8.self)
        }
    }

    @Test func `each piece comes once, and an item that has just begun comes empty`() {
        var marks = TextGrowthMarks()
        #expect(Self.read("", &marks) == TextGrowth(id: 7, text: "", startsOver: true))
        #expect(Self.read("", &marks) == nil)
        #expect(Self.read("a\u{E4}", &marks) == TextGrowth(id: 7, text: "a\u{E4}"))
        #expect(Self.read("a\u{E4}\u{1F600}b", &marks) == TextGrowth(id: 7, text: "\u{1F600}b"))
        #expect(Self.read("a\u{E4}\u{1F600}b", &marks) == nil)
    }

    @Test func `a text that was replaced starts over, also by one that is longer or the same`() {
        var marks = TextGrowthMarks()
        #expect(Self.read("long", &marks)?.startsOver == true)
        #expect(Self.read("longer", &marks, edition: 1) == TextGrowth(id: 7, text: "longer", startsOver: true))
        #expect(Self.read("longer", &marks, edition: 2) == TextGrowth(id: 7, text: "longer", startsOver: true))
        #expect(Self.read("longer", &marks, edition: 2) == nil)
    }
}
