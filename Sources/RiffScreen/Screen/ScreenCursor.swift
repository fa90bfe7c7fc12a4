// Riff
// SPDX-License-Identifier: Apache-2.0

/// The place of the next character, and the look of that place.
public struct ScreenCursor: Sendable, Hashable {
    /// The shape of the cursor (DECSCUSR).
    public enum Shape: Sendable, Hashable {
        /// The renderer's own choice.
        case standard
        /// A filled cell.
        case block
        /// A line under the cell.
        case underline
        /// A line before the cell.
        case bar
    }

    /// The row, from 0 at the top of the screen.
    public internal(set) var row = 0
    /// The column, from 0. It equals the screen's columns after the last cell of a row was written: the next character
    /// then goes to the next row.
    public internal(set) var column = 0
    /// The shape of this cursor.
    public internal(set) var shape = Shape.standard
    /// Whether it blinks.
    public internal(set) var isBlinking = false
}
