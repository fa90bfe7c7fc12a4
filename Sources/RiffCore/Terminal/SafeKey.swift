// Riff
// SPDX-License-Identifier: Apache-2.0

/// The keys that Riff keeps for itself on a tmux server, and the bytes that press them.
///
/// They are only ever sent to a server that was seen to have them bound (``SafeKeyCheck``). None of them reaches the
/// program in the pane any more, whoever presses it.
package enum SafeKey {
    /// F12: leaves copy, view, tree and clock mode, and is silent at the live prompt.
    package static let leaveMode = Array("\u{1B}[24~".utf8)

    /// Ctrl-Shift-F12: makes the next Ctrl-C, and only that, mean nothing to the program. tmux's prompts and menus do
    /// not look keys up: they pass this one over and end with the Ctrl-C.
    package static let shieldNext = Array("\u{1B}[24;6~".utf8)

    /// Ctrl-Shift-F11: the Escape key. A lone escape character would be taken for the beginning of what comes after it.
    package static let escape = Array("\u{1B}[23;6~".utf8)

    /// A session's own key: does nothing on that session, and on any other one detaches the client, so that nothing
    /// that comes after it in the same write reaches a program that it was not meant for.
    package static func place(_ session: TmuxSessionID) -> [UInt8] { Array(String(placeCharacter(session)).utf8) }

    /// The character of that key: of the last plane for private use, where neither a keyboard nor a font has any.
    package static func placeCharacter(_ session: TmuxSessionID) -> Character {
        // Identifiers are counted up from 0; a server with as many sessions as that makes the keys repeat, and the
        // check of each connection finds its own key bound to another session then.
        let number = UInt32(session.number % 0xFFF0)
        return Unicode.Scalar(0x10_0000 + number).map { Character($0) } ?? "\u{100000}"
    }

    /// The first byte of every such character.
    package static let placeLead: UInt8 = 0xF4

    /// Returns the bytes that precede input, in the same write: they leave any prompt, menu and mode, and none of them
    /// reaches the program. tmux takes keys from its queue without anything in between.
    ///
    /// The session's key comes first, before the Ctrl-C can reach another session's program, and last, since a prompt
    /// that takes any key takes the first one. Ctrl-C ends a prompt or a menu, in both styles of editing, and otherwise
    /// falls on the shield. Then the mode is left that lay beneath.
    package static func leaveEverything(on session: TmuxSessionID) -> [UInt8] {
        let place = place(session)
        return place + shieldNext + [0x03] + leaveMode + place
    }

    /// The key table that ``shieldNext`` changes to.
    package static let table = "riff-input"

    /// The key table in which the keys of Riff's own sessions are looked up, in place of `root`: what a person or a
    /// plugin binds there takes no key from an agent, and what is unbound there leaves the safe keys alone.
    package static let root = "riff-root"
}
