// Riff
// SPDX-License-Identifier: Apache-2.0

/// The form in which a program asked for modified keys that terminals otherwise send like the plain ones.
public enum KeyForm: Sendable, Hashable {
    /// It asked for none. Return with a modifier is sent like Alt-Return, which agents take for a new line: as Return
    /// alone it would submit half a prompt.
    case plain
    /// Xterm's modifyOtherKeys (`CSI > 4 ; level m`): 1 for keys that have no bytes of their own, 2 for all that are
    /// held with Ctrl or Alt. Sent as `CSI 27 ; modifiers ; code ~`.
    case modifyOtherKeys(level: Int)
    /// Kitty's keyboard protocol (`CSI > flags u`), sent as `CSI code ; modifiers u`. Of its flags 1 (keys that can be
    /// mistaken) and 8 (all keys) are known.
    case kitty(flags: Int)

    /// The flags of kitty's protocol that ``KeyEncoder`` follows.
    package static let knownKittyFlags = 1 | 8
}
