// Riff
// SPDX-License-Identifier: Apache-2.0

/// How many cells a character takes: 0, 1 or 2.
package enum CharacterWidth {
    /// The width of a scalar. Controls take none.
    package static func of(_ scalar: UInt32) -> Int {
        if scalar < 0x300 { return scalar < 0x20 || (0x7F..<0xA0).contains(scalar) ? 0 : 1 }
        guard scalar < 0x11_0000 else { return 1 }
        let page = pages[Int(scalar >> 8)]
        return Int(widths[Int(page) << 8 | Int(scalar & 0xFF)])
    }

    /// For each 256 characters, which run of 256 widths is theirs; equal runs are kept once.
    private static let (pages, widths): ([UInt8], [UInt8]) = {
        var all = [UInt8](repeating: 1, count: 0x11_0000)
        for (ranges, width) in [(zeroRanges, UInt8(0)), (wideRanges, UInt8(2))] {
            for index in stride(from: 0, to: ranges.count, by: 2) {
                for scalar in Int(ranges[index])...Int(ranges[index + 1]) { all[scalar] = width }
            }
        }
        var pages: [UInt8] = []
        var widths: [UInt8] = []
        var known: [ArraySlice<UInt8>: UInt8] = [:]
        for start in stride(from: 0, to: all.count, by: 256) {
            let run = all[start..<start + 256]
            let page = known[run] ?? UInt8(widths.count / 256)
            if known[run] == nil {
                known[run] = page
                widths += run
            }
            pages.append(page)
        }
        return (pages, widths)
    }()
}
