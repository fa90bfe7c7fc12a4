// Riff
// SPDX-License-Identifier: Apache-2.0

/// What a program asked for that is not a change of cells. A screen reports it and does nothing about it.
public enum ScreenEvent: Sendable, Hashable {
    /// BEL.
    case bell
    /// OSC 0 or 2: the window's title, without control characters.
    case title(String)
    /// OSC 7: the working directory, as a URL that the program sent.
    case workingDirectory(String)
    /// OSC 9: a text for a notification.
    case notification(String)
    /// OSC 52: the program wants text on the clipboard. Whoever shows the screen decides, and says so.
    case clipboardWrite(selection: String, base64: String)
    /// OSC 52 with `?`: the program wants to read the clipboard. Answering it gives what a person copied to whatever
    /// runs there.
    case clipboardRead(selection: String)
    /// OSC 4, 10, 11, 12 with `?`: the program asks for a color; only a renderer knows. The number is the OSC's.
    case colorQuery(command: Int, index: Int?)
}
