// Riff
// SPDX-License-Identifier: Apache-2.0

/// Finds `[label](destination "title")` in one pass over a text, with the rules of CommonMark's inline links.
struct MarkdownLinkScanner {
    struct Found {
        /// From the `[`, or the `!` before it, to the `)`.
        var range: Range<Int>
        var destination: [UInt32]
    }

    private struct Opener {
        var index: Int
        var isImage: Bool
    }

    private static let longest = 2083

    private let scalars: [UInt32]
    private var openers: [Opener] = []
    /// The index of the first opener that can make a link: one before it cannot any more, as a link is inside of it.
    private var firstActive = 0
    private var found: [Found] = []
    private var parentheses = LinkParentheses()

    private init(_ scalars: [UInt32]) { self.scalars = scalars }

    /// The links in their order; none overlaps another.
    static func links(in scalars: [UInt32]) -> [Found] {
        var scanner = MarkdownLinkScanner(scalars)
        scanner.scan()
        return scanner.found
    }

    private mutating func scan() {
        // Without a "](" there is none.
        guard hasMiddle else { return }
        var index = 0
        while index < scalars.count {
            switch scalars[index] {
            case 0x5C: index += 1
            case 0x5B: openers.append(Opener(index: index, isImage: index > 0 && scalars[index - 1] == 0x21))
            case 0x5D: index = close(at: index)
            default: break
            }
            index += 1
        }
    }

    private var hasMiddle: Bool {
        scalars.withUnsafeBufferPointer { scalars in
            for index in scalars.indices.dropLast() where scalars[index] == 0x5D && scalars[index + 1] == 0x28 {
                return true
            }
            return false
        }
    }

    /// - Returns: The index of the last character that is read now.
    private mutating func close(at index: Int) -> Int {
        guard let opener = openers.popLast() else { return index }
        let isActive = openers.count >= firstActive
        firstActive = min(firstActive, openers.count)
        guard isActive, let (destination, end) = destination(after: index) else { return index }
        let start = opener.isImage ? opener.index - 1 : opener.index
        while let last = found.last, last.range.lowerBound >= start { found.removeLast() }
        found.append(Found(range: start..<end, destination: destination))
        // A link holds no links; only a picture may stand in one.
        if !opener.isImage { firstActive = openers.count }
        return end - 1
    }

    /// Returns the destination in the parentheses after a label.
    private mutating func destination(after label: Int) -> (destination: [UInt32], end: Int)? {
        var index = label + 1
        guard character(index) == 0x28 else { return nil }
        index = skipSpace(index + 1)
        var destination: [UInt32] = []
        let isAngled = character(index) == 0x3C
        let isSpaced = index > label + 2
        guard isAngled ? angled(&index, &destination) : plain(&index, &destination, isSpaced: isSpaced) else {
            return nil
        }
        let afterDestination = index
        index = skipSpace(index)
        if character(index) == 0x29 { return (destination, index + 1) }
        guard index > afterDestination, skipTitle(&index) else { return nil }
        index = skipSpace(index)
        return character(index) == 0x29 ? (destination, index + 1) : nil
    }

    /// `<destination with spaces>`.
    private func angled(_ index: inout Int, _ destination: inout [UInt32]) -> Bool {
        index += 1
        while let next = character(index), next != 0x3C, destination.count < Self.longest {
            if next == 0x3E {
                index += 1
                return true
            }
            take(&index, &destination)
        }
        return false
    }

    /// A destination without spaces, its parentheses in pairs.
    private mutating func plain(_ index: inout Int, _ destination: inout [UInt32], isSpaced: Bool) -> Bool {
        guard isSpaced ? hasBalance(from: index) : parentheses.isBalanced(behind: index - 1, in: scalars) else {
            return false
        }
        var depth = 0
        while let next = character(index), next > 0x20, next != 0x7F, destination.count < Self.longest {
            if next == 0x28 {
                depth += 1
            } else if next == 0x29 {
                if depth == 0 { break }
                depth -= 1
            }
            take(&index, &destination)
        }
        return depth == 0
    }

    /// Whether a destination behind a space would end with its parentheses in pairs. No two of these look at the same
    /// text, as each begins and ends at a space.
    private func hasBalance(from start: Int) -> Bool {
        var (index, depth) = (start, 0)
        while let next = character(index), next > 0x20, next != 0x7F {
            switch next {
            case 0x28:
                depth += 1
                if depth > LinkParentheses.deepest { return false }
            case 0x29:
                if depth == 0 { return true }
                depth -= 1
            case 0x5C: if let escaped = character(index + 1), Self.isPunctuation(escaped) { index += 1 }
            default: break
            }
            index += 1
        }
        return depth == 0
    }

    /// Takes a character; a backslash takes the meaning of the punctuation behind it.
    private func take(_ index: inout Int, _ destination: inout [UInt32]) {
        if scalars[index] == 0x5C, let next = character(index + 1), Self.isPunctuation(next) { index += 1 }
        destination.append(scalars[index])
        index += 1
    }

    private func skipTitle(_ index: inout Int) -> Bool {
        let closers: [UInt32: UInt32] = [0x22: 0x22, 0x27: 0x27, 0x28: 0x29]
        guard let opener = character(index), let closer = closers[opener] else { return false }
        index += 1
        while let next = character(index), next != closer {
            if opener == 0x28, next == 0x28 { return false }
            index += next == 0x5C ? 2 : 1
        }
        index += 1
        return index <= scalars.count
    }

    private func skipSpace(_ start: Int) -> Int {
        var index = start
        while character(index) == 0x20 { index += 1 }
        return index
    }

    private func character(_ index: Int) -> UInt32? { index < scalars.count ? scalars[index] : nil }

    static func isPunctuation(_ scalar: UInt32) -> Bool {
        (0x21..<0x7F).contains(scalar) && !LinkCharacters.isAlphanumeric(scalar)
    }
}
