// Riff
// SPDX-License-Identifier: Apache-2.0

/// The number of times that each label is in brackets in the complete blocks.
///
/// References to one long destination must not make megabytes of each kilobyte, so they are counted
/// (``LinkAllowance``). What counts is the text alone: neither whether a bracket became a link, nor which definitions
/// had come when a block was read. So it makes no difference how the text was cut, and how often a block was read anew.
struct LinkMentions: Sendable {
    /// The counts so far.
    private(set) var counts: [LinkLabel: Int] = [:]

    /// Counts the labels of a block.
    ///
    /// - Returns: How often those stand in the blocks before.
    mutating func add(_ block: FinishedBlock) -> [LinkLabel: Int] {
        var before: [LinkLabel: Int] = [:]
        block.text.withUnsafeBufferPointer { bytes in
            for node in block.nodes where node.tag.holdsInlines {
                Self.forEachLabel(in: bytes, node.textRange) { label in
                    let count = counts[label] ?? 0
                    if before[label] == nil { before[label] = count }
                    counts[label] = count + 1
                }
            }
        }
        return before
    }

    /// Visits the texts between brackets without a bracket inside: no other text can name a definition.
    private static func forEachLabel(in bytes: Bytes, _ range: Range<Int>, _ visit: (LinkLabel) -> Void) {
        guard bytes.firstPlace(of: UInt8(ascii: "["), in: range) != nil else { return }
        var start: Int?
        var at = range.lowerBound
        while at < range.upperBound {
            switch bytes[at] {
            case .backslash: at += 1
            case UInt8(ascii: "["): start = at + 1
            case UInt8(ascii: "]"):
                if let start, let label = LinkLabel(bytes[start..<at]) { visit(label) }
                start = nil
            default: break
            }
            at += 1
        }
    }
}

/// The amount of text that the references of a text that is read may still add.
///
/// The first mention of a label always counts. The later ones are charged with what the definition has beyond
/// ``freeBytes``, and all mentions of a label together up to ``mostBytes``. So k later mentions of a label whose
/// definition has s bytes make min(k·s, mostBytes) ≤ √(k·s·mostBytes), and those of all labels, by the inequality of
/// Cauchy and Schwarz, √mostBytes·√(Σk·Σs). In a text of n bytes, where a mention takes three, that is at most 92 times
/// n; with the first mentions and what is free it is less than 130 times n. The cost stays linear.
struct LinkAllowance: Sendable {
    /// So much of a definition is free: hardly an address of a page is longer.
    static let freeBytes = 100
    /// The most bytes that the references to one label add together, beyond that.
    static let mostBytes = 100_000

    /// The number of times that labels occur in the text before.
    private let before: [LinkLabel: Int]
    /// The references in this text to definitions that are not free.
    private var used: [LinkLabel: Int] = [:]

    init(before: [LinkLabel: Int] = [:]) { self.before = before }

    /// Takes a reference to a definition; false if there were too many.
    mutating func take(_ definition: LinkDefinition) -> Bool {
        let charge = definition.destination.count + definition.title.count - Self.freeBytes
        guard charge > 0 else { return true }
        let count = (used[definition.label] ?? before[definition.label] ?? 0) + 1
        guard count == 1 || count * charge <= Self.mostBytes else { return false }
        used[definition.label] = count
        return true
    }
}
