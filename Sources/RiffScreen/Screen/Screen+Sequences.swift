// Riff
// SPDX-License-Identifier: Apache-2.0

extension Screen {
    /// A control sequence: `CSI`, parameters, and a final byte.
    mutating func sequence(_ final: UInt8) {
        if final == UInt8(ascii: "m"), parser.marker == 0, parser.intermediate == 0 { return selectGraphics() }
        switch (parser.marker, parser.intermediate) {
        case (0, 0): plainSequence(final)
        case (UInt8(ascii: "?"), 0): privateSequence(final)
        case (UInt8(ascii: ">"), 0): secondarySequence(final)
        case (UInt8(ascii: "<"), 0), (UInt8(ascii: "="), 0):
            if final == UInt8(ascii: "u") { requestKeys(final) }
        case (0, UInt8(ascii: " ")) where final == UInt8(ascii: "q"): setCursorShape()
        case (0, UInt8(ascii: "!")) where final == UInt8(ascii: "p"): softReset()
        case (_, UInt8(ascii: "$")) where final == UInt8(ascii: "p"): reportMode()
        default: break
        }
    }

    private mutating func plainSequence(_ final: UInt8) {
        let parameters = parser.parameters
        let count = parameters.countValue()
        switch final {
        case UInt8(ascii: "@"): insertCells(count, background: pen.background)
        case UInt8(ascii: "A"): moveUp(count)
        case UInt8(ascii: "B"), UInt8(ascii: "e"): moveDown(count)
        case UInt8(ascii: "C"), UInt8(ascii: "a"): cursor.column = min(cursor.column + count, columns - 1)
        case UInt8(ascii: "D"): cursor.column = max(cursor.column - count, 0)
        case UInt8(ascii: "E"):
            moveDown(count)
            cursor.column = 0
        case UInt8(ascii: "F"):
            moveUp(count)
            cursor.column = 0
        case UInt8(ascii: "G"), UInt8(ascii: "`"): move(column: count - 1)
        case UInt8(ascii: "H"), UInt8(ascii: "f"):
            move(row: count - 1, column: parameters.countValue(1) - 1, inRegion: true)
        case UInt8(ascii: "I"): for _ in 0..<min(count, columns) { cursor.column = tabStops.next(after: cursor.column) }
        case UInt8(ascii: "J"): eraseDisplay(parameters.value(0))
        case UInt8(ascii: "K"): eraseLine(parameters.value(0))
        case UInt8(ascii: "L"): insertLines(count)
        case UInt8(ascii: "M"): deleteLines(count)
        case UInt8(ascii: "P"): deleteCells(count)
        case UInt8(ascii: "S"): scrollUp(count)
        case UInt8(ascii: "T") where parameters.count < 5: scrollDown(count)
        case UInt8(ascii: "X"): eraseCells(count)
        case UInt8(ascii: "Z"):
            for _ in 0..<min(count, columns) { cursor.column = tabStops.previous(before: cursor.column) }
        case UInt8(ascii: "b"): repeatLast(count)
        case UInt8(ascii: "c"): reply("\u{1B}[?62;22c")
        case UInt8(ascii: "d"): move(row: count - 1, inRegion: true)
        case UInt8(ascii: "g"):
            if parameters.value(0) == 3 { tabStops.clearAll() }
            if parameters.value(0) == 0 { tabStops.clear(cursor.column) }
        case UInt8(ascii: "h"), UInt8(ascii: "l"): setModes(final == UInt8(ascii: "h"))
        case UInt8(ascii: "m"): selectGraphics()
        case UInt8(ascii: "n"): reportStatus()
        case UInt8(ascii: "r"): setRegion()
        case UInt8(ascii: "s"): save()
        case UInt8(ascii: "t"): reportSize()
        case UInt8(ascii: "u"): restore()
        default: break
        }
    }

    private mutating func privateSequence(_ final: UInt8) {
        switch final {
        case UInt8(ascii: "h"), UInt8(ascii: "l"): setPrivateModes(final == UInt8(ascii: "h"))
        // DECSED and DECSEL: no cell is protected here.
        case UInt8(ascii: "J"): eraseDisplay(parser.parameters.value(0))
        case UInt8(ascii: "K"): eraseLine(parser.parameters.value(0))
        case UInt8(ascii: "n"):
            let row = cursor.row + 1
            if parser.parameters.value(0) == 6 { reply("\u{1B}[?\(row);\(min(cursor.column, columns - 1) + 1)R") }
        case UInt8(ascii: "u"): reply("\u{1B}[?\(keyboard.flags(isAlternate: isAlternate))u")
        default: break
        }
    }

    private mutating func secondarySequence(_ final: UInt8) {
        switch final {
        case UInt8(ascii: "c"): reply("\u{1B}[>1;0;0c")
        case UInt8(ascii: "q"): reply("\u{1B}P>|Riff\u{1B}\\")
        case UInt8(ascii: "m"), UInt8(ascii: "n"), UInt8(ascii: "u"): requestKeys(final)
        default: break
        }
    }

    /// XTMODKEYS and kitty's keyboard protocol.
    private mutating func requestKeys(_ final: UInt8) {
        keyboard.take(parser.marker, final, parser.parameters, isAlternate: isAlternate)
        modes.keyForm = keyboard.form(isAlternate: isAlternate)
    }

    /// Sets the scrolling region (DECSTBM). The cursor goes to the first cell of the screen.
    private mutating func setRegion() {
        let top = min(parser.parameters.countValue(0), rowCount) - 1
        let bottom = min(max(parser.parameters.value(1, default: rowCount), 1), rowCount) - 1
        guard top < bottom else { return }
        region = top...bottom
        cursor.row = 0
        cursor.column = 0
    }

    /// Sets the shape of the cursor (DECSCUSR).
    private mutating func setCursorShape() {
        let number = parser.parameters.value(0)
        let shapes: [ScreenCursor.Shape] = [.standard, .block, .block, .underline, .underline, .bar, .bar]
        guard number < shapes.count else { return }
        cursor.shape = shapes[number]
        cursor.isBlinking = number % 2 == 1
    }

    /// Resets the terminal softly (DECSTR).
    private mutating func softReset() {
        pen = Pen()
        saved = SavedState()
        charsets = Charsets()
        region = 0...rowCount - 1
        modes.origin = false
        modes.insert = false
        modes.autoWrap = true
        modes.cursorVisible = true
        modes.applicationCursorKeys = false
        modes.applicationKeypad = false
    }
}
