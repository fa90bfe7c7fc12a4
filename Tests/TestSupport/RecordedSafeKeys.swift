// Riff
// SPDX-License-Identifier: Apache-2.0

/// What tmux 3.3a lists where the safe keys stand, without most of its own bindings.
package enum RecordedSafeKeys {
    package static let text = """
        bind-key -T riff-root F12                  if-shell -F "#{pane_in_mode}" "copy-mode -q"
        bind-key -T riff-root MouseDown1Pane       if-shell -F 1 "select-pane -t = ; send-keys -M"
        bind-key -T riff-root WheelUpPane          if-shell -F "#{||:#{pane_in_mode},#{mouse_any_flag}}" "send-keys -M"
        bind-key -T riff-root \u{100003}       if-shell -F "#{!=:#{session_id},$3}" detach-client
        bind-key -T riff-root C-S-F11              send-keys Escape
        bind-key -T riff-root C-S-F12              switch-client -T riff-input
        bind-key    -T copy-mode    F12       copy-mode -q
        bind-key -r -T copy-mode-vi C-S-F12   switch-client -T riff-input
        bind-key    -T copy-mode    C-S-F12   switch-client -T riff-input
        bind-key    -T copy-mode-vi F12       copy-mode -q
        bind-key    -T copy-mode-vi \\"        send-keys -X x
        bind-key -T riff-input C-c     if-shell -F "#{pane_in_mode}" "copy-mode -q"
        bind-key -T riff-input C-S-F12 switch-client -T riff-input
        riff-options $3 1700000000 0 riff-root C-b None
        """
}
