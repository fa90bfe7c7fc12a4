// Riff
// SPDX-License-Identifier: Apache-2.0

/// The attributes that few cells have: a link, and an underline of its own color.
struct CellExtra: Hashable {
    var link: ScreenLink?
    var underlineColor = ScreenColor.standard

    /// The approximate number of bytes that it takes.
    var bytes: Int { link.map { $0.uri.utf8.count + ($0.id?.utf8.count ?? 0) + 64 } ?? 0 }

    var isEmpty: Bool { link == nil && underlineColor == .standard }
}

/// The extras in use, each once; index 0 is the empty one. Bounded in number and in bytes.
struct ExtraTable {
    private var extras: [CellExtra] = [CellExtra()]
    private var indices: [CellExtra: UInt16] = [:]
    private var bytes = 0
    /// When the screen looks for those that are not shown.
    var sweeps = SweepBudget()

    /// The most bytes of links.
    static let maximumBytes = 16 << 20

    var count: Int { extras.count }
    var isFull: Bool { extras.count > Int(UInt16.max) || bytes > Self.maximumBytes }

    subscript(index: UInt16) -> CellExtra { Int(index) < extras.count ? extras[Int(index)] : CellExtra() }

    /// The index of an extra; `nil` when the table is full.
    mutating func index(of extra: CellExtra) -> UInt16? {
        guard !extra.isEmpty else { return 0 }
        if let index = indices[extra] { return index }
        guard !isFull else { return nil }
        let index = UInt16(extras.count)
        extras.append(extra)
        indices[extra] = index
        bytes += extra.bytes
        sweeps.took()
        return index
    }

    /// Keeps the given ones alone.
    ///
    /// - Returns: The new index of each old one.
    mutating func keep(_ used: Set<UInt16>) -> [UInt16: UInt16] {
        let old = extras
        var moved: [UInt16: UInt16] = [0: 0]
        extras = [CellExtra()]
        indices = [:]
        bytes = 0
        for index in used.sorted() where index != 0 && Int(index) < old.count {
            moved[index] = UInt16(extras.count)
            indices[old[Int(index)]] = UInt16(extras.count)
            extras.append(old[Int(index)])
            bytes += old[Int(index)].bytes
        }
        return moved
    }
}
