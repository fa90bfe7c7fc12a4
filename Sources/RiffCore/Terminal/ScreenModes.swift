// Riff
// SPDX-License-Identifier: Apache-2.0

/// Follows the private modes in what a terminal is sent, as far as input depends on them, wherever the bytes are split.
///
/// tmux passes on to its client whether the program of the active pane asked for bracketed paste, and takes it back while
/// the pane is in a mode or the client at a prompt (seen with 3.3a).
package struct ScreenModes: Sendable, Hashable {
    private enum State: Sendable, Hashable {
        case ground, escape, bracket
        case modes([Int])
    }

    /// More than any program sets at once.
    private static let mostModes = 16

    /// Whether a paste is to stand between marks (DEC mode 2004).
    package private(set) var isPasteBracketed = false
    /// Whether modes were set that tmux sets or resets when it takes a terminal over, and that nothing before it does:
    /// from then on the terminal's line discipline passes every key on.
    package private(set) var isTaken = false
    private var state = State.ground

    /// A terminal that was sent nothing.
    package init() {}

    /// Takes bytes on their way to the terminal.
    package mutating func feed(_ bytes: [UInt8]) {
        var index = 0
        while index < bytes.count {
            if state == .ground {
                guard let escape = bytes[index...].firstIndex(of: 0x1B) else { return }
                index = escape + 1
                state = .escape
            } else {
                take(bytes[index])
                index += 1
            }
        }
    }

    private mutating func take(_ byte: UInt8) {
        switch (state, byte) {
        case (_, 0x1B): state = .escape
        case (.escape, UInt8(ascii: "[")): state = .bracket
        case (.bracket, UInt8(ascii: "?")): state = .modes([0])
        case (.modes(var modes), UInt8(ascii: "0")...UInt8(ascii: "9")):
            let last = modes.removeLast()
            state = .modes(modes + [last > 100_000 ? last : last * 10 + Int(byte - UInt8(ascii: "0"))])
        case (.modes(let modes), UInt8(ascii: ";")) where modes.count < Self.mostModes: state = .modes(modes + [0])
        case (.modes(let modes), UInt8(ascii: "h")): set(modes, true)
        case (.modes(let modes), UInt8(ascii: "l")): set(modes, false)
        default: state = .ground
        }
    }

    private mutating func set(_ modes: [Int], _ isOn: Bool) {
        state = .ground
        for mode in modes {
            switch mode {
            case 2004:
                isPasteBracketed = isOn
                isTaken = true
            case 1000, 1002, 1003, 1006, 1049: isTaken = true
            default: break
            }
        }
    }
}
