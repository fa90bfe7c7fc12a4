// Riff
// SPDX-License-Identifier: Apache-2.0

/// One session of a tmux server, as the server told it.
public struct LiveSession: Sendable, Hashable {
    /// The session's name.
    public let name: SessionName
    /// tmux's own id (`$3`), which a rename leaves as it is.
    public let id: String
    /// When it was made, in seconds since 1970 of the host's clock.
    public let created: Int
    /// The number of clients that are attached.
    public let clients: Int
    /// The number of windows.
    public let windows: Int

    /// Creates a live session.
    package init(name: SessionName, id: String, created: Int, clients: Int, windows: Int) {
        self.name = name
        self.id = id
        self.created = created
        self.clients = clients
        self.windows = windows
    }
}

/// The format of a session list, and the reader of what it gives.
///
/// The fields are separated by colons and the name comes last: numbers hold no colon, tmux allows none in a name, and
/// writes a line's end in a name as text. A tab or another control character would not do: tmux replaces it when the
/// client is not known to read UTF-8, and since 3.4 in any case.
public enum SessionListing {
    /// The format that `list-sessions -F` is given.
    public static let format = "#{session_id}:#{session_created}:#{session_attached}:#{session_windows}:#{session_name}"

    /// Reads a list.
    ///
    /// - Parameter output: What `list-sessions` wrote to standard output; nothing at all is the empty list.
    /// - Returns: The sessions in the server's order.
    /// - Throws: ``CoreError`` with `malformedSessionList`, as sessions must not seem to have vanished because a line
    ///   could not be read.
    public static func parse(_ output: [UInt8]) throws(CoreError) -> [LiveSession] {
        var sessions: [LiveSession] = []
        for (index, line) in output.split(separator: UInt8(ascii: "\n")).enumerated() {
            guard let session = session(String(decoding: line, as: UTF8.self)) else {
                let message = "Line \(index + 1) of tmux's session list cannot be read. Is another program named tmux?"
                throw CoreError(.malformedSessionList, message)
            }
            sessions.append(session)
        }
        return sessions
    }

    private static func session(_ line: String) -> LiveSession? {
        let fields = line.split(byte: ":", maxSplits: 4, omittingEmptySubsequences: false)
        guard fields.count == 5, fields[0].hasPrefix("$"), Int(fields[0].dropFirst()) != nil,
            let created = Int(fields[1]), let clients = Int(fields[2]), let windows = Int(fields[3]),
            let name = SessionName(listed: String(fields[4]))
        else { return nil }
        return LiveSession(name: name, id: String(fields[0]), created: created, clients: clients, windows: windows)
    }
}

extension CoreErrorCode {
    /// The text that should be tmux's session list is something else.
    public static let malformedSessionList = CoreError.Code(rawValue: "malformedSessionList")
}
