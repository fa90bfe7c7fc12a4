// Riff
// SPDX-License-Identifier: Apache-2.0

/// What one button for sessions does, told by how it was let go: pressed shortly, held, or held and slid off.
public enum SessionButton {
    /// What a release means.
    public enum Action: Sendable, Hashable {
        /// Make a session with the settings' choices.
        case newSession
        /// Send the line that was begun.
        case send
        /// Throw away the line that was begun.
        case clear
        /// Close the session on show.
        case close
        /// Show the menu with the choices for a new session.
        case presentMenu
    }

    /// How long it is pressed until that counts as held; also when to show that it does.
    public static let holdDuration: Duration = .milliseconds(500)
    /// How far from where it began, in points, a finger has slid off.
    public static let slideDistance = 44.0

    /// What a release means.
    ///
    /// - Parameters:
    ///   - held: How long the button was pressed.
    ///   - moved: How far the finger was from where it began when it was lifted, in points.
    ///   - dirty: Whether a line was begun and not sent, as `TerminalSession.isInputDirty` tells. The button then sends
    ///     and clears, and never closes a session with it.
    /// - Returns: The action; `nil` for a finger that slid off shortly, which means nothing on any button.
    public static func classifyRelease(held: Duration, moved: Double, dirty: Bool) -> Action? {
        let isSlidOff = moved >= slideDistance
        if held < holdDuration {
            if isSlidOff { return nil }
            return dirty ? .send : .newSession
        }
        if dirty { return .clear }
        return isSlidOff ? .presentMenu : .close
    }
}
