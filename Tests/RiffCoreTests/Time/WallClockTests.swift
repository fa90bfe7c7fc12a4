// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import Testing

struct WallClockTests {
    @Test func `the time is that of the system, in seconds since 1970`() {
        let before = WallClock.now()
        #expect(abs(before - Date().timeIntervalSince1970) < 60)
        #expect(before != before.rounded() || WallClock.now() != before.rounded())
    }
}
