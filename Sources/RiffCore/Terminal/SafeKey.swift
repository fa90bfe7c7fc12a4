// Riff
// SPDX-License-Identifier: Apache-2.0

/// The keys that Riff keeps for itself on a tmux server, and the bytes that press them.
///
/// They are only ever sent to a server that was seen to have them bound (``SafeKeyCheck``). None of them reaches the
/// program in the pane any more, whoever presses it.
package enum SafeKey {
    /// F12: leaves copy, view, tree and clock mode, and is silent at the live prompt.
    package static let leaveMode = Array("\u{1B}[24~".utf8)

    /// Ctrl-Shift-F12: makes the next Ctrl-C, and only that, mean nothing to the program. tmux's prompts and menus do not
    /// look keys up: they pass this one over and end with the Ctrl-C.
    package static let shieldNext = Array("\u{1B}[24;6~".utf8)

    /// Ctrl-Shift-F11: the Escape key. A lone escape character would be taken for the beginning of what comes after it.
    package static let escape = Array("\u{1B}[23;6~".utf8)

    /// What stands before input, in the same write: it leaves whatever prompt, menu and mode there is, and nothing of it
    /// reaches the program. tmux takes keys from its queue without anything in between.
    ///
    /// The first key may be the answer of a prompt that takes any key; so it comes twice. Ctrl-C ends a prompt or a menu,
    /// in both styles of editing, and otherwise falls on the shield. Last, the mode is left that lay beneath.
    package static let leaveEverything = shieldNext + shieldNext + [0x03] + leaveMode

    /// The key table that ``shieldNext`` changes to.
    package static let table = "riff-input"
}
