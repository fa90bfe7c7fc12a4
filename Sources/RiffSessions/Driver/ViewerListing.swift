// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The clients of one session, who drives it, and which of them are one's own.
package struct SessionViewers: Sendable, Hashable {
    /// The name of the session.
    package let session: SessionName
    /// tmux's own id of the session (`$3`).
    package let sessionID: String
    /// Everybody who looks at it, in the server's order.
    package internal(set) var clients: [TmuxClient]
    /// The text of the option, whether that is a lease that holds or not.
    package let leaseText: String
    /// The clients that this front end opened on the session, the newest last; some may be gone.
    package let own: [TmuxClient.Key]

    package init(
        session: SessionName,
        sessionID: String,
        clients: [TmuxClient],
        leaseText: String,
        own: [TmuxClient.Key]
    ) {
        self.session = session
        self.sessionID = sessionID
        self.clients = clients
        self.leaseText = leaseText
        self.own = own
    }
}

/// The format of the list of all clients of a server with what is known of each one's session, and the reader of it.
///
/// A line's fields are separated by colons, which neither ids nor viewers nor names of terminals hold; the session's
/// name, which holds none either, comes last.
package enum ViewerListing {
    /// Returns the format that `list-clients -F` is given.
    package static func format(for viewer: RiffIdentifier) -> String {
        let fields = [
            "client_pid", "client_width", "client_height", "client_flags", "client_name", "session_id", "@riff-driver",
            ViewerRegistration.option(viewer), "session_name",
        ]
        return fields.map { "#{\($0)}" }.joined(separator: ":")
    }

    /// Reads a list.
    ///
    /// - Parameter output: What `list-clients` wrote; nothing at all is a server that nobody looks at.
    /// - Returns: The sessions that somebody looks at, in the order of their first client.
    /// - Throws: ``CoreError`` with `malformedClientList`.
    package static func parse(_ output: [UInt8]) throws(CoreError) -> [SessionViewers] {
        var sessions: [SessionViewers] = []
        for (index, line) in output.split(separator: UInt8(ascii: "\n")).enumerated() {
            guard let viewers = viewers(String(decoding: line, as: UTF8.self)) else {
                let message = "Line \(index + 1) of tmux's client list cannot be read. Is another program named tmux?"
                throw CoreError(.malformedClientList, message)
            }
            if let known = sessions.firstIndex(where: { $0.sessionID == viewers.sessionID }) {
                sessions[known].clients += viewers.clients
            } else {
                sessions.append(viewers)
            }
        }
        return sessions
    }

    private static func viewers(_ line: String) -> SessionViewers? {
        let fields = line.split(byte: ":", maxSplits: 8, omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 9, let processID = Int(fields[0]), fields[5].hasPrefix("$"),
            Int(fields[5].dropFirst()) != nil, let session = SessionName(listed: fields[8])
        else { return nil }
        // A client in control mode has no height, and one that is going has neither.
        let size = Int(fields[1]).flatMap { columns in Int(fields[2]).map { TerminalSize(columns: columns, rows: $0) } }
        let client = TmuxClient(
            name: fields[4],
            processID: processID,
            size: size,
            ignoresSize: fields[3].split(separator: ",").contains("ignore-size")
        )
        return SessionViewers(
            session: session,
            sessionID: fields[5],
            clients: [client],
            leaseText: fields[6],
            own: ViewerRegistration.keys(in: fields[7])
        )
    }
}

/// The registration by which a front end finds its own clients again: each adds itself to an option of its session as
/// it attaches.
package enum ViewerRegistration {
    /// The option of a front end.
    package static func option(_ viewer: RiffIdentifier) -> String { "@riff-viewer-\(viewer)" }

    /// The text that a client adds, as a format.
    package static let addition = " #{client_pid}=#{client_name}"

    /// The option's value with one client in it.
    package static func text(_ key: TmuxClient.Key) -> String { " \(key.processID)=\(key.name)" }

    /// The clients in the option's value; what cannot be read is passed over.
    package static func keys(in text: String) -> [TmuxClient.Key] {
        text.split(separator: " ").compactMap { word in
            let parts = word.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let processID = Int(parts[0]) else { return nil }
            return TmuxClient.Key(processID: processID, name: String(parts[1]))
        }
    }
}

extension CoreErrorCode {
    /// The text that should be tmux's list of clients is something else.
    public static let malformedClientList = CoreError.Code(rawValue: "malformedClientList")
}
