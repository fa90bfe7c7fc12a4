// Riff
// SPDX-License-Identifier: Apache-2.0

extension Screen {
    /// SM and RM.
    mutating func setModes(_ isOn: Bool) {
        for index in 0..<parser.parameters.count {
            switch parser.parameters.value(index) {
            case 4: modes.insert = isOn
            case 20: modes.newLine = isOn
            case 34: cursor.isBlinking = !isOn
            default: break
            }
        }
    }

    /// DECSET and DECRST.
    mutating func setPrivateModes(_ isOn: Bool) {
        for index in 0..<parser.parameters.count { setPrivateMode(parser.parameters.value(index), isOn) }
    }

    private mutating func setPrivateMode(_ number: Int, _ isOn: Bool) {
        switch number {
        case 1: modes.applicationCursorKeys = isOn
        case 3:
            // The width stays; what comes with its change happens.
            move(row: 0, column: 0, inRegion: true)
            eraseDisplay(2)
        case 6:
            modes.origin = isOn
            move(row: 0, column: 0, inRegion: true)
        case 7: modes.autoWrap = isOn
        case 12: cursor.isBlinking = isOn
        case 25: modes.cursorVisible = isOn
        case 47, 1047:
            if isOn { enterAlternate(savingCursor: false) } else { leaveAlternate(restoringCursor: false) }
        case 1000: modes.mouse = isOn ? .buttons : .off
        case 1002: modes.mouse = isOn ? .drag : .off
        case 1003: modes.mouse = isOn ? .motion : .off
        case 1004: modes.focusReports = isOn
        case 1006: modes.sgrMouse = isOn
        case 1048: if isOn { save() } else { restore() }
        case 1049: if isOn { enterAlternate(savingCursor: true) } else { leaveAlternate(restoringCursor: true) }
        case 2004: modes.bracketedPaste = isOn
        case 2026: modes.synchronizedOutput = isOn
        default: break
        }
    }

    // MARK: The alternate screen

    private mutating func enterAlternate(savingCursor: Bool) {
        guard beneath == nil else { return }
        if savingCursor { beforeAlternate.place = (cursor.row, cursor.column) }
        beforeAlternate.pen = pen
        grid.unwrap(before: 0)
        beneath = grid
        grid = Grid(columns: columns, rows: rowCount, keepsHistory: false, historyLimit: 0)
        modes.keyForm = keyboard.form(isAlternate: true)
        changes.touchAll(rows: rowCount)
    }

    private mutating func leaveAlternate(restoringCursor: Bool) {
        let size = size
        if let beneath { resizeGrid(to: beneath.size, rewrapping: false) }
        if restoringCursor, let place = beforeAlternate.place {
            (cursor.row, cursor.column) = place
            pen = beforeAlternate.pen
        }
        if let beneath {
            grid = beneath
            self.beneath = nil
            modes.keyForm = keyboard.form(isAlternate: false)
            resizeGrid(to: size, rewrapping: true)
            changes.touchAll(rows: rowCount)
        }
        cursor.row = min(cursor.row, rowCount - 1)
        cursor.column = min(cursor.column, columns - 1)
    }

    // MARK: Reports

    /// Reports the device status (DSR).
    mutating func reportStatus() {
        switch parser.parameters.value(0) {
        case 5: reply("\u{1B}[0n")
        case 6: reply("\u{1B}[\(cursor.row + 1);\(min(cursor.column, columns - 1) + 1)R")
        default: break
        }
    }

    /// Reports a mode (DECRQM).
    mutating func reportMode() {
        let number = parser.parameters.value(0)
        guard parser.marker == UInt8(ascii: "?") else {
            let known: [Int: Bool] = [4: modes.insert, 20: modes.newLine]
            return reply("\u{1B}[\(number);\(known[number].map { $0 ? 1 : 2 } ?? 0)$y")
        }
        let known: [Int: Bool] = [
            1: modes.applicationCursorKeys, 6: modes.origin, 7: modes.autoWrap, 25: modes.cursorVisible,
            1000: modes.mouse == .buttons, 1002: modes.mouse == .drag, 1003: modes.mouse == .motion,
            1004: modes.focusReports, 1006: modes.sgrMouse, 1049: isAlternate, 2004: modes.bracketedPaste,
            2026: modes.synchronizedOutput,
        ]
        reply("\u{1B}[?\(number);\(known[number].map { $0 ? 1 : 2 } ?? 0)$y")
    }

    /// XTWINOPS, of which only the size in cells is answered.
    mutating func reportSize() {
        if parser.parameters.value(0) == 18 { reply("\u{1B}[8;\(rowCount);\(columns)t") }
    }
}
