// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

struct RiffIdentifierTests {
    @Test(arguments: ["default", "a", "A_b-9", String(repeating: "x", count: 64)])
    func `letters, digits, dash and underscore are taken`(text: String) throws {
        #expect(try RiffIdentifier(text).text == text)
    }

    @Test(arguments: ["", "../x", "a/b", "a b", "é", "a\n", "a\u{0}", String(repeating: "x", count: 65)])
    func `everything else is refused`(text: String) {
        let error = #expect(throws: CoreError.self) { _ = try RiffIdentifier(text) }
        #expect(error?.code == .invalidIdentifier)
    }

    @Test func `a random one is valid and not repeated`() {
        let (one, two) = (RiffIdentifier.random(), RiffIdentifier.random())
        #expect(one != two)
        #expect(one.text.count == 32 && RiffIdentifier.isValid(one.text))
    }
}
