// Riff
// SPDX-License-Identifier: Apache-2.0

extension HostSetup {
    /// Configurations of tmux as people publish them, written anew.
    static let tmuxConfigurations: [HostSetup] = [
        HostSetup(name: "tmux: none"),
        HostSetup(
            name: "tmux: Ctrl-A, the mouse, splits on keys",
            tmux: """
                unbind C-b
                set -g prefix C-a
                bind C-a send-prefix
                set -g mouse on
                bind | split-window -h -c "#{pane_current_path}"
                bind - split-window -v -c "#{pane_current_path}"
                bind -n M-Left select-pane -L
                bind r source-file ~/.tmux.conf \\; display "Reloaded"
                """
        ),
        HostSetup(
            name: "tmux: a status line at the top",
            tmux: """
                set -g status on
                set -g status-position top
                set -g status-interval 1
                set -g status-left "#[bold] #S "
                set -g status-right "%H:%M #(echo up)"
                set -g pane-border-status top
                """
        ),
        HostSetup(
            name: "tmux: counting from 1",
            tmux: "set -g base-index 1\nsetw -g pane-base-index 1\nset -g renumber-windows on"
        ),
        HostSetup(
            name: "tmux: keys as in vi",
            tmux: """
                setw -g mode-keys vi
                set -g status-keys vi
                bind -T copy-mode-vi v send -X begin-selection
                bind -T copy-mode-vi y send -X copy-pipe-and-cancel "cat >/dev/null"
                bind -n C-h select-pane -L
                bind -n C-l select-pane -R
                """
        ),
        HostSetup(name: "tmux: remain-on-exit", tmux: "set -g remain-on-exit on\nset -g detach-on-destroy off"),
        HostSetup(
            name: "tmux: plugins whose manager is missing, and their hooks",
            tmux: """
                set -g @plugin 'tmux-plugins/tpm'
                set -g @plugin 'tmux-plugins/tmux-sensible'
                set -g @resurrect-capture-pane-contents 'on'
                set-hook -g session-created 'run-shell "true"'
                set-hook -g client-attached 'display-message "welcome"'
                set-hook -g after-new-window 'rename-window new'
                run '~/.tmux/plugins/tpm/tpm'
                """
        ),
        HostSetup(
            name: "tmux: another shell and a command for it",
            tmux: "set -g default-shell /usr/bin/zsh\nset -g default-command 'reattach-to-user-namespace -l zsh'"
        ),
        HostSetup(name: "tmux: a slow escape key", tmux: "set -sg escape-time 500\nset -g repeat-time 1000"),
        HostSetup(
            name: "tmux: titles and sizes of its own",
            tmux: "set -g set-titles on\nset -g set-titles-string '#S/#W'\nsetw -g aggressive-resize on"
        ),
        HostSetup(
            name: "tmux: locked after a second",
            tmux: "set -g lock-after-time 1\nset -g lock-command 'cat'"
        ),
        HostSetup(
            name: "tmux: names that change by themselves",
            tmux:
                "setw -g automatic-rename on\nsetw -g allow-rename on\nset -g automatic-rename-format '#{b:pane_current_path}'"
        ),
        HostSetup(
            name: "tmux: a line that it does not know",
            tmux: "set -g mouse on\nset -g no-such-option yes\nno-such-command\nset -g status-bg \"unfinished"
        ),
        HostSetup(
            name: "tmux: focus events and an odd terminal",
            tmux:
                "set -g focus-events on\nset -g default-terminal \"xterm-riff-unknown\"\nset -ga terminal-overrides \",*:Tc\""
        ),
        HostSetup(
            name: "tmux: another prefix for nested sessions, off at a key",
            tmux:
                "bind -T root F12 set prefix None \\; set key-table off\nbind -T off F12 set -u prefix \\; set -u key-table"
        ),
        HostSetup(
            name: "tmux: sessions that end when nobody looks",
            tmux: "set -g destroy-unattached on\nset -s exit-unattached on",
            outcome: .works(warning: ["/.tmux.conf, line 2", "ends all sessions"])
        ),
        HostSetup(
            name: "tmux: a file that ends a session",
            tmux: "source-file -q ~/.tmux/more.conf",
            files: [".tmux/more.conf": "set -g status on\nkill-session -t main\n"],
            outcome: .works(warning: ["/.tmux/more.conf, line 2", "ends a session"])
        ),
        HostSetup(
            name: "tmux: inside of another one",
            variables: ["TMUX": "/tmp/riff-no-such-tmux,1,0", "TMUX_PANE": "%0"]
        ),
    ]
}
