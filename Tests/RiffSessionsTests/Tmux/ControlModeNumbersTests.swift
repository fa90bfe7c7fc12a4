// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffSessions
import Testing

@Suite struct ControlModeNumbersTests {
    @Test(arguments: [
        "0", "-0", "-1", "2147483648", "9223372036854775807", "9223372036854775808", "-9223372036854775809",
        "18446744073709551616", "1e308", "nan", "inf", "", " ", String(repeating: "9", count: 400),
    ])
    func `control mode may say any number`(text: String) {
        var parser = ControlModeParser()
        let lines = [
            "%begin \(text) \(text) \(text)", "line", "%end \(text) \(text) \(text)", "%output %\(text) \\777x",
            "%extended-output %1 \(text) : a", "%exit", "",
        ]
        // Whatever was begun before, the last line ends it or is in it.
        let events = parser.feed(Array(lines.joined(separator: "\n").utf8))
        #expect(!events.isEmpty)
    }
}
