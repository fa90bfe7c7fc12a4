// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

struct TmuxConfigurationReviewTests {
    private static func lines(_ text: String) -> [Int] {
        TmuxConfigurationReview([(path: "~/.tmux.conf", text: text)]).problems.map(\.line)
    }

    @Test(arguments: [
        "", "\n\n# kill-server\n",
        """
        # A plain one.
        unbind C-b
        set -g prefix C-a
        bind C-a send-prefix
        set -g mouse on
        set -g base-index 1
        set -g default-terminal "tmux-256color"
        set -ga terminal-overrides ",xterm-256color:Tc"
        bind r source-file ~/.tmux.conf \\; display "Reloaded"
        bind | split-window -h -c "#{pane_current_path}"
        bind -n M-Left select-pane -L
        set -g status-right '#(whoami) %H:%M'
        set -g @plugin 'tmux-plugins/tpm'
        set -g @continuum-restore 'off'
        new-session -s main
        run '~/.tmux/plugins/tpm/tpm'
        """,
        // Overridden, so that nobody need change it.
        "set -g detach-on-destroy off\nset -g destroy-unattached on\nset -s exit-unattached off\nset -g lock-after-time 5",
        "bind -n x kill-session\nbind X {\n  kill-server\n}\nset -g mouse on\nbind x { kill-session ; kill-server }",
        "set-hook -g client-attached 'display hello'\nset-hook -g session-closed {\n  if -F '#{x}' {\n    choose-tree\n  }\n}",
        "bind '{' swap-pane -U\nbind '}' swap-pane -D\nset -g status-left \"#{?x,a;b,kill}\"",
    ])
    func `an empty and a plain configuration, and what is overridden, name nothing`(_ text: String) {
        #expect(Self.lines(text).isEmpty)
    }

    @Test(arguments: [
        ("set -g mouse on\nkill-session -t riff", [2]),
        ("run-shell -b 'sleep 5; tmux -L riff kill-session -t riff'", [1]),
        ("# a\n\nif-shell 'test -f x' \\\n  'run \"tmux switch-client -n\"'\nset -g mouse on\nlock-server", [3, 6]),
        ("new-session -d -s riff vim\nnew -s riff-2\nnew -s riffraff", [1, 2]),
        ("set -g @continuum-restore 'on'", [1]),
        ("set -g terminal-overrides 'xterm*:kf12=\\E[1~'", [1]),
        ("bind X {\n  kill-server\n}\nkill-server", [4]),
        ("set -s exit-unattached on", [1]),
        (
            "set-hook -g client-detached 'kill-session -t riff'\nset-hook -g session-closed {\n  switch-client -n\n}",
            [1, 3]
        ),
        ("set -g mouse on ; rename-session gone", [1]),
        ("bind '{' swap-pane -U\nkillp\nlockc\nkill-ser", [2, 3, 4]),
        ("if -F 1 'detach'", [1]),
        ("set -g set-titles-string '#(tmux rename-session gone)'", [1]),
        ("rename-session mine\r\nswitchc -n\r", [1, 2]),
    ])
    func `what nothing overrides is named with its line`(_ text: String, _ lines: [Int]) {
        #expect(Self.lines(text) == lines)
    }

    @Test func `the files that tmux reads, and those that they name, are printed and read`() async throws {
        let shell = try #require(ShellProgram.shells.first)
        try await withTemporaryHome { home in
            try "set -g mouse on\nsource-file -q ~/more.conf\nsource '\(home.path)/none'\n"
                .write(to: home.appendingPathComponent(".tmux.conf"), atomically: true, encoding: .utf8)
            try "\nkill-server".write(to: home.appendingPathComponent("more.conf"), atomically: true, encoding: .utf8)
            let output = try await shell.run(["-c", TmuxConfigurationReview.printing], in: home).output
            let text = String(decoding: output, as: UTF8.self)
            let review = TmuxConfigurationReview(printed: text.split(whereSeparator: \.isNewline))
            #expect(review.problems.map(\.line) == [2])
            #expect(review.problems.first?.file == home.appendingPathComponent("more.conf").path)
            #expect(review.problems.first?.reason == "ends all sessions")
        }
    }
}
