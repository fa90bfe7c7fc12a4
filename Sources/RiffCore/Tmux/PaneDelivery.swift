// Riff
// SPDX-License-Identifier: Apache-2.0

/// Lines of `sh` that hand bytes from their standard input to a session's active pane, past every client: no prompt and no
/// menu sees them.
///
/// The bytes go into a buffer of tmux, and from there to the program as they are, whatever mode the pane is in; never into
/// an argument, which others on the host could read. What the mode shows is left, too. (tmux before 3.2 leaves copy mode
/// only; tmux since 3.7 writes control characters as text unless it is told not to.)
package struct PaneDelivery: Sendable {
    /// What a line takes from its standard input, for a buffer.
    package struct Piece: Sendable, Hashable {
        /// The buffer, by a name that is used once.
        package let buffer: String
        /// How many bytes are in the buffer before.
        let start: Int
        /// How many are in it then.
        let end: Int

        package init(of buffer: String, from start: Int = 0, to end: Int) {
            self.buffer = buffer
            self.start = start
            self.end = end
        }
    }

    private let server: TmuxServer
    private let pane: ShellWord

    /// A delivery to a session.
    ///
    /// - Parameters:
    ///   - server: The session's server.
    ///   - session: The session.
    ///   - id: Its own identifier, where it is known: a session that ended is then not taken for one that got its name.
    package init(_ server: TmuxServer, _ session: SessionName, id: TmuxSessionID? = nil) {
        self.server = server
        pane = id?.paneTarget ?? session.paneTarget
    }

    /// Leaves every mode, and delivers nothing.
    package func leave() throws(CoreError) -> String {
        // The command within is tmux's to read; quoting is the same there.
        let cancel = "send-keys -X -t \(try pane.quoted()) cancel"
        let old = try line(["if-shell", "-F", "-t", pane, "#{pane_in_mode}", ShellWord(cancel)])
        return "{ \(try line(leaving)) 2>/dev/null || \(old); }"
    }

    /// Adds bytes to a buffer, of which the rest follows by other lines.
    ///
    /// - Returns: The line; it fails where the buffer is not as long then as it must be.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package func adding(_ piece: Piece) throws(CoreError) -> String {
        "\(try add(piece)) || \(try cleaning(piece.buffer))"
    }

    /// Delivers keys as they are.
    ///
    /// - Parameter piece: All of them, or the last.
    /// - Returns: The line.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package func keys(_ piece: Piece) throws(CoreError) -> String {
        let new = try line(paste(piece.buffer, ["-S"]))
        let old = try line(paste(piece.buffer, []))
        let deliver = "{ \(try leave()); \(new) 2>/dev/null || \(old); }"
        return "\(try add(piece)) && \(deliver) || \(try cleaning(piece.buffer))"
    }

    /// Delivers a text, between marks where the program asked for them. tmux knows that while the pane is in no mode, so
    /// it is left in the same call.
    ///
    /// - Parameter piece: All of it, or the last.
    /// - Returns: The line.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package func text(_ piece: Piece) throws(CoreError) -> String {
        let paste = paste(piece.buffer, ["-p"])
        let deliver = "{ \(try line(leaving, paste)) 2>/dev/null || \(try line(paste)); }"
        return "\(try add(piece)) && \(deliver) || \(try cleaning(piece.buffer))"
    }

    /// Puts a text into a buffer, and binds a key that pastes it, once.
    ///
    /// - Parameters:
    ///   - piece: All of it, or the last.
    ///   - key: The character, looked up after ``SafeKey/shieldNext``.
    /// - Returns: The line.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package func loading(_ piece: Piece, behind key: Character) throws(CoreError) -> String {
        let key: [ShellWord] = ["-T", ShellWord(SafeKey.table), ShellWord(String(key))]
        let binding = ["bind-key"] + key + ["paste-buffer", "-p", "-r", "-d", "-b", ShellWord(piece.buffer)]
        let once = binding + [";", "unbind-key"] + key
        return "\(try add(piece)) && \(try line(once)) || \(try cleaning(piece.buffer))"
    }

    /// Takes away a buffer that was not used.
    package func removing(_ buffer: String) throws(CoreError) -> String { try line(delete(buffer)) }

    /// Takes away what ``loading(_:behind:)`` made, where it was not used.
    package func unloading(_ buffer: String, behind key: Character) throws(CoreError) -> String {
        let unbind = try line(["unbind-key", "-T", ShellWord(SafeKey.table), ShellWord(String(key))])
        return "\(try line(delete(buffer))); \(unbind)"
    }

    private var leaving: [ShellWord] { ["copy-mode", "-q", "-t", pane] }

    /// tmux cannot add to a buffer from its input, so what is there goes in front of the rest. How long the buffer is then
    /// tells whether all of it came: where the connection is cut, the input ends early, and a pipe tells the end of its
    /// last part only.
    private func add(_ piece: Piece) throws(CoreError) -> String {
        let buffer = ShellWord(piece.buffer)
        let load = try line(["load-buffer", "-b", buffer, "-"])
        let list = try line(["list-buffers", "-F", "#{buffer_name} #{buffer_size}"])
        let entry = try ShellQuoting.quote("\(piece.buffer) \(piece.end)")
        let check = "\(list) | grep -qxF \(entry)"
        guard piece.start > 0 else { return "\(load) && \(check)" }
        let save = try line(["save-buffer", "-b", buffer, "-"])
        return "{ \(save) && cat; } | \(load) && \(check)"
    }

    /// Nothing of a line's end is changed, and the buffer goes.
    private func paste(_ buffer: String, _ flags: [ShellWord]) -> [ShellWord] {
        ["paste-buffer", "-r", "-d"] + flags + ["-b", ShellWord(buffer), "-t", pane]
    }

    private func delete(_ buffer: String) -> [ShellWord] { ["delete-buffer", "-b", ShellWord(buffer)] }

    private func cleaning(_ buffer: String) throws(CoreError) -> String {
        "{ \(try line(delete(buffer))) 2>/dev/null; exit 1; }"
    }

    private func line(_ commands: [ShellWord]...) throws(CoreError) -> String {
        try TmuxCommand(server.socket, commands: commands).line()
    }
}
