// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// A turn that another client of the same agent began.
package struct OtherTurn: Sendable, Hashable {
    /// The state of another client's turn.
    package enum State: Sendable {
        case running
        /// The agent answered; the answer is `nil` if it will never be known.
        case ended(Result<ACP.PromptResponse, any Error>?)
    }

    /// The id of the prompt that began it.
    package let id: ACP.RequestID
    /// Its session; `nil` where its name is too long to be told.
    package let session: ACP.SessionID?

    /// The most bytes of a session's name in a file's name.
    private static let sessionLimit = 64

    /// Reads a keeper's word for one: `CLIENT:NUMBER-SESSION`, the session in hexadecimal digits.
    package init?(word: some StringProtocol) {
        let parts = word.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.contains(0x3A), let session = KeeperKey.bytes(parts[1]) else {
            return nil
        }
        id = .text(String(parts[0]))
        self.session = session.isEmpty ? nil : ACP.SessionID(rawValue: String(decoding: session, as: UTF8.self))
    }

    /// The key under which a client hands a prompt over; `nil` for what is no prompt of this client's.
    package static func key(of message: JSONValue, from client: String) -> String? {
        guard message["method"]?.text == ACP.PromptRequest.method, let id = message["id"]?.text,
            id.hasPrefix(bytes: client + ":"), let number = UInt64(Substring(id.utf8.dropFirst(client.utf8.count + 1)))
        else { return nil }
        let session = Array((message["params"]?["sessionId"]?.text ?? "").utf8)
        return "t\(number)-\(session.count > sessionLimit ? "" : HexDigits.text(session))"
    }

    /// Whether a session is in this turn.
    package func isOf(_ session: ACP.SessionID) -> Bool {
        self.session.map { $0 == session } ?? (session.rawValue.utf8.count > Self.sessionLimit)
    }

    /// Whether a client began it itself.
    package func isFrom(_ client: String) -> Bool {
        guard case .text(let id) = id else { return false }
        return id.hasPrefix(bytes: client + ":")
    }
}

/// The turns that other clients of an agent began and that have not ended, whichever is known first of one: that it
/// began, or the agent's answer. Pure.
package struct OtherTurns: Sendable {
    /// Oldest first.
    package private(set) var running: [OtherTurn] = []
    /// The ids that were answered last.
    private var answeredIDs: [ACP.RequestID] = []

    private static let runningLimit = 64
    private static let answeredLimit = 1024

    package init() {}

    /// A turn began.
    ///
    /// - Returns: Whether that is new, and it has not ended.
    package mutating func began(_ turn: OtherTurn) -> Bool {
        guard running.count < Self.runningLimit, !isRunning(turn), !answeredIDs.contains(turn.id) else { return false }
        running.append(turn)
        return true
    }

    /// The agent answered another client.
    ///
    /// - Returns: The turn that ended by it.
    package mutating func answered(_ id: ACP.RequestID) -> OtherTurn? {
        if answeredIDs.count >= Self.answeredLimit { answeredIDs.removeFirst(Self.answeredLimit / 2) }
        answeredIDs.append(id)
        return running.firstIndex { $0.id == id }.map { running.remove(at: $0) }
    }

    /// Whether a turn has not ended.
    package func isRunning(_ turn: OtherTurn) -> Bool { running.contains { $0.id == turn.id } }
}
