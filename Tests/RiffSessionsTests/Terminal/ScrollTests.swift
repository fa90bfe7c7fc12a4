// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffSessions
import RiffTesting
import Testing

struct WheelReportTests {
    @Test(arguments: [
        (0, ""), (1, "\u{1B}[<64;1;1M"), (-1, "\u{1B}[<65;1;1M"),
        (3, "\u{1B}[<64;1;1M\u{1B}[<64;1;1M\u{1B}[<64;1;1M"),
    ])
    func `each tick is one report, up and down`(_ ticks: Int, _ bytes: String) {
        #expect(WheelReport.bytes(ticks) == Array(bytes.utf8))
    }

    @Test(arguments: [(8, 8), (9, 8), (1000, 8), (.max, 8), (-8, -8), (-9, -8), (.min, -8)])
    func `at most eight count`(_ ticks: Int, _ counted: Int) {
        #expect(WheelReport.bytes(ticks) == WheelReport.bytes(counted))
        #expect(WheelReport.bytes(ticks).count == 8 * "\u{1B}[<64;1;1M".utf8.count)
    }
}

struct ScrollDepthTests {
    @Test(arguments: 0..<50)
    func `up adds, down subtracts, and it never is below the end`(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var depth = ScrollDepth()
        var model = 0
        for _ in 0..<200 {
            let ticks = Int.random(in: -12...12, using: &generator)
            depth.scroll(ticks)
            model = max(0, model + ticks)
            #expect(depth.ticks == model)
            #expect(depth.isScrolledBack == (model > 0))
        }
        depth.scroll(.max)
        depth.scroll(.max)
        #expect(depth.ticks == .max)
        depth.scroll(.min)
        #expect(depth.ticks == 0)
        depth.scroll(2)
        depth.reset()
        #expect(depth == ScrollDepth())
    }
}
