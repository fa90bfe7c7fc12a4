// Riff
// SPDX-License-Identifier: Apache-2.0

/// The settings by which Riff keeps its own tmux server and its own sessions safe from a person's configuration:
/// nothing in it may end, move, freeze, lock, rename or hide them, or take their keys.
///
/// A person's `tmux.conf` is read by tmux before any of this. What no setting can undo is found by
/// ``TmuxConfigurationReview``.
package enum TmuxCustody {
    /// The commands for a server that is Riff's: each time before a session is made or attached to, since a plugin may
    /// have come later than the time before. Options that a tmux does not know are passed over.
    package static let server: [[ShellWord]] =
        [
            // One session's end must not show, and type into, another one.
            ["set-option", "-gq", "detach-on-destroy", "on"],
            // Agents outlive whoever looked at them.
            ["set-option", "-gq", "destroy-unattached", "off"],
            ["set-option", "-sq", "exit-unattached", "off"],
            ["set-option", "-gq", "lock-after-time", "0"],
            // A program that is over must not look like one that waits.
            ["set-option", "-gwq", "remain-on-exit", "off"],
            ["set-option", "-gwq", "synchronize-panes", "off"],
            // `manual` would keep the first size for good.
            ["set-option", "-gwq", "window-size", "latest"],
            // Keys that stand for others: F12 among them would no longer leave a mode.
            ["set-option", "-suq", "user-keys"],
            ["set-option", "-suq", "backspace"],
            ["set-option", "-suq", "command-alias"],
            only("#{==:#{extended-keys},always}", "set-option -sq extended-keys on"),
            // A message for a bell or for news freezes the terminal while it stands there, without a limit if the time
            // is 0.
            ["set-option", "-gq", "visual-bell", "off"],
            ["set-option", "-gq", "visual-activity", "off"],
            ["set-option", "-gq", "visual-silence", "off"],
            only("#{==:#{display-time},0}", "set-option -g display-time 750"),
            // A prefix key is looked up before every binding, and the safe keys are Ctrl-C and on F11 and F12.
            only("#{||:#{==:#{prefix},C-c},#{m:*F1[12],#{prefix}}}", "set-option -g prefix C-b"),
            only("#{||:#{==:#{prefix2},C-c},#{m:*F1[12],#{prefix2}}}", "set-option -g prefix2 None"),
            // Once on each server, behind what its configuration set: what others set there later is theirs. The mark
            // holds the server's process, so that no configuration can have it.
            only(
                "#{!=:#{@riff-hooks},#{pid}}",
                hooks.map { "set-option -guq \($0) ; " }.joined() + "set-option -gF @riff-hooks '#{pid}'"
            ),
        ]

    /// The command by which a program's title reaches the terminals of a server that is Riff's. A person who has tmux
    /// set titles keeps those.
    package static let titles: [[ShellWord]] = [
        only(
            "#{||:#{==:#{set-titles},0},#{==:#{set-titles},off}}",
            "set-option -g set-titles-string '#{pane_title}' ; set-option -g set-titles on"
        )
    ]

    /// Returns the commands for one session, on any server: options set for a session alone hold, even if a plugin sets
    /// them for all sessions afterwards.
    package static func session(_ name: SessionName) -> [[ShellWord]] {
        [("detach-on-destroy", "on"), ("destroy-unattached", "off"), ("lock-after-time", "0")].map { option, value in
            ["set-option", "-q", "-t", name.paneTarget, ShellWord(option), ShellWord(value)]
        }
    }

    /// The command that leaves the list of a configuration's errors, which tmux lays over the first session of a
    /// server: it would hide the program and take its keys. Nothing for a name that cannot be a target.
    package static func leavingErrors(_ name: SessionName) -> [[ShellWord]] {
        guard let target = try? name.paneTarget.quoted() else { return [] }
        let leaving = ShellWord("send-keys -X -t \(target) cancel")
        return [["if-shell", "-F", "-t", name.paneTarget, "#{==:#{pane_mode},view-mode}", leaving]]
    }

    private static func only(_ condition: String, _ command: String) -> [ShellWord] {
        ["if-shell", "-F", ShellWord(condition), ShellWord(command)]
    }

    /// The hooks that what people and Riff do on the server can set off (tmux(1), HOOKS; up to 3.6).
    private static let hooks = [
        "alert-activity", "alert-bell", "alert-silence", "client-active", "client-attached", "client-dark-theme",
        "client-detached", "client-focus-in", "client-focus-out", "client-light-theme", "client-resized",
        "client-session-changed", "command-error", "pane-died", "pane-exited", "pane-focus-in", "pane-focus-out",
        "pane-mode-changed", "pane-set-clipboard", "pane-title-changed", "session-closed", "session-created",
        "session-renamed", "session-window-changed", "window-layout-changed", "window-linked", "window-pane-changed",
        "window-renamed", "window-resized", "window-unlinked",
        "after-bind-key", "after-capture-pane",
        "after-copy-mode", "after-display-message", "after-display-panes", "after-kill-pane", "after-kill-session",
        "after-list-buffers", "after-list-clients", "after-list-keys", "after-list-panes", "after-list-sessions",
        "after-list-windows", "after-load-buffer", "after-lock-server", "after-new-session", "after-new-window",
        "after-paste-buffer", "after-pipe-pane", "after-queue", "after-refresh-client", "after-rename-session",
        "after-rename-window", "after-resize-pane", "after-resize-window", "after-save-buffer", "after-select-layout",
        "after-select-pane", "after-select-window", "after-send-keys", "after-set-buffer", "after-set-environment",
        "after-set-hook", "after-set-option", "after-show-environment", "after-show-messages", "after-show-options",
        "after-split-window", "after-unbind-key",
    ]
}
