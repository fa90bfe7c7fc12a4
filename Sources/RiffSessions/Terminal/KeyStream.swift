// Riff
// SPDX-License-Identifier: Apache-2.0

/// A parser that follows the bytes of a terminal's keyboard: where one key ends and the next begins, wherever the bytes
/// are split, and which of them were not pressed: reports of the mouse and of focus, and the terminal's own answers;
/// and whether a line was begun and not sent.
///
/// Printable input makes the line dirty, Return makes it clean; what stands between the marks of a bracketed paste
/// counts as text, line ends included. Deleting everything again leaves it dirty: only the program on the other side
/// knows what its line holds.
package struct KeyStream: Sendable, Hashable {
    /// The contents of one write.
    package struct Piece: Sendable, Hashable {
        /// Whether it begins where a key begins, and not within one, or within a paste.
        package var startsBetweenKeys = true
        /// Whether a person pressed any of it; also where it ends within what may yet become a key.
        package var holdsKeys = false
        /// Turns of the wheel in it; positive is up.
        package var wheelTicks = 0
        /// Whether a button of the mouse was pressed or let go in it.
        package var holdsClicks = false
        /// The last key, where it is a single byte and complete.
        package var lastKey: UInt8?
    }

    private enum State: Sendable, Hashable {
        case ground
        case character(remaining: Int)
        /// After the first byte of a C1 control in UTF-8, which may also begin a letter.
        case afterC2
        case escape
        case singleShift
        /// The stream is in a control sequence, with the bytes before its last one.
        case controlSequence([UInt8])
        /// In a string that ends with BEL or ST, with so many bytes.
        case string(count: Int, isAfterEscape: Bool)
        /// In an X10 mouse report.
        case mouse([UInt8])
    }

    /// A control sequence, and a string, that are longer than any of a terminal's are taken for garbage.
    private static let longestSequence = 64
    private static let longestString = 16 * 1024

    private var state = State.ground
    private var isPasting = false
    /// Whether there is unsent input.
    package private(set) var isDirty = false
    private var piece = Piece()

    /// A stream before its first byte.
    package init() {}

    /// Whether the next byte begins a key: something else may be written here.
    package var isBetweenKeys: Bool { state == .ground && !isPasting }
    /// Whether a bracketed paste is open.
    package var isInPaste: Bool { isPasting }

    /// Forgets the key and the paste that were begun, for another terminal; the line stays as dirty as it was.
    package mutating func restart() {
        state = .ground
        isPasting = false
    }

    /// Notes a text that reaches the line by another way, between keys.
    package mutating func noteText(_ bytes: [UInt8]) {
        var line = KeyStream()
        line.isDirty = isDirty
        _ = line.take(bytes)
        isDirty = line.isDirty
    }

    /// Takes the bytes of one write.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - reachesLine: Whether the program's line gets them, and not tmux.
    /// - Returns: What they hold.
    package mutating func take(_ bytes: some Sequence<UInt8>, reachesLine: Bool = true) -> Piece {
        let wasDirty = isDirty
        defer { if !reachesLine { isDirty = wasDirty } }
        piece = Piece(startsBetweenKeys: isBetweenKeys)
        for byte in bytes { take(byte) }
        // Alt with `]`, `P`, `X`, `^` or `_` begins as an answer of the terminal does, which never comes in such
        // pieces.
        if case .string(count: 0, _) = state { press(nil) }
        if state != .ground, !isInReport { piece.holdsKeys = true }
        return piece
    }

    private var isInReport: Bool {
        switch state {
        case .string, .mouse: true
        case .controlSequence(let parameters): parameters.first.map { "<?>".utf8.contains($0) } ?? false
        case .ground, .character, .afterC2, .escape, .singleShift: false
        }
    }

    private mutating func take(_ byte: UInt8) {
        switch (state, byte) {
        case (.ground, 0x1B): state = .escape
        case (.ground, 0xC2): press(nil, then: .afterC2)
        case (.ground, 0xC3...0xDF): begin(.character(remaining: 1))
        case (.ground, 0xE0...0xEF): begin(.character(remaining: 2))
        case (.ground, 0xF0...0xF4): begin(.character(remaining: 3))
        case (.ground, _):
            enter(byte)
            press(byte)
        case (.character(let remaining), 0x80..<0xC0):
            state = remaining > 1 ? .character(remaining: remaining - 1) : .ground
        case (.afterC2, 0x80..<0xC0):
            if byte >= 0xA0 { isDirty = true }
            state = .ground
        case (.character, _), (.afterC2, _):
            state = .ground
            take(byte)
        case (.escape, UInt8(ascii: "[")): state = .controlSequence([])
        case (.escape, UInt8(ascii: "O")): state = .singleShift
        case (.escape, UInt8(ascii: "]")), (.escape, UInt8(ascii: "P")), (.escape, UInt8(ascii: "X")),
            (.escape, UInt8(ascii: "^")), (.escape, UInt8(ascii: "_")):
            state = .string(count: 0, isAfterEscape: false)
        case (.escape, 0x1B): press(nil, then: .escape)
        // Some terminals put a modifier's digit between `ESC O` and the letter.
        case (.singleShift, 0x30...0x39): break
        case (.escape, _), (.singleShift, _): press(nil)
        case (.controlSequence(let parameters), _): takeSequence(byte, parameters)
        case (.string(_, isAfterEscape: true), UInt8(ascii: "\\")), (.string, 0x07): state = .ground
        case (.string(let count, _), _):
            state = count < Self.longestString ? .string(count: count + 1, isAfterEscape: byte == 0x1B) : .ground
        case (.mouse(let report), _): takeMouse(report + [byte])
        }
    }

    /// A letter begins that is not complete.
    private mutating func begin(_ next: State) {
        isDirty = true
        press(nil, then: next)
    }

    /// A byte goes to the line.
    private mutating func enter(_ byte: UInt8) {
        switch byte {
        case 0x0A, 0x0D: if !isPasting { isDirty = false }
        case 0..<0x20, 0x7F: break
        default: isDirty = true
        }
    }

    private mutating func press(_ key: UInt8?, then next: State = .ground) {
        piece.holdsKeys = true
        piece.lastKey = isPasting ? nil : key
        state = next
    }

    private mutating func takeSequence(_ byte: UInt8, _ parameters: [UInt8]) {
        switch byte {
        case 0x20..<0x40 where parameters.count < Self.longestSequence: state = .controlSequence(parameters + [byte])
        case 0x1B: press(nil, then: .escape)
        case UInt8(ascii: "M") where parameters.isEmpty: state = .mouse([])
        case 0x40..<0x7F: endSequence(byte, parameters)
        default:
            if byte < 0x20 { enter(byte) }
            press(nil)
        }
    }

    private mutating func endSequence(_ last: UInt8, _ parameters: [UInt8]) {
        state = .ground
        switch (last, parameters.first) {
        case (UInt8(ascii: "~"), _) where parameters == Array("200".utf8): isPasting = true
        case (UInt8(ascii: "~"), _) where parameters == Array("201".utf8): isPasting = false
        case (UInt8(ascii: "M"), UInt8(ascii: "<")):
            let button = parameters.dropFirst().prefix { $0 != UInt8(ascii: ";") }
            return turn(Int(String(decoding: button, as: UTF8.self)))
        case (UInt8(ascii: "m"), UInt8(ascii: "<")), (UInt8(ascii: "M"), _): return piece.holdsClicks = true
        // Focus gained and lost; answers to questions about the terminal, its size, its modes.
        case (UInt8(ascii: "I"), nil), (UInt8(ascii: "O"), nil), (UInt8(ascii: "c"), _), (UInt8(ascii: "n"), _),
            (UInt8(ascii: "t"), _), (UInt8(ascii: "y"), _), (_, UInt8(ascii: "?")), (_, UInt8(ascii: ">")):
            return
        default: break
        }
        press(nil)
    }

    private mutating func takeMouse(_ report: [UInt8]) {
        guard report.count == 3 else {
            state = .mouse(report)
            return
        }
        state = .ground
        turn(Int(report[0]) - 32)
    }

    /// The wheel's two directions; Shift, Meta and Control add 4, 8 and 16.
    private mutating func turn(_ button: Int?) {
        guard let button else { return }
        switch button & ~0x1C {
        case WheelReport.up: piece.wheelTicks += 1
        case WheelReport.down: piece.wheelTicks -= 1
        default: piece.holdsClicks = true
        }
    }
}
