// Riff
// SPDX-License-Identifier: Apache-2.0

/// The number of a terminal's cells that text takes: the one table of the package, which a screen's cells, tables in
/// markdown and everything else that counts columns go by.
public enum CharacterWidth {
    /// Counts the cells that a text takes, as a screen lays it out: none for controls and marks, two for East Asian
    /// wide characters and emoji, and none for what a joiner (U+200D) puts into the character before it.
    ///
    /// - Parameter text: The text.
    /// - Returns: The number of cells.
    public static func of(_ text: some StringProtocol) -> Int {
        var count = TextWidth()
        return text.unicodeScalars.reduce(0) { $0 + count.width(of: $1.value) }
    }

    /// Returns the width of a single scalar: 0, 1 or 2. Controls take none.
    package static func of(_ scalar: UInt32) -> Int {
        if scalar < 0x300 { return scalar < 0x20 || (0x7F..<0xA0).contains(scalar) ? 0 : 1 }
        guard scalar < 0x11_0000 else { return 1 }
        let page = pages[Int(scalar >> 8)]
        return Int(widths[Int(page) << 8 | Int(scalar & 0xFF)])
    }

    /// ZERO WIDTH JOINER: the next character belongs to the one before it. Alone it is nothing.
    package static let joiner: UInt32 = 0x200D

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

/// The width of a text's scalars, one after another: a scalar that follows a joiner takes no cell of its own.
package struct TextWidth {
    private var isJoining = false

    package init() {}

    /// The cells that the next scalar takes.
    package mutating func width(of scalar: UInt32) -> Int {
        let joins = isJoining && scalar >= 0xA0
        isJoining = scalar == CharacterWidth.joiner || isJoining && (0x7F..<0xA0).contains(scalar)
        return joins || scalar == CharacterWidth.joiner ? 0 : CharacterWidth.of(scalar)
    }
}
