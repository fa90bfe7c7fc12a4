// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Testing

struct TmuxCommandTests {
    private static let prepared =
        #"tmux -u -L riff start-server \; set -gq mouse on \; set -gq history-limit 50000 \; set -sq escape-time 10 \; "#
        + #"set -sq 'terminal-overrides[90]' xterm-256color:Tc \; set -sq 'terminal-features[90]' xterm-256color:RGB \; "#
        + #"set -sq 'terminal-features[91]' xterm-256color:hyperlinks \; set -gq status off \; "#
        + #"set-option -gq detach-on-destroy on \; "#

    /// What a call sets for its session alone, behind all others.
    private static func kept(_ session: String) -> String {
        ["detach-on-destroy on", "destroy-unattached off", "lock-after-time 0"].map {
            #" \; set-option -q -t '=\#(session):' \#($0)"#
        }.joined()
    }

    /// The command that leaves the list of a configuration's errors in a new session.
    private static func leaving(_ session: String) throws -> String {
        let command = try ShellQuoting.quote("send-keys -X -t '=\(session):' cancel")
        return #" \; if-shell -F -t '=\#(session):' '#{==:#{pane_mode},view-mode}' \#(command)"#
    }

    /// Expects the check of the start, the options and the session, in this order.
    private func expect(
        _ line: String,
        checks: String,
        makes words: String,
        in session: String,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(line.hasPrefix("sh -c 'if ! tmux -u -L riff has-session -t "), sourceLocation: location)
        #expect(line.contains(" riff '=\(session)' \(checks) " + Self.prepared), "\(line)", sourceLocation: location)
        let end = try #" \; \#(words)"# + Self.kept(session) + Self.leaving(session)
        #expect(line.hasSuffix(end), "\(line)", sourceLocation: location)
    }

