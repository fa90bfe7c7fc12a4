// Riff
// SPDX-License-Identifier: Apache-2.0

extension Screen {
    /// A C0 control.
    mutating func control(_ byte: UInt8) {
        switch byte {
        case 0x07: report(.bell)
        case 0x08: backspace()
        case 0x09: cursor.column = tabStops.next(after: cursor.column)
        case 0x0A, 0x0B, 0x0C:
            lineFeed(background: pen.background)
            if modes.newLine { cursor.column = 0 }
        case 0x0D: cursor.column = 0
        case 0x0E: charsets.usesSecond = true
        case 0x0F: charsets.usesSecond = false
        default: break
        }
    }

    /// An escape sequence: `ESC`, perhaps an intermediate, and a final byte.
    mutating func escape(_ final: UInt8) {
        switch (parser.intermediate, final) {
        case (0, UInt8(ascii: "7")): save()
        case (0, UInt8(ascii: "8")): restore()
        case (0, UInt8(ascii: "=")): modes.applicationKeypad = true
        case (0, UInt8(ascii: ">")): modes.applicationKeypad = false
        case (0, UInt8(ascii: "D")): lineFeed(background: pen.background)
        case (0, UInt8(ascii: "E")):
            cursor.column = 0
            lineFeed(background: pen.background)
        case (0, UInt8(ascii: "H")): tabStops.set(cursor.column)
        case (0, UInt8(ascii: "M")): reverseLineFeed()
        case (0, UInt8(ascii: "c")): reset()
        case (UInt8(ascii: "#"), UInt8(ascii: "8")): fillForAlignment()
        case (UInt8(ascii: "("), UInt8(ascii: "0")): charsets.isDrawing.0 = true
        case (UInt8(ascii: "("), UInt8(ascii: "B")): charsets.isDrawing.0 = false
        case (UInt8(ascii: ")"), UInt8(ascii: "0")): charsets.isDrawing.1 = true
        case (UInt8(ascii: ")"), UInt8(ascii: "B")): charsets.isDrawing.1 = false
        default: break
        }
    }

    // MARK: Lines

    /// Down one row; at the region's end its rows move up.
    mutating func lineFeed(background: ScreenColor) {
        if cursor.row == region.upperBound {
            grid.scrollUp(region, background: background)
            changes.touch(region)
        } else if cursor.row < rowCount - 1 {
            cursor.row += 1
        }
    }

    private mutating func reverseLineFeed() {
        if cursor.row == region.lowerBound {
            scrollDown(1)
        } else if cursor.row > 0 {
            cursor.row -= 1
        }
    }

    mutating func scrollUp(_ count: Int) {
        for _ in 0..<min(count, region.count) { grid.scrollUp(region, background: pen.background) }
        changes.touch(region)
    }

    mutating func scrollDown(_ count: Int) {
        for _ in 0..<min(count, region.count) { grid.insertRows(region, count: 1, background: pen.background) }
        changes.touch(region)
    }

    /// Moves the cursor to the left, and from the first column to the end of the row before if that one continues here.
    private mutating func backspace() {
        if cursor.column > 0 {
            cursor.column -= 1
        } else if cursor.row > 0, grid.rows[cursor.row - 1].isWrapped {
            cursor.row -= 1
            cursor.column = columns - 1
        }
    }

    // MARK: State

    mutating func save() {
        saved = SavedState(
            row: cursor.row,
            column: cursor.column,
            pen: pen,
            origin: modes.origin,
            charsets: charsets
        )
    }

    mutating func restore() {
        pen = saved.pen
        charsets = saved.charsets
        modes.origin = saved.origin
        move(row: saved.row, column: saved.column)
    }

    /// RIS: as new, but for the scrollback. The alternate screen, where it is shown, stays.
    mutating func reset() {
        pen = Pen()
        saved = SavedState()
        charsets = Charsets()
        modes = TerminalModes()
        keyboard = KeyboardRequests()
        tabStops = TabStops(columns: columns)
        region = 0...rowCount - 1
        cursor = ScreenCursor()
        clearScreen(background: .standard)
    }

    /// Fills the screen for alignment (DECALN).
    private mutating func fillForAlignment() {
        for row in grid.rows.indices {
            for column in 0..<columns { grid.rows[row].set(column, Pen().cell(UInt32(UInt8(ascii: "E")))) }
        }
        cursor.row = 0
        cursor.column = 0
        region = 0...rowCount - 1
        changes.touchAll(rows: rowCount)
    }

    // MARK: The cursor

    /// To a place, kept on the screen.
    mutating func move(row: Int? = nil, column: Int? = nil, inRegion: Bool = false) {
        if let row {
            if inRegion, modes.origin {
                cursor.row = min(region.lowerBound + row, region.upperBound)
            } else {
                cursor.row = min(max(row, 0), rowCount - 1)
            }
        }
        if let column { cursor.column = min(max(column, 0), columns - 1) }
    }

    mutating func moveUp(_ count: Int) {
        let top = cursor.row < region.lowerBound ? 0 : region.lowerBound
        cursor.column = min(cursor.column, columns - 1)
        cursor.row = max(cursor.row - count, top)
    }

    mutating func moveDown(_ count: Int) {
        let bottom = cursor.row > region.upperBound ? rowCount - 1 : region.upperBound
        cursor.column = min(cursor.column, columns - 1)
        cursor.row = min(cursor.row + count, bottom)
    }
}
