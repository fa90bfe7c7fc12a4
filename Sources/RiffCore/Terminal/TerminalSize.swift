// Riff
// SPDX-License-Identifier: Apache-2.0

/// The size of a terminal in character cells, and in pixels where the front end knows them.
public struct TerminalSize: Sendable, Hashable, Codable {
    /// Cells in a row.
    public var columns: Int
    /// Rows of cells.
    public var rows: Int
    /// Width in pixels; 0 means unknown.
    public var pixelWidth: Int
    /// Height in pixels; 0 means unknown.
    public var pixelHeight: Int

    /// A size in cells.
    public init(columns: Int, rows: Int, pixelWidth: Int = 0, pixelHeight: Int = 0) {
        self.columns = columns
        self.rows = rows
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
    }

    /// 80 columns by 24 rows.
    public static let standard = TerminalSize(columns: 80, rows: 24)

    /// Whether a program could draw into it: 2 to 65,535 columns and rows. A view that is not laid out yet reports
    /// 0x0 or 1x1; such a size is never sent to a host.
    public var isUsable: Bool { (2...65_535).contains(columns) && (2...65_535).contains(rows) }
}
