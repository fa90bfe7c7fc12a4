// Riff
// SPDX-License-Identifier: Apache-2.0

/// Looks for the openers of closers, and remembers where none is.
struct OpenerSearch {
    private let bottom: Int32
    /// By mark and length modulo three: the delimiter before the last closer that found none. A search ends there, even
    /// one that would find an opener below; so cmark has it, and if the delimiter is gone, so is the bound.
    private var stops = [Int32](repeating: -1, count: 9)
    /// By mark, length modulo three and whether the closer may open: at or below it there is surely no opener. It keeps
    /// the time linear where the bounds above are gone.
    private var bottoms: [Int32]
    /// By length modulo three and whether the closer may open: an opener of tildes whose length does not fit, and the
    /// closer from which it was found. No other is between them.
    private var unequal = [(closer: Int32, opener: Int32)](repeating: (-1, -1), count: 6)

    init(bottom: Int32) {
        self.bottom = bottom
        bottoms = [Int32](repeating: bottom, count: 18)
    }

    private func slot(_ delimiter: Delimiter) -> Int {
        let row = delimiter.mark == UInt8(ascii: "*") ? 0 : delimiter.mark == UInt8(ascii: "_") ? 3 : 6
        return row + Int(delimiter.length % 3)
    }

    /// The nearest opener for a closer, or -1.
    mutating func opener(of index: Int32, in delimiters: [Delimiter]) -> Int32 {
        let closer = delimiters[Int(index)]
        let slot = slot(closer)
        let exact = slot + (closer.canOpen ? 9 : 0)
        let known = unequal[Int(closer.length % 3) + (closer.canOpen ? 3 : 0)]
        let isTilde = closer.mark == UInt8(ascii: "~")
        var at = closer.previous
        while at > bottoms[exact], at != stops[slot] {
            if isTilde, at <= known.closer, at > known.opener, !delimiters[Int(known.opener)].isRemoved {
                return known.opener
            }
            let opener = delimiters[Int(at)]
            if opener.canOpen, opener.mark == closer.mark {
                // CommonMark's rule of three.
                let mayBoth = closer.canOpen || opener.canClose
                if !mayBoth || closer.length % 3 == 0 || (opener.length + closer.length) % 3 != 0 { return at }
            }
            at = opener.previous
        }
        if at <= bottoms[exact] { bottoms[exact] = closer.previous }
        stops[slot] = closer.previous
        return -1
    }

    /// An opener of tildes is longer or shorter than its closer: there is no pair.
    mutating func noteUnequal(_ opener: Int32, _ index: Int32, _ closer: Delimiter) {
        unequal[Int(closer.length % 3) + (closer.canOpen ? 3 : 0)] = (index, opener)
    }
}
