// Riff
// SPDX-License-Identifier: Apache-2.0

/// When input to a tmux session first leaves what would take it for itself: a mode of the pane (scrolled back, a tree,
/// a clock), a prompt, a menu.
public enum InputProtection: Sendable, Hashable {
    /// Before every input: nothing that is typed, pasted or spoken is ever eaten. tmux's own keyboard (its prompts, its
    /// modes) is then reached with `TerminalSession.steer(_:)` alone.
    case always
    /// Only while the pane is in a mode, as far as is known, or nothing is known. For a front end with a real keyboard,
    /// whose user opens tmux's prompts by its prefix key and means them.
    case inModes
}
