// Riff
// SPDX-License-Identifier: Apache-2.0

/// The conditions on a host for a new session to start in the directory and with the program that a person chose. tmux
/// itself starts in the home folder where the start folder is missing, and shows a program that is missing as one that
/// has ended.
///
/// It is a script of POSIX `sh` around the call of tmux. A session that is there already needs none of it and is
/// attached to as it is.
package struct StartCheck: Sendable, Hashable {
    /// The status with which a start ends whose folder is not there or cannot be entered.
    package static let missingDirectoryStatus = 96

    private let session: SessionName
    private let directory: ShellWord
    private let program: ShellWord
    private let isRunByShell: Bool

    /// - Parameters:
    ///   - session: The session that is made if it is not there.
    ///   - directory: Where it starts.
    ///   - harness: What it runs.
    package init(_ session: SessionName, directory: StartDirectory, harness: Harness) {
        self.session = session
        self.directory = directory.shellWord
        program = ShellWord(harness.program ?? "")
        isRunByShell = harness != .claude
    }

    /// The words that stand before those of a call of tmux.
    ///
    /// - Parameter socket: The call's server: a new session's PATH is that of the server if there is one, and else the
    ///   caller's.
    /// - Returns: The words.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package func words(for socket: TmuxSocket) throws(CoreError) -> [ShellWord] {
        let tmux = try (["tmux", "-u"] + socket.words).quotedLine()
        // A person's own shell may know the program by its own means; what is no plain name was left out.
        let find = isRunByShell ? #""${SHELL:-sh}" -c "type $3""# : #"command -v "$3""#
        let script = """
            if ! \(tmux) has-session -t "$1" 2>/dev/null; then \
            cd "$2" 2>/dev/null || { printf '%s%s\\n' "\(Self.missingDirectoryMark)" "$2" >&2; \
            exit \(Self.missingDirectoryStatus); }; \
            if [ -n "$3" ]; then \
            p=$(\(tmux) show-environment -g PATH 2>/dev/null) || p="PATH=$PATH"; \
            ( PATH=${p#PATH=}; export PATH; \(find) ) >/dev/null 2>&1 || \
            { printf '%s: command not found\\n%s%s\\n' "$3" "\(MissingProgram.searchedMark)" "${p#PATH=}" >&2; exit 127; }; \
            fi; cd; fi; shift 3; exec "$@"
            """
        return ["sh", "-c", ShellWord(script), "riff", session.target, directory, program]
    }

    private static let missingDirectoryMark = "riff: no such folder: "

    /// The folder that was not there, in what a start wrote that ended with ``missingDirectoryStatus``.
    package static func missingDirectory(in output: some StringProtocol) -> String? {
        for line in output.byteLines {
            guard let range = line.firstRange(of: missingDirectoryMark) else { continue }
            return InertText.line(String(line[range.upperBound...].prefix(500)))
        }
        return nil
    }
}
