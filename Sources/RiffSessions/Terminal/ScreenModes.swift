// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Follows the private modes in what a terminal is sent, as far as input depends on them, wherever the bytes are split.
///
/// tmux passes on to its client whether the program of the active pane asked for bracketed paste, and takes it back
/// while the pane is in a mode or the client at a prompt (seen with 3.3a).
package struct ScreenModes: Sendable, Hashable {
    private enum State: Sendable, Hashable { case ground, escape, bracket, modes }

    private static let bracket = [0x1B, UInt8(ascii: "[")]
    /// More than any program sets at once.
    private static let mostModes = 16

    /// Whether a paste is to stand between marks (DEC mode 2004).
    package private(set) var isPasteBracketed = false
    /// Whether modes were set that tmux sets or resets when it takes a terminal over, and that neither a login shell's
    /// profile nor a prompt does: from then on the terminal's line discipline passes every key on.
    package private(set) var isTaken = false
    private var state = State.ground
    /// The mode that is being read, how many came before it in its sequence, and which of those matter.
    private var mode = 0
    private var count = 0
    private var namesPaste = false
    private var namesTaking = false

    /// A terminal that was sent nothing.
    package init() {}

    /// Takes bytes on their way to the terminal.
    package mutating func feed(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                if state != .ground {
                    take(rest.removeFirst())
                } else {
                    rest = skip(UnsafeBufferPointer(rebasing: rest))
                }
            }
        }
    }

    /// Goes to behind the next `ESC [ ?`. All that a host sends comes by here, full of colors and almost without a
    /// question mark: looking for that one is faster than looking at each escape.
    private mutating func skip(_ bytes: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
        guard let start = bytes.baseAddress, let mark = memchr(start, 0x3F, bytes.count) else {
            state = bytes.last == 0x1B ? .escape : bytes.suffix(2).elementsEqual(Self.bracket) ? .bracket : .ground
            return bytes.suffix(0)
        }
        let place = UnsafeRawPointer(mark) - UnsafeRawPointer(start)
        if bytes[..<place].suffix(2).elementsEqual(Self.bracket) { begin() }
        return bytes[(place + 1)...]
    }

    private mutating func begin() {
        state = .modes
        (mode, count, namesPaste, namesTaking) = (0, 0, false, false)
    }

    private mutating func take(_ byte: UInt8) {
        switch (state, byte) {
        case (_, 0x1B): state = .escape
        case (.escape, UInt8(ascii: "[")): state = .bracket
        case (.bracket, UInt8(ascii: "?")): begin()
        case (.modes, UInt8(ascii: "0")...UInt8(ascii: "9")):
            if mode <= 100_000 { mode = mode * 10 + Int(byte - UInt8(ascii: "0")) }
        case (.modes, UInt8(ascii: ";")) where count < Self.mostModes - 1:
            note()
            (mode, count) = (0, count + 1)
        case (.modes, UInt8(ascii: "h")), (.modes, UInt8(ascii: "l")):
            note()
            if namesPaste { isPasteBracketed = byte == UInt8(ascii: "h") }
            if namesTaking { isTaken = true }
            state = .ground
        default: state = .ground
        }
    }

    /// Keeps the mode that was read, if it matters.
    private mutating func note() {
        switch mode {
        // Interactive shells set it at each prompt: alone it does not say that tmux is there.
        case 2004: namesPaste = true
        case 1000, 1002, 1003, 1006, 1049: namesTaking = true
        default: break
        }
    }
}
