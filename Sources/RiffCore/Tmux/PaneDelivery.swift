// Riff
// SPDX-License-Identifier: Apache-2.0

/// Lines of `sh` that hand bytes to a session's active pane by a command, past every client: no prompt and no menu sees
/// them, and every mode is left first.
///
/// tmux before 3.2 cannot leave all modes by a command; there, copy mode is left, and the bytes are written to the pane as
/// a paste, which no mode takes.
package struct PaneDelivery: Sendable {
    private let server: TmuxServer
    private let pane: ShellWord

    /// The most bytes that ``keys(_:)`` takes: tmux takes a command of at most 16 KiB.
    package static let mostKeys = 1024

    /// A delivery to a session.
    package init(_ server: TmuxServer, _ session: SessionName) {
        self.server = server
        pane = session.paneTarget
    }

    private var leaving: [ShellWord] { ["copy-mode", "-q", "-t", pane] }

    /// Leaves every mode.
    package func leave() throws(CoreError) -> String { "\(try line(leaving)) 2>/dev/null || \(try cancelling())" }

    /// Delivers keys as they are.
    ///
    /// - Parameters:
    ///   - bytes: At most ``mostKeys``; the line expects them on its standard input, too.
    ///   - buffer: A name that is used once.
    /// - Returns: The line.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package func keys(_ bytes: [UInt8], through buffer: String) throws(CoreError) -> String {
        let digits = bytes.map { ShellWord(String($0, radix: 16)) }
        let new = try line(leaving, ["send-keys", "-t", pane, "-H"] + digits)
        let old = try line(loading(buffer), ["paste-buffer", "-r", "-d", "-b", ShellWord(buffer), "-t", pane])
        return "\(new) </dev/null 2>/dev/null || { \(try cancelling()) </dev/null; \(old); }"
    }

    /// Delivers a text from standard input, between marks where the program asked for them.
    ///
    /// - Parameter buffer: A name that is used once.
    /// - Returns: The line.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package func text(through buffer: String) throws(CoreError) -> String {
        let paste: [ShellWord] = ["paste-buffer", "-p", "-r", "-d", "-b", ShellWord(buffer), "-t", pane]
        return "\(try line(loading(buffer))) && { \(try line(leaving, paste)) 2>/dev/null || \(try line(paste)); }"
    }

    /// Puts a text from standard input into a buffer, and binds a key that pastes it, once.
    ///
    /// - Parameters:
    ///   - buffer: A name that is used once.
    ///   - key: The character, looked up after ``SafeKey/shieldNext``.
    /// - Returns: The line.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package func loading(_ buffer: String, behind key: Character) throws(CoreError) -> String {
        let name = ShellWord(String(key))
        return try line(
            loading(buffer),
            [
                "bind-key", "-T", ShellWord(SafeKey.table), name, "paste-buffer", "-p", "-r", "-d", "-b",
                ShellWord(buffer),
            ]
                + [";", "unbind-key", "-T", ShellWord(SafeKey.table), name]
        )
    }

    /// Takes away what ``loading(_:behind:)`` made, where it was not used.
    package func unloading(_ buffer: String, behind key: Character) throws(CoreError) -> String {
        let unbind = try line(["unbind-key", "-T", ShellWord(SafeKey.table), ShellWord(String(key))])
        return "\(try line(["delete-buffer", "-b", ShellWord(buffer)])); \(unbind)"
    }

    private func loading(_ buffer: String) -> [ShellWord] { ["load-buffer", "-b", ShellWord(buffer), "-"] }

    private func cancelling() throws(CoreError) -> String {
        // The command within is tmux's to read; quoting is the same there.
        let cancel = "send-keys -X -t \(try pane.quoted()) cancel"
        return try line(["if-shell", "-F", "-t", pane, "#{pane_in_mode}", ShellWord(cancel)])
    }

    private func line(_ commands: [ShellWord]...) throws(CoreError) -> String {
        try TmuxCommand(server.socket, commands: commands).line()
    }
}
