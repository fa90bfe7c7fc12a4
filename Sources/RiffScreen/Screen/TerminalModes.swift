// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The modes that a program set, of those that matter to a front end.
public struct TerminalModes: Sendable, Hashable {
    /// The events that the mouse reports, DECSET 1000 to 1003.
    public enum Mouse: Sendable, Hashable {
        /// The mouse reports no events.
        case off
        /// Buttons (1000).
        case buttons
        /// Buttons, and motion while one is held (1002).
        case drag
        /// Every motion (1003).
        case motion
    }

    /// DECCKM (1): arrow keys are sent in their application form.
    public var applicationCursorKeys = false
    /// DECKPAM: the keypad is sent in its application form.
    public var applicationKeypad = false
    /// DECSET 2004: a paste is put between marks.
    public var bracketedPaste = false
    /// DECSET 1004: gaining and losing focus is sent.
    public var focusReports = false
    /// The events that the mouse reports.
    public var mouse = Mouse.off
    /// DECSET 1006: mouse reports in the SGR form.
    public var sgrMouse = false
    /// DECTCEM (25).
    public var cursorVisible = true
    /// DECSET 2026: the program is in the middle of a frame; a renderer may wait for its end, but not for ever.
    public var synchronizedOutput = false
    /// The form in which the program asked for modified keys, for a ``KeyEncoder``: xterm's modifyOtherKeys, or kitty's
    /// keyboard protocol, which goes before it. Where tmux stands in between it is what tmux asks for.
    public internal(set) var keyForm = KeyForm.plain
    /// DECAWM (7).
    var autoWrap = true
    /// DECOM (6).
    var origin = false
    /// IRM (4).
    var insert = false
    /// LNM (20).
    var newLine = false

    /// The modes of a terminal after a reset.
    public init() {}
}