    @Test func `the attach line is what it was`() throws {
        let attach = #"new-session -A -s riff -c "$HOME" env -u TMUX -u TMUX_PANE claude"#
        let line = try TmuxServer().attachOrCreate(.base).line()
        try expect(line, checks: #""$HOME" claude"#, makes: attach, in: "riff")
        #expect(try TmuxServer().attachOrCreate(.base).loginCommand().inner == "exec " + line)
    }

    @Test func `a new session without choices has the same bytes with and without a spec`() throws {
        let tmux = TmuxServer()
        let name = try SessionName("riff-2")
        let expected = #"new-session -d -s riff-2 -c "$HOME" env -u TMUX -u TMUX_PANE claude"#
        let line = try tmux.newDetached(name).line()
        try expect(line, checks: #""$HOME" claude"#, makes: expected, in: "riff-2")
        #expect(try tmux.newDetached(name, spec: NewSessionSpec()).line() == line)
        #expect(try tmux.newDetached(name, size: TerminalSize(columns: 0, rows: 0)).line() == line)
    }

    @Test func `a new session with choices`() throws {
        let spec = NewSessionSpec(directory: try StartDirectory("~/a b"), harness: Harness("aider --model x"))
        let size = TerminalSize(columns: 100, rows: 40)
        let line = try TmuxServer().newDetached(SessionName("riff-3"), spec: spec, size: size).line()
        let expected =
            #"new-session -d -s riff-3 -x 100 -y 40 -c "$HOME"'/a b' env -u TMUX -u TMUX_PANE "$SHELL" -c 'aider --model x'"#
        try expect(line, checks: #""$HOME"'/a b' aider"#, makes: expected, in: "riff-3")
    }

    @Test func `worktrees tell the session by its environment, and ask for the script before claude`() throws {
        let claude = ClaudeArguments(worktrees: Worktrees())
        let spec = NewSessionSpec(directory: try StartDirectory("~/a b"))
        let line = try TmuxServer().newDetached(SessionName("riff-3"), spec: spec, claude: claude.launch).line()
        let expected =
            #"new-session -d -s riff-3 -e 'RIFF_WORKTREE=1' -e 'RIFF_START_DIR='"$HOME"'/a b' -e 'RIFF_SESSION=riff-3' "#
            + #"-c "$HOME"'/a b' env -u TMUX -u TMUX_PANE 'CLAUDE_CODE_AUTO_COMPACT_WINDOW=200000' sh -c "#
            + #"'for script in "$(command -v "$0")" "/${XDG_DATA_HOME#/}/riff/kit/bin/$0" "#
            + #""$HOME/.local/share/riff/kit/bin/$0" "$HOME/.local/bin/$0"; do test -x "$script" && exec "$script" "$@"; "#
            + #"done; exec claude "$@"' riff-claude.sh --effort max"#
        try expect(line, checks: #""$HOME"'/a b' claude"#, makes: expected, in: "riff-3")
        let elsewhere = ClaudeArguments(worktrees: Worktrees(root: try StartDirectory("/srv/trees")))
        #expect(
            try TmuxServer().attachOrCreate(.base, claude: elsewhere.launch).line().contains(
                " -e 'RIFF_ROOT=/srv/trees' "
            )
        )
    }

    @Test func `without worktrees the bytes are what they were`() throws {
        let claude = ClaudeLaunch(arguments: ["--effort", "max"], environment: ["A": "1"])
        let expected = #"new-session -A -s riff -c "$HOME" env -u TMUX -u TMUX_PANE 'A=1' claude --effort max"#
        let line = try TmuxServer().attachOrCreate(.base, claude: claude).line()
        try expect(line, checks: #""$HOME" claude"#, makes: expected, in: "riff")
        // A harness of one's own never has them.
        let on = ClaudeArguments(skipsPermissions: true, worktrees: Worktrees()).launch
        let spec = NewSessionSpec(harness: .custom("codex"))
        let name = try SessionName("riff-2")
        let tmux = TmuxServer()
        #expect(
            try tmux.newDetached(name, spec: spec, claude: on).line() == tmux.newDetached(name, spec: spec).line()
        )
    }

    @Test func `a session is listed, attached and ended by its whole name`() throws {
        let tmux = TmuxServer(.path("/tmp/a b"))
        let name = try SessionName("my #1")
        #expect(try tmux.kill(name).line() == "tmux -u -S '/tmp/a b' kill-session -t '=my #1'")
        let end = try #" \; attach-session -t '=my #1'"# + Self.kept("my #1") + Self.leaving("my #1")
        #expect(try tmux.attach(name).line().hasSuffix(end))
        #expect(try tmux.attachOrCreate(name).line().contains("-s 'my ##1' "))
        #expect(
            try TmuxServer().listSessions().line() == "tmux -u -L riff list-sessions -F "
                + "'#{session_id}:#{session_created}:#{session_attached}:#{session_windows}:#{session_name}'"
        )
    }

    @Test func `a semicolon at an argument's end stays text`() throws {
        let command = TmuxCommand(.riff, ["display", ";", "a;", #"b\;"#, "c;d"]).then(["kill-server"])
        #expect(try command.line() == #"tmux -u -L riff display \\';' 'a'\\';' 'b'\\\\';' 'c;d' \; kill-server"#)
        let words = ["tmux", "-u", "-L", "riff", "display", #"\;"#, #"a\;"#, #"b\\;"#, "c;d", ";", "kill-server"]
        #expect(command.arguments(environment: [:]) == words)
    }

    @Test func `arguments for a program have their variables filled in`() {
        let arguments = TmuxServer().attachOrCreate(.base, harness: .custom("codex")).arguments(
            environment: ["HOME": "/home/me", "SHELL": "/bin/zsh"]
        )
        let start = arguments.firstIndex(of: "-c") ?? 0
        let expected = ["-c", "/home/me", "env", "-u", "TMUX", "-u", "TMUX_PANE", "/bin/zsh", "-c", "codex"]
        #expect(arguments[start...].prefix(10).elementsEqual(expected))
    }

    @Test(arguments: [
        ("plain", "plain"), ("a#b", "a##b"), ("#(x)", "##(x)"), ("##", "####"), ("#[", "#["), ("a##[b#c", "a##[b##c"),
        ("#", "##"), ("", ""),
    ])
    func `formats are text`(_ text: String, _ escaped: String) {
        #expect(TmuxFormat.escape(text) == escaped)
    }
}
