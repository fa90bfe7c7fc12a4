// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleFrontEnd
import Testing

struct SessionButtonTests {
    @Test(
        arguments: [
            (0, 0, false, .newSession), (490, 43.9, false, .newSession), (490, 44, false, nil), (499, 100, true, nil),
            (490, 43.9, true, .send), (500, 0, false, .close), (500, 43.9, false, .close),
            (500, 44, false, .presentMenu),
            (5000, 300, false, .presentMenu), (500, 43.9, true, .clear), (500, 44, true, .clear),
        ] as [(Int, Double, Bool, SessionButton.Action?)]
    )
    func `the time, the way and the line tell what a release means`(
        _ milliseconds: Int,
        _ moved: Double,
        _ dirty: Bool,
        _ action: SessionButton.Action?
    ) {
        #expect(
            SessionButton.classifyRelease(held: .milliseconds(milliseconds), moved: moved, dirty: dirty) == action
        )
    }
}
