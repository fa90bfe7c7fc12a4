// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension HostKitPart {
    /// A script that brings the base session up without a client, `bin/riff-tmux-up.sh`: for a login item or a unit of
    /// systemd, so that the first look of a day finds the session there. It makes the session as a client would, by the
    /// same line, does nothing where the session is up, and attaches to nothing.
    ///
    /// - Parameters:
    ///   - server: The tmux server.
    ///   - base: The start directory and the program of the base session.
    ///   - launch: The way in which `claude` is started, where that is the program.
    ///   - version: Raise it when one of these changes: a host keeps the higher one of two.
    /// - Returns: The part.
    /// - Throws: `CoreError` with `nulInArgument` or `invalidVariableName` for words that no shell can be given.
    public static func tmuxUp(
        server: TmuxServer = TmuxServer(),
        base: NewSessionSpec = NewSessionSpec(),
        launch: ClaudeLaunch = ClaudeLaunch(),
        version: Int = 1
    ) throws(CoreError) -> HostKitPart {
        let look = TmuxCommand(server.socket, ["has-session", "-t", SessionName.base.target])
        let make = server.newDetached(.base, spec: base, claude: launch)
        let words = (
            look: try ShellQuoting.quote(try look.loginCommand().inner),
            make: try ShellQuoting.quote(try make.loginCommand().inner)
        )
        let text = """
            #!/bin/sh
            # Brings up the base session, if it is not up. Part of Riff's kit: changes here are lost.
            unset TMUX TMUX_PANE
            : "${SHELL:=/bin/sh}"
            export SHELL
            up() { "$SHELL" -lc \(words.look) >/dev/null 2>&1; }
            up && exit 0
            "$SHELL" -lc \(words.make) || up

            """
        return HostKitPart("tmux-up", version: version, file: "bin/riff-tmux-up.sh", text: text)
    }
}
