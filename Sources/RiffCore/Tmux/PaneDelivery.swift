// Riff
// SPDX-License-Identifier: Apache-2.0

/// Lines of `sh` that hand bytes from their standard input to a session's active pane, past every client: no prompt and
/// no menu sees them.
///
/// The bytes go into a buffer of tmux, and from there to the program as they are, whatever mode the pane is in; never
/// into an argument, which others on the host could read. What the mode shows is left, too. (tmux before 3.2 leaves
/// copy mode only; tmux since 3.7 writes control characters as text unless it is told not to.)
package struct PaneDelivery: Sendable {
    private let buffers: PasteBuffers
    private let pane: ShellWord

    /// A delivery to a session.
    ///
    /// - Parameters:
    ///   - server: The session's server.
    ///   - session: The session, by its own identifier: one that ended is not taken for one that got its name.
    package init(_ server: TmuxServer, _ session: TmuxSessionID) {
        buffers = PasteBuffers(server)
        pane = session.paneTarget
    }

    /// Leaves every mode, and delivers nothing.
    package func leave() throws(CoreError) -> String {
        // The command within is tmux's to read; quoting is the same there.
        let cancel = "send-keys -X -t \(try pane.quoted()) cancel"
        let old = try buffers.line(["if-shell", "-F", "-t", pane, "#{pane_in_mode}", ShellWord(cancel)])
        return "{ \(try buffers.line(leaving)) 2>/dev/null || \(old); }"
    }

    /// Delivers keys as they are.
    ///
    /// - Parameter piece: All of them, or the last.
    /// - Returns: The line.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package func keys(_ piece: PasteBuffers.Piece) throws(CoreError) -> String {
        let new = try buffers.line(paste(piece.buffer, ["-S"]))
        let old = try buffers.line(paste(piece.buffer, []))
        let deliver = "{ \(try leave()); \(new) 2>/dev/null || \(old); }"
        return "\(try buffers.add(piece)) && \(deliver) || \(try buffers.cleaning(piece.buffer))"
    }

    /// Delivers a text, between marks where the program asked for them. tmux knows that while the pane is in no mode,
    /// so it is left in the same call.
    ///
    /// - Parameter piece: All of it, or the last.
    /// - Returns: The line.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package func text(_ piece: PasteBuffers.Piece) throws(CoreError) -> String {
        let paste = paste(piece.buffer, ["-p"])
        let deliver = "{ \(try buffers.line(leaving, paste)) 2>/dev/null || \(try buffers.line(paste)); }"
        return "\(try buffers.add(piece)) && \(deliver) || \(try buffers.cleaning(piece.buffer))"
    }

    private var leaving: [ShellWord] { ["copy-mode", "-q", "-t", pane] }

    /// Nothing of a line's end is changed, and the buffer goes.
    private func paste(_ buffer: String, _ flags: [ShellWord]) -> [ShellWord] {
        ["paste-buffer", "-r", "-d"] + flags + ["-b", ShellWord(buffer), "-t", pane]
    }
}
