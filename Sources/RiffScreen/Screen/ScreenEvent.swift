// Riff
// SPDX-License-Identifier: Apache-2.0

/// A request of a program that is not a change of cells. A screen reports it and does nothing about it.
///
/// Texts in it are one line without controls, but for what is said otherwise; they are a peer's words all the same.
public enum ScreenEvent: Sendable, Hashable {
    /// The bell (BEL).
    case bell
    /// OSC 0 or 2: the window's title.
    case title(String)
    /// The working directory: OSC 7, as a URL that the program sent, or OSC 9;9, as a path.
    case workingDirectory(String)
    /// A text for a notification: OSC 9, OSC 777 (`notify`) and OSC 99 (kitty's), whose parts are put together. The
    /// title is there where the program gave both.
    case notification(String, title: String? = nil)
    /// OSC 9;4: how far what runs there is.
    case progress(ScreenProgress)
    /// OSC 52: the program wants text on the clipboard. Whoever shows the screen decides, and says so.
    case clipboardWrite(selection: String, base64: String)
    /// OSC 52 with `?`: the program wants to read the clipboard. Answering it gives what a person copied to whatever
    /// runs there.
    case clipboardRead(selection: String)
    /// OSC 4, 10, 11, 12 with `?`: the program asks for a color; only a renderer knows. The number is the OSC's.
    case colorQuery(command: Int, index: Int?)
}
