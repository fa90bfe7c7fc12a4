// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleFrontEnd
import RiffCore
import Testing

struct CellMetricsTests {
    private static let cell = CellMetrics(width: 8.4, height: 17)

    @Test(
        arguments: [
            // A phone's page with the keyboard down and up.
            (393, 852, ViewInsets(), 46, 50), (393, 516, ViewInsets(), 46, 30),
            (393, 852, ViewInsets(top: 59, left: 4, bottom: 34, right: 4), 45, 44),
            (393, 516, ViewInsets(top: 59), 46, 26),
            // Sums that come out a little below.
            (25.2, 51, ViewInsets(), 3, 3), (25.19, 50.99, ViewInsets(), 2, 2),
        ] as [(Double, Double, ViewInsets, Int, Int)]
    )
    func `a page is filled with whole cells`(
        _ width: Double,
        _ height: Double,
        _ insets: ViewInsets,
        _ columns: Int,
        _ rows: Int
    ) {
        let size = Self.cell.size(width: width, height: height, insets: insets)
        #expect(size?.columns == columns && size?.rows == rows)
    }

    @Test func `pixels are those of the cells`() {
        let size = CellMetrics(width: 8, height: 16, scale: 3).size(width: 100, height: 100)
        #expect(size == TerminalSize(columns: 12, rows: 6, pixelWidth: 288, pixelHeight: 288))
    }

    @Test(
        arguments: [
            (0, 0), (1, 1), (8.4, 852), (393, 33), (-5, 852), (.nan, 852), (393, .infinity), (1e300, 1e300),
        ] as [(Double, Double)]
    )
    func `a view that is not laid out has no size`(_ width: Double, _ height: Double) {
        #expect(Self.cell.size(width: width, height: height) == nil)
    }

    @Test(arguments: [(0, 17), (8, 0), (-8, 17), (.nan, 17), (8, 17)] as [(Double, Double)])
    func `a cell without a size gives none`(_ width: Double, _ height: Double) {
        let cell = CellMetrics(width: width, height: height, scale: width == 8 && height == 17 ? .infinity : 1)
        #expect(cell.size(width: 393, height: 852) == nil)
    }
}

struct ViewInsetsTests {
    @Test func `at a cold launch without a key window the view's own inset is the indicator's`() {
        let indicator = ViewInsets.homeIndicatorInset(windowInset: 0, proxyInset: 34)
        #expect(indicator == 34)
        #expect(ViewInsets.keyboardLift(bottomInset: 34, homeIndicatorInset: 0) == 34)
        #expect(ViewInsets.keyboardLift(bottomInset: 34, homeIndicatorInset: indicator) == 0)
    }

    @Test func `the key window knows better than the view`() {
        let indicator = ViewInsets.homeIndicatorInset(windowInset: 34, proxyInset: 336)
        #expect(indicator == 34)
        #expect(ViewInsets.keyboardLift(bottomInset: 336, homeIndicatorInset: indicator) == 302)
        #expect(ViewInsets.keyboardLift(bottomInset: 0, homeIndicatorInset: indicator) == 0)
    }
}
