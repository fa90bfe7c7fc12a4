// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore
internal import RiffTransport

extension RiffClient {
    /// Says something to the agent in a conversation, on `POST /riff/message`, and waits for its answer.
    ///
    /// - Parameters:
    ///   - text: What to say; with the names it must fit into 8 KB.
    ///   - conversation: The conversation.
    /// - Returns: The answer.
    /// - Throws: ``VoiceError``: `messageTooLarge` before anything is sent; `replyTimeout`, after which the message is
    ///   in the conversation; `replyFailed`, `replyUnavailable`; and as ``transcribe(_:)`` does. `CancellationError`;
    ///   the server goes on, and keeps the answer.
    public func send(
        _ text: String,
        in conversation: RiffIdentifier = .default
    ) async throws -> RiffClient.Reply {
        try await tell(
            RiffContract.messagePath,
            [
                "conversation_id": .string(conversation.text), "text": .string(text), "device_id": .string(device.text),
            ],
            RiffClient.Reply.init(json:)
        )
    }

    /// Sends a text to the agent without a conversation, on `POST /riff/transcript`.
    ///
    /// - Parameters:
    ///   - text: What was said.
    ///   - session: The name of the recording.
    /// - Returns: The answer.
    /// - Throws: As ``send(_:in:)`` does.
    public func ask(_ text: String, session: RiffIdentifier = .random()) async throws -> RiffClient.SingleReply {
        try await tell(
            RiffContract.transcriptPath,
            [
                "transcript": .string(text), "ts": .number(wallClock()), "device_id": .string(device.text),
                "session_id": .string(session.text),
            ],
            RiffClient.SingleReply.init(json:)
        )
    }

    /// Says a clip to the agent in a conversation, on `POST /riff/audio`.
    ///
    /// - Parameters:
    ///   - clip: As for ``transcribe(_:)``.
    ///   - conversation: The conversation.
    /// - Returns: The answer, with what the server heard.
    /// - Throws: As ``transcribe(_:)`` and ``send(_:in:)`` do.
    public func send(
        _ clip: AudioClip,
        in conversation: RiffIdentifier = .default
    ) async throws -> RiffClient.Reply {
        var (request, body) = try request(RiffContract.audioPath, clip)
        request.headerFields[.riffConversationID] = conversation.text
        return try await ask(request, body, .spokenMessage, RiffClient.Reply.init(json:))
    }

    /// Sends a clip to the agent without a conversation, on `POST /riff/audio`.
    public func ask(_ clip: AudioClip) async throws -> RiffClient.SingleReply {
        let (request, body) = try request(RiffContract.audioPath, clip)
        return try await ask(request, body, .spokenMessage, RiffClient.SingleReply.init(json:))
    }

    /// The newest messages of a conversation, oldest first, on `GET /riff/conversation`.
    ///
    /// - Parameters:
    ///   - conversation: The conversation.
    ///   - limit: How many at most, up to 1000.
    /// - Returns: The messages.
    /// - Throws: As ``send(_:in:)`` does.
    public func messages(
        of conversation: RiffIdentifier = .default,
        limit: Int = 200
    ) async throws -> [ConversationMessage] {
        let limit = min(max(limit, 1), RiffContract.conversationLimit.most)
        let path = "\(RiffContract.conversationPath)?conversation_id=\(conversation)&limit=\(limit)"
        return try await ask(server.request(.get, path), nil, .question) { json in
            json["messages"]?.array.map { $0.compactMap(ConversationMessage.init(json:)) }
        }
    }

    /// The turns that the server has served, oldest first, on `GET /riff/sessions`.
    ///
    /// - Parameter id: Those behind this one; the newest without one.
    /// - Returns: The turns.
    /// - Throws: As ``send(_:in:)`` does.
    public func sessions(since id: RiffIdentifier? = nil) async throws -> [RiffClient.SessionRecord] {
        let path = RiffContract.sessionsPath + (id.map { "?since=\($0)" } ?? "")
        return try await ask(server.request(.get, path), nil, .question) { json in
            json["sessions"]?.array.map { $0.compactMap(RiffClient.SessionRecord.init(json:)) }
        }
    }

    /// Asks to be told of answers by a push service, on `POST /riff/register-device`.
    ///
    /// - Parameters:
    ///   - pushToken: The token in hexadecimal digits, as the platform gave it.
    ///   - environment: Which of the platform's push services it is for.
    /// - Throws: As ``send(_:in:)`` does.
    public func register(pushToken: String, environment: String = "production") async throws {
        try await tell(
            RiffContract.devicePath,
            [
                "device_id": .string(device.text), "push_token_hex": .string(pushToken), "env": .string(environment),
            ]
        ) { _ in () }
    }

    private func tell<Answer: Sendable>(
        _ path: String,
        _ members: JSONValue,
        _ read: (JSONValue) -> Answer?
    ) async throws -> Answer {
        let body = members.bytes()
        guard body.count <= RiffContract.messageLimitBytes else {
            let message =
                "The message is too long: \(body.count) bytes of \(RiffContract.messageLimitBytes). Send it in parts."
            throw VoiceError(.messageTooLarge, message)
        }
        var request = server.request(.post, path)
        request.headerFields[.contentType] = "application/json"
        return try await ask(request, body, .message, read)
    }

    private func ask<Answer: Sendable>(
        _ request: HTTPRequest,
        _ body: [UInt8]?,
        _ kind: RiffRequestKind,
        _ read: (JSONValue) -> Answer?
    ) async throws -> Answer {
        // A thousand messages of a thousand words.
        let reply = try await answer(to: request, body: body, about: kind, limitBytes: 16 << 20)
        guard reply.head.status == .ok else { throw VoiceError(riff: reply.head, server: server, sent: kind) }
        return try reply.riffAnswer(from: server, read)
    }
}

extension VoiceErrorCode {
    /// The message is longer than the server takes; nothing was sent.
    public static let messageTooLarge = VoiceError.Code(rawValue: "messageTooLarge")
}
