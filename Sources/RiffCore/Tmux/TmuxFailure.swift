// Riff
// SPDX-License-Identifier: Apache-2.0

/// The message of tmux on standard error when a command failed. tmux ends every failure with status 1, so only the
/// words tell that a server is merely absent, which is an empty list, or that a name is taken.
public struct TmuxFailure: Sendable, Hashable {
    /// The open set of kinds.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        public let rawValue: String

        /// Any name, also one this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No server runs on the socket: there are no sessions.
        public static let noServer = Kind(rawValue: "noServer")
        /// The name of the new session is taken; ``TmuxFailure/subject`` is the name.
        package static let duplicateSession = Kind(rawValue: "duplicateSession")
        /// There is no such session; ``TmuxFailure/subject`` is its name.
        package static let sessionNotFound = Kind(rawValue: "sessionNotFound")
        /// Another session has the name of the one that was there before; ``TmuxFailure/subject`` is the name.
        package static let sessionReplaced = Kind(rawValue: "sessionReplaced")
    }

    /// The kind of the failure.
    public let kind: Kind
    /// The session or the socket that it is about, where tmux told it.
    public let subject: String?

    /// Creates a failure.
    public init(_ kind: Kind, subject: String? = nil) {
        self.kind = kind
        self.subject = subject
    }

    /// Finds a known failure in what a command wrote to standard error; `nil` where there is none, and then the words
    /// are for a person.
    public init?(diagnostics: some StringProtocol) {
        for line in diagnostics.split(whereSeparator: \.isNewline) {
            guard let failure = Self.failure(in: String(line)) else { continue }
            self = failure
            return
        }
        return nil
    }

    /// The mark that ``TmuxServer/reattach(_:_:)`` puts after a name that another session has; no session's name holds
    /// a colon.
    package static let replacementMark = " (another one)"

    private static func failure(in line: String) -> TmuxFailure? {
        let sentences: [(prefix: String, kind: Kind)] = [
            ("duplicate session: ", .duplicateSession), ("can't find session: ", .sessionNotFound),
            ("no server running on ", .noServer),
        ]
        for (prefix, kind) in sentences {
            guard let subject = line.removingPrefix(prefix) else { continue }
            if kind == .sessionNotFound, subject.hasSuffix(replacementMark) {
                return TmuxFailure(.sessionReplaced, subject: String(subject.dropLast(replacementMark.count)))
            }
            return TmuxFailure(kind, subject: subject)
        }
        // The last session ended while the command was on its way.
        if line == "server exited unexpectedly" || line == "no sessions" { return TmuxFailure(.noServer) }
        // Not every error of the socket: "(Permission denied)" is no empty list.
        for reason in [" (No such file or directory)", " (Connection refused)"] where line.hasSuffix(reason) {
            guard let path = line.removingPrefix("error connecting to ") else { continue }
            return TmuxFailure(.noServer, subject: String(path.dropLast(reason.count)))
        }
        return nil
    }
}

extension String {
    fileprivate func removingPrefix(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
