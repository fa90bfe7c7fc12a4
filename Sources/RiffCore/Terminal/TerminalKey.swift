// Riff
// SPDX-License-Identifier: Apache-2.0

/// A key of a keyboard, or of a row of keys on a screen.
public enum TerminalKey: Sendable, Hashable {
    /// A key that types: what it types without Ctrl and Alt, with Shift already in it.
    case character(Character)
    /// The Esc key.
    case escape
    /// The Tab key.
    case tab
    /// The Return key.
    case enter
    /// The key that deletes to the left.
    case backspace
    /// The key that deletes to the right.
    case delete
    /// The Insert key.
    case insert
    /// The arrow up.
    case up
    /// The arrow down.
    case down
    /// The arrow to the right.
    case right
    /// The arrow to the left.
    case left
    /// The Home key.
    case home
    /// The End key.
    case end
    /// Page up.
    case pageUp
    /// Page down.
    case pageDown
    /// F1 to F20; other numbers are no key.
    case function(Int)
}

/// Keys that are held while another is pressed.
public struct KeyModifiers: OptionSet, Sendable, Hashable {
    /// The bits, as terminals count them: 1 Shift, 2 Alt, 4 Ctrl.
    public let rawValue: Int

    /// Modifiers by their bits.
    public init(rawValue: Int) { self.rawValue = rawValue & 7 }

    /// The Shift modifier. It is part of what a ``TerminalKey/character(_:)`` types already.
    public static let shift = KeyModifiers(rawValue: 1)
    /// Alt, or Option.
    package static let alt = KeyModifiers(rawValue: 2)
    /// The Ctrl modifier.
    public static let control = KeyModifiers(rawValue: 4)
}
