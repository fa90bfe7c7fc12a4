// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The command lines of a pane's tap.
struct TapLine: Sendable {
    /// The script on the host.
    let script: String
    let server: TmuxServer
    /// The pane, such as `%3`, or another target of tmux's.
    let pane: String
    /// Whether the script is one that knows more than `follow`.
    var canResume = false

    /// The line that a client runs.
    ///
    /// - Parameters:
    ///   - marker: The line before the header.
    ///   - tap: The tap that was read before; `nil` for the pane's.
    ///   - from: The byte to go on at, or `oldest` or `newest`.
    ///   - opens: Whether a pane without a pipe gets one.
    ///   - isCompressed: Whether what is kept is wanted compressed.
    /// - Returns: The line for the login shell, which finds tmux.
    /// - Throws: `CoreError` with `nulInArgument`.
    func follow(marker: String, tap: String?, from: String, opens: Bool, isCompressed: Bool) throws(CoreError) -> String
    {
        let place = [marker, tap ?? "-", from] + (canResume ? [isCompressed ? "gzip" : "plain"] : [])
        return try line([canResume ? "resume" : "follow"] + place + [pane, opens ? try pipe() : ""])
    }

    /// The line that has the script do something without a reader.
    func act(_ verb: String, marker: String) throws(CoreError) -> String { try line([verb, marker, pane, try pipe()]) }

    private func line(_ arguments: [String]) throws(CoreError) -> String {
        let words = ["exec", "sh", script] + arguments + ["tmux"] + server.socket.words.map { $0.resolved(in: [:]) }
        return try LoginShellCommand(ShellQuoting.join(words)).line
    }

    /// The command of tmux that opens the pipe. tmux reads what it runs as a format and as a time; the key is one.
    ///
    /// There is no `-O` in it: it is the default, and tmux before 2.8 does not know it.
    func pipe() throws(CoreError) -> String {
        let path = TmuxFormat.escape(script).replacing("%", with: "%%")
        let key = "#{pid}-#{start_time}-#{pane_id}"
        let pump = try ShellQuoting.join(["exec", "sh", path, "pump", key])
        return try ShellQuoting.join(["pipe-pane", "-t", pane, pump])
    }

    /// A line that nothing else writes.
    static func marker() -> String {
        var generator = SystemRandomNumberGenerator()
        return "__RIFF_TAP__" + String(generator.next() as UInt64, radix: 16)
    }
}
