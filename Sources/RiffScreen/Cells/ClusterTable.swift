// Riff
// SPDX-License-Identifier: Apache-2.0

/// The texts of cells that hold more than one scalar, each once.
///
/// Bounded: when it is full the screen sweeps out those that no cell shows any more.
struct ClusterTable {
    /// The most UTF-8 bytes of one cluster; what would make it longer is dropped. It is tmux's number.
    static let maximumBytes = 21
    /// The most clusters: more would need more than a megabyte or two for nothing a person sees.
    static let capacity = 1 << 16

    private var texts: [String] = []
    private var indices: [String: UInt32] = [:]
    /// Which cluster a cell's content and a scalar make, where that is known: no text has to be made to find it.
    private var joined: [UInt64: UInt32] = [:]
    /// When the screen looks for those that are not shown.
    var sweeps = SweepBudget()

    var count: Int { texts.count }
    var isFull: Bool { texts.count >= Self.capacity }

    func text(_ index: Int) -> String { index < texts.count ? texts[index] : "\u{FFFD}" }

    /// The index of the cluster that a content (a cell's ``Cell/glyph``) and what is added to it make; `nil` where it
    /// was not made before.
    func index(of content: UInt32, adding key: UInt32) -> UInt32? { joined[UInt64(content) << 32 | UInt64(key)] }

    mutating func remember(_ index: UInt32, for content: UInt32, adding key: UInt32) {
        if joined.count >= Self.capacity { joined.removeAll() }
        joined[UInt64(content) << 32 | UInt64(key)] = index
    }

    /// The index of a text; `nil` when the table is full.
    mutating func index(of text: String) -> UInt32? {
        if let index = indices[text] { return index }
        guard !isFull else { return nil }
        let index = UInt32(texts.count)
        texts.append(text)
        indices[text] = index
        sweeps.took()
        return index
    }

    /// Keeps the given ones alone.
    ///
    /// - Returns: The new index of each old one.
    mutating func keep(_ used: Set<UInt32>) -> [UInt32: UInt32] {
        let old = texts
        var moved: [UInt32: UInt32] = [:]
        texts = []
        indices = [:]
        joined = [:]
        for index in used.sorted() where Int(index) < old.count {
            moved[index] = UInt32(texts.count)
            indices[old[Int(index)]] = UInt32(texts.count)
            texts.append(old[Int(index)])
        }
        return moved
    }
}
