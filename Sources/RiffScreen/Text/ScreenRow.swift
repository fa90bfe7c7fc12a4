// Riff
// SPDX-License-Identifier: Apache-2.0

/// A row of cells.
public struct ScreenRow: Sendable, Hashable {
    /// Its cells from the left.
    public var cells: [ScreenCell]
    /// Whether its text continues in the next row because the screen was too narrow.
    public var isWrapped: Bool

    /// Creates a row.
    public init(cells: [ScreenCell], isWrapped: Bool = false) {
        self.cells = cells
        self.isWrapped = isWrapped
    }
}
