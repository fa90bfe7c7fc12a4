// Riff
// SPDX-License-Identifier: Apache-2.0

/// The bytes that a key sends to a terminal's program: those of xterm, which tmux and the programs in it read.
///
/// Keys are for what a person presses. Text that was spoken, pasted or received goes through ``InertText``.
///
/// F12 is the key by which Riff leaves tmux's scrollback; a host that is set up for that does not pass it on.
///
/// Source: XTerm Control Sequences, "PC-Style Function Keys"; for Ctrl with characters, the rule of Xlib's
/// `XLookupString`.
public struct KeyEncoder: Sendable, Hashable {
    /// Whether the program asked for application cursor keys (DEC mode 1): arrows, Home and End are then sent in
    /// another form. The front end's terminal knows; tmux asks it for them as soon as it attaches, and takes both
    /// forms.
    public var applicationCursor: Bool
    /// The form in which the program asked for modified keys. The front end's terminal knows.
    public var form: KeyForm

    /// Creates an encoder.
    public init(applicationCursor: Bool = false, form: KeyForm = .plain) {
        self.applicationCursor = applicationCursor
        self.form = form
    }

    /// The bytes of one key press.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - modifiers: What is held with it. Where terminals have no bytes for a combination, those of the key without
    ///     that modifier are sent.
    /// - Returns: The bytes; none for a function key with another number than 1 to 20.
    public func encode(_ key: TerminalKey, modifiers: KeyModifiers = []) -> [UInt8] {
        if let bytes = inForm(key, modifiers) { return bytes }
        return switch key {
        case .character(let character):
            Self.isLineEnd(character) ? enter(modifiers) : withAlt(Self.bytes(character, modifiers), modifiers)
        case .escape: withAlt([0x1B], modifiers)
        case .tab: withAlt(modifiers.contains(.shift) ? Array("\u{1B}[Z".utf8) : [0x09], modifiers)
        case .enter: enter(modifiers)
        case .backspace: withAlt([modifiers.contains(.control) ? 0x08 : 0x7F], modifiers)
        case .up: cursor("A", modifiers)
        case .down: cursor("B", modifiers)
        case .right: cursor("C", modifiers)
        case .left: cursor("D", modifiers)
        case .end: cursor("F", modifiers)
        case .home: cursor("H", modifiers)
        case .insert: numbered(2, modifiers)
        case .delete: numbered(3, modifiers)
        case .pageUp: numbered(5, modifiers)
        case .pageDown: numbered(6, modifiers)
        case .function(let number): function(number, modifiers)
        }
    }

    private func withAlt(_ bytes: [UInt8], _ modifiers: KeyModifiers) -> [UInt8] {
        modifiers.contains(.alt) ? [0x1B] + bytes : bytes
    }

    /// Return; with whatever modifier as with Alt, so that no program takes it for Return alone.
    private func enter(_ modifiers: KeyModifiers) -> [UInt8] { modifiers.isEmpty ? [0x0D] : [0x1B, 0x0D] }

    private func cursor(_ final: String, _ modifiers: KeyModifiers) -> [UInt8] {
        modifiers.isEmpty && !applicationCursor ? Array("\u{1B}[\(final)".utf8) : singleShift(final, modifiers)
    }

    private func singleShift(_ final: String, _ modifiers: KeyModifiers) -> [UInt8] {
        Array((modifiers.isEmpty ? "\u{1B}O\(final)" : "\u{1B}[1;\(modifiers.rawValue + 1)\(final)").utf8)
    }

    func numbered(_ number: Int, _ modifiers: KeyModifiers) -> [UInt8] {
        Array((modifiers.isEmpty ? "\u{1B}[\(number)~" : "\u{1B}[\(number);\(modifiers.rawValue + 1)~").utf8)
    }

    private func function(_ number: Int, _ modifiers: KeyModifiers) -> [UInt8] {
        switch number {
        case 1...4: singleShift(["P", "Q", "R", "S"][number - 1], modifiers)
        case 5...20: numbered(Self.functionNumbers[number - 5], modifiers)
        default: []
        }
    }

    /// F5 to F20. The gaps are those of the keys of the VT220.
    private static let functionNumbers = [15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34]

    private static func bytes(_ character: Character, _ modifiers: KeyModifiers) -> [UInt8] {
        guard modifiers.contains(.control), let byte = character.asciiValue else {
            return Array(String(character).utf8)
        }
        return [control(byte)]
    }

    /// Keyboards of phones type a line's end for Return.
    static func isLineEnd(_ character: Character) -> Bool { ["\n", "\r", "\r\n"].contains(character) }

    /// Whether there is a byte for a character with Ctrl.
    static func hasControl(_ character: Character) -> Bool {
        guard let byte = character.asciiValue else { return false }
        return control(byte) != byte
    }

    private static func control(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "@")...UInt8(ascii: "~"), UInt8(ascii: " "): byte & 0x1F
        case UInt8(ascii: "2"): 0
        case UInt8(ascii: "3")...UInt8(ascii: "7"): byte - UInt8(ascii: "3") + 0x1B
        case UInt8(ascii: "8"), UInt8(ascii: "?"): 0x7F
        case UInt8(ascii: "/"): 0x1F
        default: byte
        }
    }
}
