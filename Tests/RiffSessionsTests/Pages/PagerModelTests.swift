// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import Testing

struct PagerModelTests {
    private static func make(page: Int = 1, of count: Int = 3) -> PagerModel {
        PagerModel(pageCount: count, page: page, width: 393)
    }

    @Test(
        arguments: [
            // Slowly, around a third of the width: 131 points.
            (1, -131, 0, 1), (1, -131.1, 0, 2), (1, 131, 0, 1), (1, 131.1, 0, 0), (1, -392, 499, 2), (1, 0, 0, 1),
            // Fast, however far; but not against the way it went.
            (1, -11, -500, 2), (1, 11, 500, 0), (1, -11, -499, 1), (1, -300, 500, 1), (1, 300, -500, 1),
            // At the ends.
            (0, 300, 900, 0), (2, -300, -900, 2), (0, -300, 0, 1), (1, -5000, -5000, 2),
        ] as [(Int, Double, Double, Int)]
    )
    func `a third of the width or a flick commits, all else goes back`(
        _ page: Int,
        _ x: Double,
        _ velocity: Double,
        _ settled: Int
    ) {
        var pager = Self.make(page: page)
        pager.begin()
        pager.drag(x: x / 2, y: 0)
        pager.drag(x: x, y: 0)
        #expect(pager.end(velocity: velocity) == settled)
        #expect(pager.page == settled && pager.progress == Double(settled) && pager.axis == nil)
    }

    @Test func `the pages follow the finger one to one, to the neighbors and not past the ends`() {
        var pager = Self.make()
        pager.begin()
        for (x, progress) in [(-39.3, 1.1), (-196.5, 1.5), (196.5, 0.5), (-393, 2), (-800, 2), (800, 0), (0, 1)] {
            pager.drag(x: x, y: 3)
            #expect(abs(pager.progress - progress) < 1e-9)
        }
        var single = Self.make(page: 0, of: 1)
        single.drag(x: -200, y: 0)
        #expect(single.progress == 0 && single.end(velocity: -900) == 0)
    }

    @Test(
        arguments: [
            ([(9.9, 0)], nil), ([(9, 9), (10, 9)], .horizontal), ([(-10, 9)], .horizontal), ([(9, 10)], .vertical),
            ([(10, 10)], .vertical), ([(0, -10), (300, -10)], .vertical), ([(10, 0), (10, 300)], .horizontal),
        ] as [([(Double, Double)], PagerModel.Axis?)]
    )
    func `the first ten points tell the axis, and it stays`(_ moves: [(Double, Double)], _ axis: PagerModel.Axis?) {
        var pager = Self.make()
        pager.begin()
        for (x, y) in moves { pager.drag(x: x, y: y) }
        #expect(pager.axis == axis)
        if axis != .horizontal {
            #expect(pager.progress == 1 && pager.end(velocity: 5000) == 1)
        }
        pager.begin()
        #expect(pager.axis == nil)
    }

    @Test func `sessions that come and go keep the page in what there is`() {
        var pager = Self.make(page: 2)
        pager.drag(x: 100, y: 0)
        pager.update(pageCount: 5, page: 2)
        #expect(pager.axis == .horizontal && pager.progress < 2)
        pager.update(pageCount: 2, page: 2)
        #expect(pager.page == 1 && pager.progress == 1 && pager.axis == nil)
        pager.update(pageCount: 0, page: -1)
        #expect(pager.pageCount == 1 && pager.page == 0)
        pager.drag(x: -200, y: 0)
        pager.cancel()
        #expect(pager.progress == 0 && pager.axis == nil)
    }

    @Test func `whatever a finger does, there is a page, and it is a neighbor`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let count = Int.random(in: 1...6, using: &generator)
            let width = [0, 1, 393, 1024].randomElement(using: &generator) ?? 393
            var pager = PagerModel(pageCount: count, page: .random(in: -1...7, using: &generator), width: Double(width))
            let before = pager.page
            pager.begin()
            var latched: PagerModel.Axis?
            for _ in 0..<Int.random(in: 0...8, using: &generator) {
                let moves = [Double.nan, .infinity, .random(in: -2000...2000, using: &generator)]
                pager.drag(
                    x: moves.randomElement(using: &generator) ?? 0,
                    y: .random(in: -2000...2000, using: &generator)
                )
                #expect(latched == nil || pager.axis == latched)
                latched = pager.axis
                #expect((0...Double(count - 1)).contains(pager.progress) && abs(pager.progress - Double(before)) <= 1)
            }
            let settled = pager.end(velocity: .random(in: -3000...3000, using: &generator))
            #expect((0..<count).contains(settled) && abs(settled - before) <= 1)
        }
    }
}
