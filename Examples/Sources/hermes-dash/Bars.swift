// Riff
// SPDX-License-Identifier: Apache-2.0

/// Charts of characters.
package enum Bars {
    private static let eighths = Array(" ▏▎▍▌▋▊▉█")
    private static let steps = Array("▁▂▃▄▅▆▇█")

    /// A bar as long as its share of the longest.
    ///
    /// - Parameters:
    ///   - value: Its value.
    ///   - longest: The largest value of the chart, which is as wide as all.
    ///   - width: How many characters that is.
    /// - Returns: The bar; something for whatever is not nothing, and nothing for nothing.
    package static func bar(_ value: Double, of longest: Double, width: Int) -> String {
        guard value > 0, longest > 0, width > 0 else { return "" }
        let length = max(1, Int((min(value / longest, 1) * Double(width * 8)).rounded()))
        let rest = length % 8
        return String(repeating: "█", count: length / 8) + (rest > 0 ? String(eighths[rest]) : "")
    }

    /// Columns beside each other, each as high as its share of the highest; nothing is a blank.
    package static func columns(_ values: [Double]) -> String {
        let highest = values.max() ?? 0
        return String(
            values.map { value in
                guard value > 0, highest > 0 else { return " " }
                return steps[min(Int(value / highest * 8), 7)]
            }
        )
    }
}
