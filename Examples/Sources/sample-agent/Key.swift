// Riff
// SPDX-License-Identifier: Apache-2.0

/// What a person did at the keyboard.
package enum Key: Equatable, Sendable {
    /// Characters typed, one or more.
    case text(String)
    /// Text inside of a bracketed paste; line ends are `\n`.
    case paste(String)
    /// Return: submits.
    case enter
    /// Alt-Return: a line end in the text.
    case newline
    case backspace, delete, left, right, up, down, home, end
    case eraseToStart, eraseToEnd, eraseWord, redraw
    /// Ctrl-C.
    case interrupt
    /// Ctrl-D.
    case endOfInput
    /// A key that means nothing here.
    case unknown
}
