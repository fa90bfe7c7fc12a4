// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension TranscriptImport.Origin {
    /// Creates the origin of a file from a line of it; `nil` if the line shows none.
    init?(firstLine json: JSONValue) {
        if json["type"] == TranscriptSession.lineType || json["type"] == ChatEntry.lineType {
            self = .export
        } else if ClaudeLineDecoder.wrote(json) {
            self = .claude
        } else if json["jsonrpc"] != nil || json["sessionId"] != nil && json["update"] != nil
            || json["dir"] != nil && json["msg"] != nil
        {
            self = .acp
        } else if json["role"]?.text != nil, json["content"] != nil {
            self = .remoteClaw
        } else if json["role"]?.text != nil, json["text"] != nil {
            self = .riffConversation
        } else {
            return nil
        }
    }
}

/// Lines of an export of ours.
struct ExportLineDecoder: TranscriptLineDecoder {
    let session: TranscriptSession.ID
    let source = ChatSource.other
    private var current: TranscriptSession.ID?

    init(session: TranscriptSession.ID) { self.session = session }

    mutating func items(_ line: JSONValue) throws(LineProblem) -> [ImportItem] {
        if let session = TranscriptSession(line: line) {
            try session.createdAt?.check()
            try session.updatedAt?.check()
            current = session.id
            return [.session(session)]
        }
        guard let message = ChatEntry(line: line) else {
            throw LineProblem("it is neither a session nor a message")
        }
        try message.time?.check()
        let name = line["session"]?.text ?? current ?? session
        guard TranscriptName.isValid(name) else { throw LineProblem("its session's name is empty or too long") }
        return [.message(message, in: name)]
    }
}

/// Lines of RemoteClaw.
struct RemoteClawLineDecoder: TranscriptLineDecoder {
    let session: TranscriptSession.ID
    let source = ChatSource.remoteClaw

    mutating func items(_ line: JSONValue) throws(LineProblem) -> [ImportItem] {
        guard let role = line["role"]?.text else { throw LineProblem("its role is missing") }
        guard let text = line["content"]?.text else { throw LineProblem("its content is missing, or no text") }
        guard let id = line["id"]?.text ?? line["id"]?.integer.map({ String($0) }), TranscriptName.isValid(id) else {
            throw LineProblem("its id is missing, empty or too long")
        }
        let time = line["timestamp"]?.double.map { $0 / 1000 }
        try time?.check()
        let message = ChatEntry(
            id: id,
            role: ChatEntry.Role(rawValue: role),
            text: text,
            time: time,
            model: line["model"]?.text,
            extra: line.rest(besides: ["id", "role", "content", "timestamp", "model", "extra"])
        )
        return [.message(message, in: session)]
    }
}

/// Lines of a conversation on a Riff server.
struct RiffLineDecoder: TranscriptLineDecoder {
    let session: TranscriptSession.ID
    let source = ChatSource.riff

    mutating func items(_ line: JSONValue) throws(LineProblem) -> [ImportItem] {
        guard let id = line["id"]?.text, TranscriptName.isValid(id) else {
            throw LineProblem("its id is missing, empty or too long")
        }
        guard let role = line["role"]?.text, let text = line["text"]?.text else {
            throw LineProblem("its role or its text is missing")
        }
        let time = line["ts"]?.double
        try time?.check()
        let attachments = line["attachments"]?.array ?? []
        let message = ChatEntry(
            id: id,
            role: ChatEntry.Role(rawValue: role),
            text: text,
            time: time,
            attachments: attachments.map(ChatEntry.Attachment.init(json:)),
            extra: line.rest(besides: ["id", "role", "text", "attachments", "ts", "extra"])
        )
        return [.message(message, in: session)]
    }
}

extension Double {
    /// Refuses what is no time.
    fileprivate func check() throws(LineProblem) {
        guard isFinite, abs(self) < 1e14 else { throw LineProblem("its time is out of range") }
    }
}
