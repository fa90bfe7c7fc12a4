// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// One thing that tmux says to a client in control mode (tmux(1), CONTROL MODE).
package enum ControlModeEvent: Sendable, Hashable {
    /// A command has run.
    case reply(ControlModeReply)
    /// Something happened on the server: the name without its `%`, and the rest of the line as it is.
    case notification(name: String, arguments: String)
    /// A pane's program wrote bytes; tmux's escapes are undone.
    case output(pane: String, bytes: [UInt8])
    /// The client ends; tmux may say why.
    case exit(reason: String?)
    /// A line that is not tmux's, such as what a login profile prints.
    case chatter(String)
}

/// The reply of a command, between `%begin` and `%end` or `%error`.
package struct ControlModeReply: Sendable, Hashable {
    /// tmux's number for the command.
    package var number: Int
    /// Whether this client sent the command; not so for the attaching itself.
    package var isOwn: Bool
    /// Whether it failed; the output then says why.
    package var isError = false
    /// Whether the output was longer than is kept.
    package var isCut = false
    /// Its output, each line with its line feed.
    package var output: [UInt8] = []

    package init(number: Int, isOwn: Bool) {
        self.number = number
        self.isOwn = isOwn
    }

    /// The output for a person, on one line.
    package var text: String { InertText.line(String(decoding: output, as: UTF8.self)) }
}
