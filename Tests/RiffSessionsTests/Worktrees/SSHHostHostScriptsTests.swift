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
    /// Worktrees (W2 to W6) on a host that is reached by SSH, from the installation to the removal.
    @Suite(.enabled(if: SystemProgram.path("tmux") != nil && SystemProgram.path("git") != nil))
    struct HostLinkHostScriptsTests {
        /// A host whose home is a folder of the test's own, with a repository `work` and a `claude` that says where it
        /// is.
        private static func with(_ body: (SSHHost, _ home: String) async throws -> Void) async throws {
            let home = "/tmp/riff-home-\(UInt32.random(in: .min ... .max))"
            let script = """
                mkdir -p "$0/.local/bin" "$0/work" && cd "$0" && mkfifo up-riff up-riff-2 removed && git init -q work &&
                git -C work -c user.name=a -c user.email=a@localhost commit -q --allow-empty -m one &&
                printf '#!/bin/sh\\npwd >~/where-$RIFF_SESSION\\necho up >~/up-$RIFF_SESSION\\nexec sleep 1000\\n' >.local/bin/claude &&
                chmod 755 .local/bin/claude && echo 'PATH="$HOME/.local/bin:$PATH"' >.profile
                """
            let made = try await SystemProgram.run("sh", ["-c", script, home])
            defer { try? FileManager.default.removeItem(atPath: home) }  // Cleanup.
            #expect(made.status == 0, "\(made.output)")
            var options = ThrowawaySSHServer.Options()
            options.shell = "/bin/sh"
            options.variables["HOME"] = home
            try await SSHLab.with(options) { try await body(try $0.host(), home) }
        }

        @Test func `a session gets its worktree, and gives it back when it is closed`() async throws {
            try await TmuxSocketFolder.with { socket in
                try await Self.with { host, home in
                    let tmux = TmuxServer(.path(socket))
                    for _ in 1...2 { try await host.installHostScripts() }
                    let worktrees = Worktrees(root: try StartDirectory("~/my trees"))
                    let session = try SessionName("riff-2")
                    let made = await host.link.report(
                        of: try tmux.newDetached(
                            session,
                            spec: NewSessionSpec(directory: try StartDirectory("~/work")),
                            claude: ClaudeArguments(worktrees: worktrees).launch
                        ).line()
                    )
                    #expect(try made.outcome.get(host: "box").status == 0, "\(made.diagnostics)")
                    #expect(try await SystemProgram.run("cat", ["\(home)/up-riff-2"]).output == "up\n")
                    let tree = "\(home)/my trees/worktrees/work/riff-2"
                    #expect(try String(contentsOfFile: "\(home)/where-riff-2", encoding: .utf8) == tree + "\n")

                    _ = await host.link.manage(try tmux.kill(session).line())
                    try Data("work".utf8).write(to: URL(fileURLWithPath: "\(tree)/draft"))
                    let kept = try await host.removeWorktrees(of: session, in: worktrees)
                    #expect(kept.removed.isEmpty && kept.kept.count == 1)
                    try FileManager.default.removeItem(atPath: "\(tree)/draft")
                    let removal = try await host.removeWorktrees(of: session, in: worktrees)
                    #expect(removal.removed == [tree] && removal.kept.isEmpty)
                    let branches = try await SystemProgram.run("git", ["-C", "\(home)/work", "branch"])
                    #expect(branches.output.contains("riff/riff-2"))
                }
            }
        }

        @Test func `a session manager makes and closes sessions with worktrees while they are asked for`() async throws
        {
            try await TmuxSocketFolder.with { socket in
                try await Self.with { host, home in
                    try await host.installHostScripts()
                    // Tells when the removal is through; nobody else does.
                    let teller = "#!/bin/sh\n~/.local/bin/riff-worktree-remove.sh \"$1\"\necho gone >~/removed\n"
                    let script =
                        "mkdir $0/first && cd $0/first && printf %s \"$1\" >$2 && chmod 755 $2 && "
                        + "echo 'PATH=\"$HOME/first:$PATH\"' >>../.profile"
                    let made = try await SystemProgram.run(
                        "sh",
                        ["-c", script, home, teller, HostScript.worktreeRemove.name]
                    )
                    #expect(made.status == 0, "\(made.output)")

                    let directory = try StartDirectory("~/work")
                    let configuration = SessionsConfiguration(
                        server: TmuxServer(.path(socket)),
                        base: NewSessionSpec(directory: directory),
                        claude: { ClaudeArguments(worktrees: Worktrees()) }
                    )
                    let manager = SessionManager(host, size: .standard, configuration: configuration)
                    await manager.start()
                    #expect(try await SystemProgram.run("cat", ["\(home)/up-riff"]).output == "up\n")
                    let session = try await manager.create(NewSessionSpec(directory: directory))
                    #expect(try await SystemProgram.run("cat", ["\(home)/up-riff-2"]).output == "up\n")
                    let trees = "\(home)/.local/share/riff/worktrees/work"
                    #expect(try FileManager.default.contentsOfDirectory(atPath: trees).sorted() == ["riff", "riff-2"])
                    try await manager.close(session)
                    #expect(try await SystemProgram.run("cat", ["\(home)/removed"]).output == "gone\n")
                    #expect(try FileManager.default.contentsOfDirectory(atPath: trees) == ["riff"])
                    await manager.shutdown()
                }
            }
        }

        @Test func `somebody's own script is told and stays`() async throws {
            try await Self.with { host, home in
                let path = "\(home)/.local/bin/\(HostScript.claude.name)"
                try Data("#!/bin/sh\nexec claude\n".utf8).write(to: URL(fileURLWithPath: path))
                let error = await #expect(throws: CoreError.self) { try await host.installHostScripts() }
                #expect(error?.code == .hostScriptForeign && error?.message.contains(path) == true)
                #expect(try String(contentsOfFile: path, encoding: .utf8) == "#!/bin/sh\nexec claude\n")
            }
        }
    }
}
