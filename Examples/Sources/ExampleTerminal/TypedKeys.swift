// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The keys in what a terminal sends, for what an example reads itself: commands, and lines of text. What goes to
/// a session is never taken apart.
package struct TypedKeys {
    private enum State {
        case ground
        case escape
        /// After `ESC [` or `ESC O`, with the parameters so far.
        case sequence([UInt8])
        /// In the middle of a character of several bytes.
        case character([UInt8], missing: Int)
        /// The three bytes of an old mouse report.
        case mouse(missing: Int)
    }

    private var state = State.ground

    package init() {}

    /// Takes the next byte, after ``escape(before:)``; a key that it ends is returned, `nil` where there is none yet.
    package mutating func feed(_ byte: UInt8) -> TerminalKey? {
        switch state {
        case .ground: return begin(byte)
        case .escape where byte == 0x0D:
            state = .ground
            return .character(Self.lineBreak)
        case .escape:
            state = .sequence([])
        case .sequence(let parameters):
            guard (0x40...0x7E).contains(byte) else {
                // A real one is short; what is not is none.
                state = parameters.count < 32 ? .sequence(parameters + [byte]) : .ground
                return nil
            }
            state = byte == UInt8(ascii: "M") && parameters.isEmpty ? .mouse(missing: 3) : .ground
            return parameters.isEmpty ? Self.keys[byte] : Self.key(parameters, byte)
        case .character(let bytes, let missing):
            let all = bytes + [byte]
            state = missing > 1 ? .character(all, missing: missing - 1) : .ground
            if missing == 1 { return String(validating: all, as: UTF8.self)?.first.map { .character($0) } }
        case .mouse(let missing): state = missing > 1 ? .mouse(missing: missing - 1) : .ground
        }
        return nil
    }

    /// The text of a Return that is held with a modifier, in whatever form it came (`ESC CR`, kitty's, xterm's): it
    /// begins a line, and sends nothing off.
    package static let lineBreak: Character = "\n"

    /// The Escape key, where the last byte was an escape character and the next one does not go on with it.
    package mutating func escape(before byte: UInt8) -> TerminalKey? {
        byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") || byte == 0x0D ? nil : pause()
    }

    /// Says that nothing more came with the last byte: an escape character alone is the Escape key then.
    package mutating func pause() -> TerminalKey? {
        guard case .escape = state else { return nil }
        state = .ground
        return .escape
    }

    private mutating func begin(_ byte: UInt8) -> TerminalKey? {
        switch byte {
        case 0x1B: state = .escape
        case 0x0D, 0x0A: return .enter
        case 0x7F, 0x08: return .backspace
        case 0x09: return .tab
        case 0x20..<0x7F: return .character(Character(UnicodeScalar(byte)))
        case 0xC2..<0xE0: state = .character([byte], missing: 1)
        case 0xE0..<0xF0: state = .character([byte], missing: 2)
        case 0xF0..<0xF5: state = .character([byte], missing: 3)
        default: break
        }
        return nil
    }

    /// A key in the form of kitty's protocol (`CSI code ; modifiers u`) or of xterm's modifyOtherKeys (`CSI 27 ;
    /// modifiers ; code ~`). Held with something, these are no command and no end of a line.
    private static func key(_ parameters: [UInt8], _ final: UInt8) -> TerminalKey? {
        let numbers = String(decoding: parameters, as: UTF8.self).split(separator: ";").map { Int($0) }
        let (code, held): (Int?, Int?)
        switch (final, numbers.count) {
        case (UInt8(ascii: "u"), 1): (code, held) = (numbers[0], 1)
        case (UInt8(ascii: "u"), 2): (code, held) = (numbers[0], numbers[1])
        case (UInt8(ascii: "~"), 3) where numbers[0] == 27: (code, held) = (numbers[2], numbers[1])
        default: return nil
        }
        guard held == 1 else { return held != nil && code == 13 ? .character(Self.lineBreak) : nil }
        switch code {
        case 9: return .tab
        case 13: return .enter
        case 27: return .escape
        case 127: return .backspace
        default: return nil
        }
    }

    private static let keys: [UInt8: TerminalKey] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    ]
}
