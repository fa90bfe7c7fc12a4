// Riff
// SPDX-License-Identifier: Apache-2.0

/// Lines of `sh` that put bytes from their standard input into a buffer of tmux: for a key that pastes it, or for a
/// ``PaneDelivery``. The bytes are never in an argument, which others on the host could read.
package struct PasteBuffers: Sendable {
    /// The part of its standard input that a line takes, for a buffer.
    package struct Piece: Sendable, Hashable {
        /// The buffer, by a name that is used once.
        package let buffer: String
        /// The number of bytes in the buffer before the piece.
        let start: Int
        /// The number of bytes in the buffer after the piece.
        let end: Int

        package init(of buffer: String, from start: Int = 0, to end: Int) {
            self.buffer = buffer
            self.start = start
            self.end = end
        }
    }

    private let server: TmuxServer

    package init(_ server: TmuxServer) { self.server = server }

    /// Adds bytes to a buffer, of which the rest follows by other lines.
    ///
    /// - Returns: The line; it fails where the buffer is not as long then as it must be.
    /// - Throws: ``CoreError`` with `nulInArgument`.
    package func adding(_ piece: Piece) throws(CoreError) -> String {
        "\(try add(piece)) || \(try cleaning(piece.buffer))"
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

    /// tmux cannot add to a buffer from its input, so what is there goes in front of the rest. How long the buffer is
    /// then tells whether all of it came: where the connection is cut, the input ends early, and a pipe tells the end
    /// of its last part only.
    func add(_ piece: Piece) throws(CoreError) -> String {
        let buffer = ShellWord(piece.buffer)
        let load = try line(["load-buffer", "-b", buffer, "-"])
        let list = try line(["list-buffers", "-F", "#{buffer_name} #{buffer_size}"])
        let entry = try ShellQuoting.quote("\(piece.buffer) \(piece.end)")
        let check = "\(list) | grep -qxF \(entry)"
        guard piece.start > 0 else { return "\(load) && \(check)" }
        let save = try line(["save-buffer", "-b", buffer, "-"])
        return "{ \(save) && cat; } | \(load) && \(check)"
    }

    private func delete(_ buffer: String) -> [ShellWord] { ["delete-buffer", "-b", ShellWord(buffer)] }

    /// Returns the commands that follow a line that could not do its work.
    func cleaning(_ buffer: String) throws(CoreError) -> String {
        "{ \(try line(delete(buffer))) 2>/dev/null; exit 1; }"
    }

    /// One call with several commands.
    func line(_ commands: [ShellWord]...) throws(CoreError) -> String {
        try TmuxCommand(server.socket, commands: commands).line()
    }
}
