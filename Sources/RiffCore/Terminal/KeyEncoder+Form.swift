// Riff
// SPDX-License-Identifier: Apache-2.0

/// The forms of keys that a program asked for.
extension KeyEncoder {
    /// The bytes of a key in the form that was asked for; `nil` where that form leaves the key as it is.
    func inForm(_ key: TerminalKey, _ modifiers: KeyModifiers) -> [UInt8]? {
        switch form {
        case .plain: nil
        case .modifyOtherKeys(let level): level > 0 ? other(key, modifiers, isAll: level > 1) : nil
        case .kitty(let flags):
            flags & KeyForm.knownKittyFlags == 0 ? nil : kitty(key, modifiers, isAll: flags & 8 != 0)
        }
    }

    // MARK: modifyOtherKeys

    private func other(_ key: TerminalKey, _ modifiers: KeyModifiers, isAll: Bool) -> [UInt8]? {
        guard !modifiers.isEmpty else { return nil }
        func bytes(_ code: UInt32) -> [UInt8] { Array("\u{1B}[27;\(modifiers.rawValue + 1);\(code)~".utf8) }
        switch key {
        case .enter: return bytes(13)
        // Shift-Tab has a sequence of its own.
        case .tab: return modifiers == .shift ? nil : bytes(9)
        case .escape: return isAll ? bytes(27) : nil
        case .backspace: return isAll && modifiers != .control ? bytes(127) : nil
        case .character(let character):
            if Self.isLineEnd(character) { return bytes(13) }
            guard let code = Self.code(character) else { return nil }
            if modifiers == .shift { return isAll && code == 0x20 ? bytes(code) : nil }
            if isAll { return bytes(code) }
            return modifiers.contains(.control) && !Self.hasControl(character) ? bytes(code) : nil
        default: return nil
        }
    }

    // MARK: Kitty

    private func kitty(_ key: TerminalKey, _ modifiers: KeyModifiers, isAll: Bool) -> [UInt8]? {
        switch key {
        case .escape: return kitty(27, modifiers)
        case .enter: return isAll || !modifiers.isEmpty ? kitty(13, modifiers) : nil
        case .tab: return isAll || !modifiers.isEmpty ? kitty(9, modifiers) : nil
        case .backspace: return isAll || !modifiers.isEmpty ? kitty(127, modifiers) : nil
        case .character(let character):
            if Self.isLineEnd(character) { return kitty(.enter, modifiers, isAll: isAll) }
            guard isAll || !modifiers.subtracting(.shift).isEmpty else { return nil }
            // The key is named by what it types without Shift.
            let plain = character.lowercased()
            let isShifted = plain != String(character)
            guard let code = Self.code(plain) else { return nil }
            return kitty(code, isShifted ? modifiers.union(.shift) : modifiers)
        // They have no other form than the one with CSI, and F3's would be a report of the cursor's place.
        case .up where modifiers.isEmpty: return Array("\u{1B}[A".utf8)
        case .down where modifiers.isEmpty: return Array("\u{1B}[B".utf8)
        case .right where modifiers.isEmpty: return Array("\u{1B}[C".utf8)
        case .left where modifiers.isEmpty: return Array("\u{1B}[D".utf8)
        case .end where modifiers.isEmpty: return Array("\u{1B}[F".utf8)
        case .home where modifiers.isEmpty: return Array("\u{1B}[H".utf8)
        case .function(1) where modifiers.isEmpty: return Array("\u{1B}[P".utf8)
        case .function(2) where modifiers.isEmpty: return Array("\u{1B}[Q".utf8)
        case .function(3): return numbered(13, modifiers)
        case .function(4) where modifiers.isEmpty: return Array("\u{1B}[S".utf8)
        default: return nil
        }
    }

    private func kitty(_ code: UInt32, _ modifiers: KeyModifiers) -> [UInt8] {
        let held = modifiers.isEmpty ? "" : ";\(modifiers.rawValue + 1)"
        return Array("\u{1B}[\(code)\(held)u".utf8)
    }

    // MARK: Characters

    /// The code of what a key types; `nil` for what takes more than one scalar: it is no key but text.
    private static func code(_ typed: some CustomStringConvertible) -> UInt32? {
        let scalars = typed.description.unicodeScalars
        return scalars.count == 1 ? scalars.first?.value : nil
    }
}
