// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)), .enabled(if: ShellProgram.tmux != nil))
    struct TmuxServerTests {
        @Test func `the attach line run twice gives one session with two clients`() async throws {
            try await TmuxLab.with { lab in
                let command = lab.server.attachOrCreate(.base, harness: lab.reporting("true"))
                try await lab.attach(command)
                try await lab.wait()
                try await lab.setHook("client-attached", signal: "attached")
                try await lab.attach(command)
                try await lab.wait(for: "attached")
                let sessions = try SessionListing.parse(Array(try await lab.run(lab.server.listSessions()).output.utf8))
                #expect(sessions.map(\.name) == [.base])
                #expect(sessions.map(\.clients) == [2])
                #expect(try await lab.ask("display-message", "-p", "-t", "=riff:", "#{window_height}") == "24")
            }
        }

        @Test(arguments: ShellProgram.shells)
        func `a session starts where each form of the directory says`(_ shell: ShellProgram) async throws {
            try await TmuxLab.with(shell: shell) { lab in
                let folder = try lab.makeFolder("my $HOME work")
                let forms: [(String, String)] = [
                    ("$HOME", lab.home.path), ("~", lab.home.path), ("", lab.home.path), (folder, folder),
                    ("~/my $HOME work", folder), ("$HOME/my $HOME work", folder), ("my $HOME work", folder),
                ]
                for (index, (form, path)) in forms.enumerated() {
                    let name = try SessionName("s-\(index)")
                    let directory = try StartDirectory(form)
                    let command = lab.server.attachOrCreate(
                        name,
                        directory: directory,
                        harness: lab.reporting("pwd > pwd-\(index)")
                    )
                    try await lab.attach(command)
                    try await lab.wait()
                    let current = try await lab.ask("display-message", "-p", "-t", "=\(name):", "#{pane_current_path}")
                    #expect(current == path, "\(form)")
                }
            }
        }

        @Test(arguments: ShellProgram.shells)
        func `a hostile directory is opened and nothing in its name is run`(_ shell: ShellProgram) async throws {
            let names = [
                #"a'b "c; touch pwned"#, #"a\'b; touch pwned #"#, "#(touch pwned)", "#[x]#(touch pwned)", "##[#{pid}",
                "$(touch pwned)`touch pwned`", "tail;", #"tail\;"#, "!! * ?", "é 日本",
            ]
            try await TmuxLab.with(shell: shell) { lab in
                for (index, name) in names.enumerated() {
                    let folder = try lab.makeFolder(name)
                    let session = try SessionName("s-\(index)")
                    let spec = NewSessionSpec(directory: try StartDirectory(folder), harness: lab.reporting("true"))
                    let result = try await lab.run(lab.server.newDetached(session, spec: spec))
                    #expect(result.status == 0)
                    try await lab.wait()
                    let current = try await lab.ask(
                        "display-message",
                        "-p",
                        "-t",
                        "=\(session):",
                        "#{pane_current_path}"
                    )
                    #expect(current == folder)
                    #expect(!lab.exists("pwned") && !lab.exists("\(name)/pwned"))
                }
            }
        }

        @Test(arguments: ShellProgram.shells)
        func `the two directories of the report open in a terminal`(_ shell: ShellProgram) async throws {
            try await TmuxLab.with(shell: shell) { lab in
                for (index, name) in [#"a'b "c; touch pwned"#, #"a\'b; touch pwned #"#].enumerated() {
                    let folder = try lab.makeFolder(name)
                    let session = try SessionName("s-\(index)")
                    let directory = try StartDirectory("~/" + name)
                    try await lab.attach(
                        lab.server.attachOrCreate(session, directory: directory, harness: lab.reporting("true"))
                    )
                    try await lab.wait()
                    let current = try await lab.ask(
                        "display-message",
                        "-p",
                        "-t",
                        "=\(session):",
                        "#{pane_current_path}"
                    )
                    #expect(current == folder)
                    #expect(!lab.exists("pwned") && !lab.exists("\(name)/pwned"))
                }
            }
        }

        @Test func `the first pane has the options, and the wheel scrolls it`() async throws {
            try await TmuxLab.with { lab in
                try await lab.attach(lab.server.attachOrCreate(.base, harness: lab.reporting("seq 200")))
                try await lab.wait()
                let format = "#{history_limit} #{pane_in_mode}"
                #expect(try await lab.ask("list-panes", "-t", "=riff:", "-F", format) == "50000 0")
                #expect(try await lab.ask("show-options", "-gv", "mouse") == "on")
                #expect(try await lab.ask("show-options", "-gv", "status") == "off")
                #expect(try await lab.ask("show-options", "-sv", "escape-time") == "10")
                let features = try await lab.ask("list-clients", "-F", "#{client_termfeatures}")
                #expect(features.contains("RGB"))
                try await lab.setHook("pane-mode-changed", signal: "mode")
                try await lab.type(Array("\u{1B}[<64;1;1M".utf8))
                try await lab.wait(for: "mode")
                #expect(try await lab.ask("display-message", "-p", "-t", "=riff:", "#{pane_mode}") == "copy-mode")
            }
        }

        @Test(arguments: ShellProgram.shells)
        func `every harness runs without the variables of tmux`(_ shell: ShellProgram) async throws {
            try await TmuxLab.with(shell: shell) { lab in
                try await LoginShellCommandTests.writeProfiles(in: lab.home)
                let script =
                    "#!/bin/sh\nenv > env-claude; printf '%s|' \"$@\" > arguments; \(lab.signalling("up")); exec sleep 1000\n"
                try await lab.home.appendingPathComponent("my bin/claude").writeScript(script)
                let launch = ClaudeLaunch(
                    arguments: ["--effort", "max; $HOME"],
                    environment: ["RIFF_TEST_WINDOW": "200000;"]
                )
                try await lab.attach(lab.server.attachOrCreate(.base, claude: launch))
                try await lab.wait()
                let custom = NewSessionSpec(harness: lab.reporting("env > env-custom"))
                _ = try await lab.run(lab.server.newDetached(.init("riff-2"), spec: custom))
                try await lab.wait()
                for file in ["env-claude", "env-custom"] {
                    let names = try lab.text(file).split(separator: "\n").map { $0.prefix { $0 != "=" } }
                    #expect(names.contains("PATH"))
                    #expect(!names.contains("TMUX") && !names.contains("TMUX_PANE"))
                }
                #expect(try lab.text("arguments") == "--effort|max; $HOME|")
                #expect(try lab.text("env-claude").contains("\nRIFF_TEST_WINDOW=200000;\n"))
            }
        }

        @Test(arguments: ShellProgram.shells)
        func `a harness of one's own runs as it was written`(_ shell: ShellProgram) async throws {
            try await TmuxLab.with(shell: shell) { lab in
                let agent = try lab.makeFolder("a b") + "/agent"
                let report = "printf '%s|' \"$@\" > arguments; \(lab.signalling("up")); exec sleep 1000"
                try await URL(fileURLWithPath: agent).writeScript("#!/bin/sh\n\(report)\n")
                let path = try ShellQuoting.quote(agent)
                let lines = ["\(path) --model 'x y' \"$HOME\";", "cd \"$HOME\" && \(path) --model 'x y' \"$HOME\""]
                for (index, line) in lines.enumerated() {
                    let name = try SessionName("s-\(index)")
                    try await lab.attach(lab.server.attachOrCreate(name, harness: Harness(line)))
                    try await lab.wait()
                    if index == 0 {
                        #expect(try lab.text("arguments") == "--model|x y|\(lab.home.path)|")
                    }
                    #expect(try await lab.ask("has-session", "-t", "=\(name)").isEmpty)
                }
            }
        }

        @Test(arguments: ["bash", "$SHELL"])
        func `a shell is a harness too`(_ line: String) async throws {
            try await TmuxLab.with(shell: ShellProgram.find("bash")) { lab in
                _ = try await lab.run(lab.server.newDetached(.base, spec: NewSessionSpec(harness: Harness(line))))
                let typed = "ps -o args= -p $$ > shell; \(lab.signalling("up"))"
                try await lab.ask("send-keys", "-t", "=riff:", typed, "Enter")
                try await lab.wait()
                #expect(try lab.text("shell").contains("bash"))
            }
        }

        @Test func `a taken name is told and nothing is attached`() async throws {
            try await TmuxLab.with { lab in
                let spec = NewSessionSpec(harness: lab.reporting("true"))
                let first = try await lab.run(lab.server.newDetached(.init("riff-2"), spec: spec))
                let second = try await lab.run(lab.server.newDetached(.init("riff-2"), spec: spec))
                #expect(first.failure == nil && first.status == 0)
                #expect(second.failure == TmuxFailure(.duplicateSession, subject: "riff-2"))
                #expect(second.status == 1)
                let sessions = try SessionListing.parse(Array(try await lab.run(lab.server.listSessions()).output.utf8))
                #expect(sessions.map(\.clients) == [0])
            }
        }

        @Test func `no server is an empty list, and so is one that has ended`() async throws {
            try await TmuxLab.with { lab in
                #expect(try await lab.run(lab.server.listSessions()).failure?.kind == .noServer)
                _ = try await lab.run(
                    lab.server.newDetached(.base, spec: NewSessionSpec(harness: lab.reporting("true")))
                )
                #expect(try await lab.run(lab.server.kill(.base)).status == 0)
                #expect(try await lab.run(lab.server.listSessions()).failure?.kind == .noServer)
            }
        }

        @Test func `sessions with odd names are listed, found exactly and ended`() async throws {
            try await TmuxLab.with { lab in
                let names = ["riff", "riff-2", "é 日本", "a#b", "#[x", "a b|c", "-dash", "{x}", "a$", "*"]
                let spec = NewSessionSpec(harness: lab.reporting("true"))
                for name in names {
                    #expect(
                        try await lab.run(lab.server.newDetached(SessionName(name), spec: spec)).status == 0,
                        "\(name)"
                    )
                }
                try await lab.ask("new-session", "-d", "-s", #"made\elsewhere$HOME"#, "sleep 1000")
                func list() async throws -> [LiveSession] {
                    try SessionListing.parse(Array(try await lab.run(lab.server.listSessions()).output.utf8))
                }
                let listed = try await list()
                #expect(Set(listed.map(\.name.rawValue)) == Set(names + [#"made\\elsewhere\$HOME"#]))
                #expect(listed.allSatisfy { $0.windows == 1 && $0.clients == 0 && $0.created > 0 })
                // No session is called "rif": an exact target does not take one that begins so.
                #expect(try await lab.run(lab.server.kill(SessionName("rif"))).failure?.kind == .sessionNotFound)
                for session in listed where session.name != .base {
                    #expect(try await lab.run(lab.server.kill(session.name)).status == 0, "\(session.name)")
                }
                #expect(try await list().map(\.name) == [.base])
            }
        }

        @Test func `attaching to a session that ended fails and makes none`() async throws {
            try await TmuxLab.with { lab in
                let spec = NewSessionSpec(harness: lab.reporting("true"))
                _ = try await lab.run(lab.server.newDetached(.base, spec: spec))
                let result = try await lab.run(lab.server.attach(SessionName("riff-2")))
                #expect(result.failure == TmuxFailure(.sessionNotFound, subject: "riff-2"))
                try await lab.setHook("client-attached", signal: "attached")
                try await lab.attach(lab.server.attach(.base))
                try await lab.wait(for: "attached")
            }
        }

        @Test func `a detached session has the size that it is given`() async throws {
            try await TmuxLab.with { lab in
                let spec = NewSessionSpec(harness: lab.reporting("true"))
                _ = try await lab.run(
                    lab.server.newDetached(.base, spec: spec, size: TerminalSize(columns: 100, rows: 40))
                )
                let size = try await lab.ask("display-message", "-p", "-t", "=riff:", "#{pane_width}x#{pane_height}")
                #expect(size == "100x40")
            }
        }
    }
}
