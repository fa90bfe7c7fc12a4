// Riff
// SPDX-License-Identifier: Apache-2.0

/// Which `(` of a text may begin a link's destination: those behind which the parentheses come in pairs up to the `)`
/// that ends it, or up to a space. Found for all of them in one pass, at the first question.
struct LinkParentheses {
    /// A destination's parentheses nest no deeper (as in cmark).
    static let deepest = 32

    private var balanced: [Bool]?

    /// Whether a destination that begins right behind the `(` at an index ends with its parentheses in pairs.
    mutating func isBalanced(behind index: Int, in scalars: [UInt32]) -> Bool {
        let balanced = balanced ?? Self.balanced(in: scalars)
        self.balanced = balanced
        return balanced[index]
    }

    private static func balanced(in scalars: [UInt32]) -> [Bool] {
        var balanced = [Bool](repeating: false, count: scalars.count)
        // Those that are open, each with how deep the parentheses inside of it nest so far.
        var open: [(index: Int, depth: Int)] = []
        scalars.withUnsafeBufferPointer { scalars in
            var index = 0
            while index < scalars.count {
                switch scalars[index] {
                case ...0x20, 0x7F:
                    if let last = open.last { balanced[last.index] = last.depth <= deepest }
                    open.removeAll(keepingCapacity: true)
                case 0x28: open.append((index, 0))
                case 0x29:
                    guard let closed = open.popLast() else { break }
                    balanced[closed.index] = closed.depth <= deepest
                    if !open.isEmpty { open[open.count - 1].depth = max(open[open.count - 1].depth, closed.depth + 1) }
                case 0x5C:
                    if index + 1 < scalars.count, MarkdownLinkScanner.isPunctuation(scalars[index + 1]) { index += 1 }
                default: break
                }
                index += 1
            }
        }
        if let last = open.last { balanced[last.index] = last.depth <= deepest }
        return balanced
    }
}
