// Riff
// SPDX-License-Identifier: Apache-2.0

/// What a terminal's bytes say, without how they are drawn: a move to another row becomes a line's end, every other
/// escape sequence a space.
struct PlainText {
    /// The text.
    let text: String

    init(_ bytes: some Sequence<UInt8>) {
        var plain: [UInt8] = []
        var state = State.text
        for byte in bytes {
            switch (state, byte) {
            case (_, 0x1B):
                state = .escape
            case (.escape, UInt8(ascii: "[")):
                state = .control
            case (.escape, UInt8(ascii: "]")), (.escape, UInt8(ascii: "P")):
                state = .string
            // An intermediate, as in `ESC ( B`; the final byte follows.
            case (.escape, 0x20...0x2F): break
            case (.escape, _), (.control, 0x40...0x7E), (.string, 0x07):
                let isMove = state == .control && PlainText.rowMoves.contains(byte)
                state = .text
                plain.append(isMove ? 0x0A : 0x20)
            case (.control, _), (.string, _): break
            case (.text, _): plain.append(byte < 0x20 ? 0x0A : byte)
            }
        }
        text = String(decoding: plain, as: UTF8.self)
    }

    /// CUU, CUD, CNL, CPL, CUP, VPA and HVP of ECMA-48.
    private static let rowMoves = Set("ABEFHdf".utf8)

    private enum State {
        case text, escape, control, string
    }
}
