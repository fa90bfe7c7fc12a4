// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffHermes
import Testing

struct HermesTimeTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-24T00:00:00+00:00", 1_795_478_400),
            ("2026-11-24T01:00:00+01:00", 1_795_478_400), ("2026-11-23T18:30:00-0530", 1_795_478_400),
            ("2026-11-24 00:00:00.5+00:00", 1_795_478_400.5), ("2026-11-24T00:00:00.250000+00", 1_795_478_400.25),
            ("2026-11-24t00:00z", 1_795_478_400), ("2028-02-29T12:00:00Z", 1_835_438_400),
        ] as [(String, Double)]
    )
    func `a time with its offset is read`(text: String, seconds: Double) {
        #expect(HermesTime.seconds(of: text) == seconds)
    }

    @Test(arguments: [
        "", "2", "tomorrow", "2026-11-24", "2026-11-24T00:00:00", "2026-13-24T00:00:00Z", "2026-11-24T25:00:00Z",
        "2026-11-24T00:00:00Zx", "2026-11-24T00:00:00+1", "2026-11-24T00:00:00+01:00:00", "26-11-24T00:00:00Z",
        "٢٠٢٦-11-24T00:00:00Z",
    ])
    func `a text that is no time, or has no offset, is none`(text: String) {
        #expect(HermesTime.seconds(of: text) == nil)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00+00:00"), (1_795_478_400.9, "2026-11-24T00:00:00+00:00"),
            (-1, "1969-12-31T23:59:59+00:00"), (.infinity, "1970-01-01T00:00:00+00:00"),
            (1e300, "1970-01-01T00:00:00+00:00"),
        ] as [(Double, String)]
    )
    func `a time is written in whole seconds`(seconds: Double, text: String) {
        #expect(HermesTime.text(of: seconds) == text)
    }

    @Test func `every beginning of a time is read without harm`() {
        let text = "2026-11-24T00:00:00.250000+01:00"
        for end in 0..<text.count { _ = HermesTime.seconds(of: String(text.prefix(end))) }
        #expect(HermesTime.seconds(of: text) == 1_795_474_800.25)
    }
}
