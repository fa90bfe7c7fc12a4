// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The line by which a client in control mode asks for everything in ``TmuxServerState``, and the reading of the
/// answer.
package enum TmuxReading {
    /// One line for tmux. Its commands run one after another with nothing in between, so that what they tell fits
    /// together.
    package static let line = [SessionListing.command, clients, panes].joined(separator: " ; ") + "\n"

    /// The number of replies to the line, unless one of them is an error: then it is the last.
    package static let replyCount = 3

    // Single quotes mean the same to tmux as to a shell. The formats hold none.
    private static let clients = "list-clients -F '#{client_control_mode}:#{session_id}'"
    private static let panes = "list-panes -a -F '#{session_id}:#{window_active}:#{pane_active}:#{pane_mode}'"

    /// Reads the replies.
    ///
    /// - Parameter replies: The outputs of the three commands.
    /// - Returns: The sessions, with the clients that are not in control mode counted, and the modes of their active
    ///   panes.
    /// - Throws: ``CoreError`` with `malformedSessionList` where one cannot be read.
    package static func state(_ replies: [ControlModeReply]) throws(CoreError) -> TmuxServerState {
        guard replies.count == replyCount, replies.allSatisfy({ !$0.isError && !$0.isCut }) else { throw malformed }
        let listed = try SessionListing.parse(replies[0].output)
        let names = Dictionary(listed.map { ($0.id, $0.name) }) { first, _ in first }
        var viewers: [String: Int] = [:]
        for fields in try rows(replies[1], count: 2) where fields[0] != "1" { viewers[fields[1], default: 0] += 1 }
        var modes: [SessionName: String] = [:]
        for fields in try rows(replies[2], count: 4) where fields[1] == "1" && fields[2] == "1" && !fields[3].isEmpty {
            if let name = names[fields[0]] { modes[name] = fields[3] }
        }
        let sessions = listed.map {
            LiveSession(
                name: $0.name,
                id: $0.id,
                created: $0.created,
                clients: viewers[$0.id] ?? 0,
                windows: $0.windows
            )
        }
        return TmuxServerState(status: .live, sessions: sessions, modes: modes)
    }

    private static func rows(_ reply: ControlModeReply, count: Int) throws(CoreError) -> [[String]] {
        var rows: [[String]] = []
        for line in reply.output.split(separator: UInt8(ascii: "\n")) {
            let fields = String(decoding: line, as: UTF8.self)
                .split(byte: ":", maxSplits: count - 1, omittingEmptySubsequences: false).map(String.init)
            guard fields.count == count else { throw malformed }
            rows.append(fields)
        }
        return rows
    }

    private static var malformed: CoreError {
        CoreError(.malformedSessionList, "tmux's answer in control mode cannot be read. Is another program named tmux?")
    }
}

extension SessionListing {
    /// The list as a line for tmux itself.
    fileprivate static var command: String { "list-sessions -F '\(format)'" }
}

extension TmuxServer {
    /// Watches the server in control mode: as a client that changes no window's size and is sent no output, on a
    /// session that is there, and without ever starting a server. Needs tmux 3.2.
    ///
    /// - Parameter name: The session to attach to; tmux chooses one where `nil`.
    /// - Returns: The call; it reads commands and ends with its standard input.
    package func watch(_ name: SessionName?) -> TmuxCommand {
        var words: [ShellWord] = ["attach-session", "-f", "ignore-size,no-output"]
        if let name { words += ["-t", name.target] }
        return TmuxCommand(socket, words, flags: ["-N", "-C"])
    }
}

extension TmuxCommand {
    /// The call of ``TmuxServer/watch(_:)`` as a line of the login shell.
    ///
    /// tmux does not let a client in control mode go while a word for it is not written (seen with 3.3a): one whose
    /// connection was cut just then would stay on the server, and keep it from ending. So its output is read to the
    /// end, also when there is nobody any more to pass it on to.
    package func controlLine() throws(CoreError) -> String {
        let script = "\(try line()) | { cat; exec cat >/dev/null; }"
        let words: [ShellWord] = ["exec", "sh", "-c", ShellWord(script)]
        return try LoginShellCommand(words.quotedLine()).line
    }
}
