// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import Testing

extension RealServers {
    /// Sessions as a front end has them: `SSHHost.session` to a real sshd, a login shell, and tmux.
    @Suite(.enabled(if: SystemProgram.path("tmux") != nil, "needs tmux"))
    struct SSHSessionTests {
        /// The login shells that a session works under, as far as they are installed.
        static let shells = ["dash", "bash", "zsh", "fish"].filter { SystemProgram.path($0) != nil }

        // MARK: Opening

        @Test(arguments: shells)
        func `hostile directories are opened and nothing in their names is run`(shell: String) async throws {
            try await SessionLab.with(shell: shell) { lab in
                let up = try lab.makeSignal("up")
                let names = [#"a'b "c; touch pwned"#, #"a\'b; touch pwned #"#]
                for (index, name) in names.enumerated() {
                    let folder = try lab.makeFolder(name)
                    for (form, directory) in ["absolute": folder, "under-home": "~/\(name)"] {
                        let session = "s-\(index)-\(form)"
                        let terminal = try await lab.open(
                            session,
                            in: directory,
                            running: "pwd >\(up.path); exec sleep 1000"
                        )
                        #expect(try await up.next() == folder)
                        #expect(try await lab.pane("#{pane_current_path}", of: session) == folder)
                        await terminal.close()
                    }
                }
                #expect(try !lab.holds("pwned"))
            }
        }

        @Test(arguments: shells)
        func `a session starts at home, or where an absolute path says`(shell: String) async throws {
            try await SessionLab.with(shell: shell) { lab in
                let up = try lab.makeSignal("up")
                let work = try lab.makeFolder("my $HOME work")
                let forms = [
                    ("$HOME", lab.home), ("~", lab.home), (work, work), ("$HOME/my $HOME work", work), ("/", "/"),
                ]
                for (index, (form, path)) in forms.enumerated() {
                    let terminal = try await lab.open("s-\(index)", in: form, running: "pwd >\(up.path); exec cat")
                    #expect(try await up.next() == path, "\(form)")
                    #expect(try await lab.pane("#{pane_current_path}", of: "s-\(index)") == path, "\(form)")
                    await terminal.close()
                }
            }
        }

        @Test(arguments: shells)
        func `claude is found on the PATH of a login profile, and sees no tmux`(shell: String) async throws {
            try await SessionLab.with(shell: shell) { lab in
                let up = try lab.makeSignal("up")
                let programs = try lab.makeFolder("my bin")
                let fish = try lab.makeFolder(".config/fish")
                let profile = "PATH=\"\(programs):$PATH\"\nexport PATH\n"
                for (file, text) in [
                    ("\(lab.home)/.profile", profile), ("\(lab.home)/.zprofile", profile),
                    ("\(fish)/config.fish", "set -gx PATH \"\(programs)\" $PATH\n"),
                ] {
                    try text.write(toFile: file, atomically: true, encoding: .utf8)
                }
                // Written by a child: a file this process still has open for writing cannot be run by another.
                let script = "#!/bin/sh\nenv >env; echo up >\(up.path); exec cat\n"
                let write = "printf %s \"$1\" >\"$2\" && chmod 755 \"$2\""
                _ = try await SystemProgram.run("sh", ["-c", write, "sh", script, "\(programs)/claude"])
                let terminal = try await lab.host.session("riff", size: .standard)
                #expect(try await up.next() == "up")
                let names = try lab.text("env").split(separator: "\n").map { $0.prefix { $0 != "=" } }
                #expect(names.contains("PATH"))
                #expect(!names.contains("TMUX") && !names.contains("TMUX_PANE"))
                await terminal.close()
            }
        }

        @Test(.enabled(if: SystemProgram.path("csh") != nil, "needs csh"))
        func `a session under csh is refused with the error that names the shell`() async throws {
            try await SessionLab.with(shell: "csh") { (lab) async throws in
                let error = await #expect(throws: CoreError.self) { _ = try await lab.open(running: "exec cat") }
                #expect(error?.stableCode == "core.unsupportedShell")
                #expect(error?.message.contains("csh") == true)
                #expect(try await lab.tmuxRun(on: "riff", ["list-sessions"]).status != 0)
            }
        }

        @Test func `tmux sees one client of the right size and type, and the first pane has the history`() async throws
        {
            try await SessionLab.with { lab in
                let up = try lab.makeSignal("up")
                let size = TerminalSize(columns: 91, rows: 33)
                let session = try await lab.open(size: size, running: "stty size >\(up.path); exec cat")
                #expect(try await up.next() == "33 91")
                let client =
                    "#{client_width}x#{client_height} #{client_termname} #{client_control_mode} #{client_session}"
                #expect(try await lab.tmux("list-clients", "-F", client) == "91x33 xterm-256color 0 riff")
                #expect(try await lab.tmux("list-panes", "-a", "-F", "#{history_limit}") == "50000")
                await session.close()
            }
        }

        @Test func `a session is resized with its terminal`() async throws {
            try await SessionLab.with { lab in
                let (up, sizes) = (try lab.makeSignal("up"), try lab.makeSignal("sizes"))
                // `wait` is the one thing that a signal interrupts in every shell.
                let script = "trap 'stty size </dev/tty >\(sizes.path)' WINCH; sleep 1000 & echo up >\(up.path); "
                let session = try await lab.open(running: script + "while :; do wait; done")
                #expect(try await up.next() == "up")
                for (columns, rows) in [(132, 43), (40, 12)] {
                    try await session.resize(to: TerminalSize(columns: columns, rows: rows))
                    #expect(try await sizes.next() == "\(rows) \(columns)")
                }
                await session.close()
            }
        }

        @Test func `the person's own tmux server is left as it was`() async throws {
            try await SessionLab.with { lab in
                let up = try lab.makeSignal("up")
                // As the person would have started it: by a shell of that host.
                let mine = "tmux new-session -d -s mine 'exec sleep 1000' && tmux set -g history-limit 123"
                #expect(try await lab.host.files.run(mine).exit == .exited(0))
                func look() async throws -> [String] {
                    var seen: [String] = []
                    let all = "#{session_name} #{session_created} #{session_attached} #{pane_pid} #{history_limit}"
                    for arguments in [
                        ["list-panes", "-a", "-F", all], ["show-options", "-g"], ["show-options", "-s"],
                        ["show-environment", "-g"], ["list-keys"], ["list-clients"],
                    ] {
                        let (status, output) = try await lab.tmuxRun(on: "default", arguments)
                        #expect(status == 0, "\(output)")
                        seen.append(output)
                    }
                    return seen
                }
                let before = try await look()
                let session = try await lab.open(running: "echo up >\(up.path); exec cat")
                #expect(try await up.next() == "up")
                #expect(try await lab.tmux("list-sessions", "-F", "#{session_name}") == "riff")
                #expect(try await look() == before)
                await session.close()
                try await lab.tmux("kill-server")
                #expect(try await look() == before)
            }
        }
    }
}
