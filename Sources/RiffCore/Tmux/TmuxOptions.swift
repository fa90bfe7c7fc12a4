// Riff
// SPDX-License-Identifier: Apache-2.0

/// What is set on the private server, inline and before the first session: a pane keeps the history limit that it was
/// made with, and no configuration file needs to be put on the host.
///
/// Options that the host's tmux does not know are passed over. The person's own `tmux.conf` is read first by tmux; what
/// in it could end, move or hide sessions or take their keys is overridden on every server but the person's own.
public struct TmuxOptions: Sendable, Hashable {
    /// Whether wheel and clicks go to tmux; without it nothing scrolls back.
    public var mouse = true
    /// Lines of history of each pane made from then on.
    public var historyLimit = 50_000
    /// The time that tmux waits after an escape character for the rest of a key.
    public var escapeTime: Duration = .milliseconds(10)
    /// Whether a text that a program copies by OSC 52 is passed to the terminal, where a front end asks the person or
    /// puts it on the clipboard. tmux keeps it as well and gives it to every program that asks by OSC 52, in any
    /// session of the server. Without it the host's own setting holds, which is that programs copy nothing.
    public var clipboard = false
    /// Whether tmux draws its status line, which takes a row.
    public var statusLine = false
    /// The TERM of the clients that are said to show 24-bit color and links.
    public var terminal = "xterm-256color"

    /// Creates the default options.
    public init() {}

    /// The commands, one for each option.
    package var commands: [[ShellWord]] {
        let (seconds, attoseconds) = escapeTime.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        return [
            ["set", "-gq", "mouse", mouse ? "on" : "off"],
            ["set", "-gq", "history-limit", ShellWord("\(historyLimit)")],
            ["set", "-sq", "escape-time", ShellWord("\(milliseconds)")],
            // Numbered entries of their own, so that setting them again at each attach adds nothing. The first is for
            // tmux before 3.2; the last for 3.4 and later, apart because older ones skip what follows an unknown name.
            ["set", "-sq", "terminal-overrides[90]", ShellWord("\(terminal):Tc")],
            ["set", "-sq", "terminal-features[90]", ShellWord("\(terminal):RGB")],
            ["set", "-sq", "terminal-features[91]", ShellWord("\(terminal):hyperlinks")],
            ["set", "-gq", "status", statusLine ? "on" : "off"],
        ] + (clipboard ? [["set", "-sq", "set-clipboard", "on"]] : [])
    }
}
