// Riff
// SPDX-License-Identifier: Apache-2.0

/// Lines of `sh` that hand bytes from their standard input to a session's active pane, past every client: no prompt and no
/// menu sees them.
///
/// The bytes go into a buffer of tmux, and from there to the program as they are, whatever mode the pane is in; never into
/// an argument, which others on the host could read. What the mode shows is left, too. (tmux before 3.2 leaves copy mode
/// only; tmux since 3.7 writes control characters as text unless it is told not to.)
package struct PaneDelivery: Sendable {
    private let server: TmuxServer
    private let pane: ShellWord

    /// A delivery to a session.
    package init(_ server: TmuxServer, _ session: SessionName) {
        self.server = server
        pane = session.paneTarget
    }

    /// Leaves every mode, and delivers nothing.
    package func leave() throws(CoreError) -> String {
        // The command within is tmux's to read; quoting is the same there.
        let cancel = "send-keys -X -t \(try pane.quoted()) cancel"
        let old = try line(["if-shell", "-F", "-t", pane, "#{pane_in_mode}", ShellWord(cancel)])
        return "{ \(try line(leaving)) 2>/dev/null || \(old); }"
    }

    /// Delivers keys as they are.
    ///
    /// - Parameter buffer: A name that is used once.
    /// - Returns: The line.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package func keys(through buffer: String) throws(CoreError) -> String {
        let new = try line(paste(buffer, ["-S"]))
        let old = try line(paste(buffer, []))
        let cleaning = try cleaning(buffer)
        return "\(try line(load(buffer))) && \(try leave()); \(new) 2>/dev/null || \(old) || \(cleaning)"
    }

    /// Delivers a text, between marks where the program asked for them. tmux knows that while the pane is in no mode, so
    /// it is left in the same call.
    ///
    /// - Parameter buffer: A name that is used once.
    /// - Returns: The line.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package func text(through buffer: String) throws(CoreError) -> String {
        let paste = paste(buffer, ["-p"])
        let loading = try line(load(buffer))
        return
            "\(loading) && { \(try line(leaving, paste)) 2>/dev/null || \(try line(paste)); } || \(try cleaning(buffer))"
    }

    /// Puts a text into a buffer, and binds a key that pastes it, once.
    ///
    /// - Parameters:
    ///   - buffer: A name that is used once.
    ///   - key: The character, looked up after ``SafeKey/shieldNext``.
    /// - Returns: The line.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package func loading(_ buffer: String, behind key: Character) throws(CoreError) -> String {
        let key: [ShellWord] = ["-T", ShellWord(SafeKey.table), ShellWord(String(key))]
        let binding = ["bind-key"] + key + ["paste-buffer", "-p", "-r", "-d", "-b", ShellWord(buffer)]
        let once = binding + [";", "unbind-key"] + key
        return "\(try line(load(buffer), once)) || \(try cleaning(buffer))"
    }

    /// Takes away what ``loading(_:behind:)`` made, where it was not used.
    package func unloading(_ buffer: String, behind key: Character) throws(CoreError) -> String {
        let unbind = try line(["unbind-key", "-T", ShellWord(SafeKey.table), ShellWord(String(key))])
        return "\(try line(delete(buffer))); \(unbind)"
    }

    private var leaving: [ShellWord] { ["copy-mode", "-q", "-t", pane] }

    private func load(_ buffer: String) -> [ShellWord] { ["load-buffer", "-b", ShellWord(buffer), "-"] }

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
