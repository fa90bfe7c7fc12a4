// Riff
// SPDX-License-Identifier: Apache-2.0

/// Tells whether a person has begun a line that was not sent: printable input makes it dirty, Return makes it clean.
///
/// Keys that are escape sequences (arrows, function keys, mouse reports, Alt with a letter, the terminal's own answers)
/// change nothing, wherever the bytes are split. What is pasted between bracketed paste marks counts as text, line ends
/// included. Deleting everything again leaves it dirty: only the program on the other side knows what its line holds.
/// A lone Escape key cannot be told from the beginning of a sequence, so the one key after it does not count.
public struct InputDirtyTracker: Sendable, Hashable {
    private enum State: Sendable, Hashable {
        case ground
        /// After the first byte of a C1 control in UTF-8, which may also begin a letter.
        case afterC2
        case escape
        /// In a control sequence, with its number so far; -1 where it has more than one plain number.
        case controlSequence(number: Int)
        case singleShift
        /// In a string that ends with BEL or ST.
        case string
        /// In an X10 mouse report, with the bytes still to come.
        case mouse(remaining: Int)
    }

    /// Whether there is unsent input.
    public private(set) var isDirty = false
    private var state = State.ground
    private var isPasting = false

    /// Creates a tracker of a line on which nothing was typed.
    public init() {}

    /// Takes bytes on their way to the terminal's program, split anywhere.
    public mutating func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { take(byte) }
    }

    /// Forgets the line, for a new program or a cleared one; a sequence that was begun is forgotten too.
    public mutating func reset() { self = InputDirtyTracker() }

    private mutating func take(_ byte: UInt8) {
        switch (state, byte) {
        case (.mouse(let remaining), _): state = remaining > 1 ? .mouse(remaining: remaining - 1) : .ground
        case (_, 0x1B): state = .escape
        case (.string, 0x07), (_, 0x18), (_, 0x1A): state = .ground
        case (.string, _): break
        case (.ground, _), (.afterC2, _): takeText(byte)
        case (.escape, 0..<0x20): state = .ground
        case (_, 0..<0x20): takeText(byte, keeping: state)
        case (.escape, _): takeEscape(byte)
        case (.controlSequence(let number), _): takeControlSequence(byte, number: number)
        // Some terminals put a modifier's digit between `ESC O` and the letter.
        case (.singleShift, _): if !(0x30...0x39).contains(byte) { state = .ground }
        }
    }

    private mutating func takeText(_ byte: UInt8, keeping next: State = .ground) {
        let isC1 = state == .afterC2 && (0x80..<0xA0).contains(byte)
        state = next
        switch byte {
        case 0x0A, 0x0D: if !isPasting { isDirty = false }
        case 0..<0x20, 0x7F: break
        case 0xC2: state = .afterC2
        default: if !isC1 { isDirty = true }
        }
    }

    private mutating func takeEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "["): state = .controlSequence(number: 0)
        case UInt8(ascii: "O"): state = .singleShift
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .string
        case 0x20...0x2F: break
        default: state = .ground
        }
    }

    private mutating func takeControlSequence(_ byte: UInt8, number: Int) {
        switch byte {
        case 0x30...0x39:
            let isSmall = (0..<10_000).contains(number)
            state = .controlSequence(number: isSmall ? number * 10 + Int(byte - 0x30) : -1)
        case 0x20...0x3F: state = .controlSequence(number: -1)
        case UInt8(ascii: "M") where number == 0: state = .mouse(remaining: 3)
        case UInt8(ascii: "~"):
            if number == 200 { isPasting = true }
            if number == 201 { isPasting = false }
            state = .ground
        default: state = .ground
        }
    }
}
