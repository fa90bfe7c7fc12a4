// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// Two agents on a host whose person has a `tmux.conf`, over a real sshd: nothing in it may lose one of them, or
    /// put a word into the wrong one.
    @Suite(.enabled(if: ManagerLab.isPossible, "needs sshd and tmux"))
    struct PersonalConfigurationTests {
        /// Configurations that people have, and those that could do the most harm.
        static let configurations: [String] = [
            "",
            "set -g prefix C-a\nset -g mouse on\nset -g status-style bg=red\nset -g history-limit 10000",
            "set -g detach-on-destroy off",
            "set -g detach-on-destroy no-detached\nset -g detach-on-destroy previous",
            "no-such-command\nset -g no-such-option 1",
            "set -g destroy-unattached on",
            "set -s exit-unattached on",
            "set -g lock-after-time 1\nset -g lock-command cat",
            "set -g remain-on-exit on",
            "setw -g synchronize-panes on",
            "setw -g window-size manual",
            "set -g key-table off\nbind -T off Any display-message no",
            "bind -n a kill-session\nbind -n o kill-server\nbind -n Enter switch-client -n",
            "bind -n F12 set key-table off\nbind -n C-h select-pane -L\nbind -n C-c detach-client",
            "unbind -a -T root\nunbind -a -T copy-mode\nunbind -a -T copy-mode-vi\nunbind -a",
            "set -g prefix C-c",
            "set -g prefix e\nset -g prefix2 w",
            "set -s user-keys[0] \"\\e[24~\"\nset -s user-keys[1] \"\\e[24;6~\"\nbind -n User0 kill-session",
            "set -s command-alias[50] attach-session=kill-server",
            "set-hook -g client-detached kill-session\nset-hook -g client-attached 'switch-client -n'",
            "set-hook -g session-created 'rename-session mine'",
            "set-hook -g session-closed 'switch-client -n'\nset -g detach-on-destroy off",
            "set-hook -g after-new-session 'kill-session'\nset-hook -g pane-exited[7] 'kill-server'",
            "set-hook -g client-attached 'choose-tree'\nset-hook -g client-session-changed 'copy-mode'",
            "set-hook -g after-unbind-key 'rename-session gone'\nset-hook -g after-set-option 'detach-client'",
            "set -g @riff-hooks cleared\nset-hook -g client-attached 'rename-session gone'",
            "set -g prefix F12\nset -g prefix2 C-S-F12",
            "set -g display-time 0\nset -g visual-bell on\nset -g visual-activity on\nsetw -g monitor-activity on",
            "set-hook -g pane-focus-in 'clock-mode'\nset -g focus-events on",
            "set -s extended-keys always\nset -s backspace C-h\nsetw -g mode-keys vi\nset -g status-keys vi",
            "set -g default-command /bin/false\nset -g default-shell /bin/false\nset -g default-size 10x5",
            "set -g aggressive-resize on\nset -g base-index 5\nset -g visual-activity on\nset -g monitor-silence 1",
            "if-shell true 'set -g destroy-unattached on' ; if-shell true 'set -g detach-on-destroy off'",
        ]

        /// The words of one agent end with a mark of its own.
        private static let agent = NewSessionSpec(
            harness: .custom(
                #"exec sh -c 'echo ready; while IFS= read -r line; do echo "heard [$line]"; case $line in end*) exit;; esac; done'"#
            )
        )

        /// Four at a time, since they wait most of the time.
        @Test func `no word goes into another agent, and no agent is lost, whatever is in tmux.conf`() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, text) in Self.configurations.enumerated() {
                    if number >= 4 { try await group.next() }
                    group.addTask { try await Self.tryEverything(text) }
                }
                try await group.waitForAll()
            }
        }

        private static func tryEverything(_ text: String) async throws {
            do {
                try await PersonalHome.with(text) { lab, server in
                    let proxy = try await ChaosProxy.start(target: lab.server.port)
                    let host = try lab.host(port: proxy.port)
                    try await use(host, server, proxy, "\(text)")
                    await host.shutdown()
                    await proxy.stop()
                }
            } catch {
                throw TestingError(.serverEnded, "with \(text): \(error)")
            }
        }

        private static func use(_ host: SSHHost, _ server: TmuxServer, _ proxy: ChaosProxy, _ text: Comment)
            async throws
        {
            let one = try await host.session("riff-one", size: .standard, server: server, spec: agent)
            let two = try await host.session("riff-two", size: .standard, server: server, spec: agent)
            var (first, second) = (TerminalText(one.output), TerminalText(two.output))
            try await first.read(through: "ready")
            try await second.read(through: "ready")
            try await one.type("a word for one", submit: true)
            try await first.read(through: "heard [a word for one ]")
            // A cut, with everybody gone for a moment.
            let panes = try await panes(server, host)
            #expect(panes.keys.sorted() == ["riff-one", "riff-two"], text)
            let (firstStates, secondStates) = (one.updates(), two.updates())
            try await proxy.resetAll()
            for await state in firstStates { if case .reconnecting = state { break } }
            for await state in secondStates { if case .reconnecting = state { break } }
            for await state in one.updates() where state.isOpen { break }
            for await state in two.updates() where state.isOpen { break }
            #expect(try await Self.panes(server, host) == panes, text)
            try await two.type("two is here", submit: true)
            try await second.read(through: "heard [two is here ]")
            // The end of one, and words that were meant for it.
            // The agent ends with the Return, perhaps before the host says that it came.
            let code = await transportError { try await one.type("end", submit: true) }?.code
            #expect(code == nil || code == .inputUncertain, text)
            for await state in one.updates() {
                guard state.isOpen else { break }
                // It may have ended by now.
                try? await one.write(Array("stray\r".utf8))
            }
            await #expect(throws: TransportError.self, text) { try await one.type("stray", submit: true) }
            #expect(try await Self.panes(server, host) == panes.filter { $0.key == "riff-two" }, text)
            try await two.type("the last", submit: true)
            let heard = try await second.read(through: "heard [the last ]")
            #expect(!heard.contains("stray"), text)
        }

        /// The panes' processes by their sessions.
        private static func panes(_ server: TmuxServer, _ host: SSHHost) async throws -> [String: String] {
            let line = try TmuxCommand(server.socket, ["list-panes", "-a", "-F", "#{session_name} #{pane_pid}"]).line()
            let lines = try await host.text(of: line).split(separator: "\n").map { $0.split(separator: " ") }
            return Dictionary(uniqueKeysWithValues: lines.map { (String($0[0]), String($0[1])) })
        }
    }
}
