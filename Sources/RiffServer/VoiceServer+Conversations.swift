// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffVoice

extension VoiceServer {
    /// `POST /riff/message`: `{"conversation_id", "text", "device_id"}`.
    func take(_ body: [UInt8]) async throws -> ServerResponse {
        guard let members = Self.object(body), let text = members["text"]?.text else {
            return .failure(.badRequest, "bad body")
        }
        guard !text.allSatisfy(\.isWhitespace) else { return .failure(.badRequest, "empty text") }
        guard let conversation = Self.identifier(members["conversation_id"], or: RiffContract.defaultConversation)
        else { return .failure(.badRequest, "bad conversation_id") }
        guard let device = Self.optionalIdentifier(members["device_id"]) else {
            return .failure(.badRequest, "bad device_id")
        }
        return try await answer(text, in: conversation, from: device)
    }

    /// `POST /riff/transcript`: `{"transcript", "ts", "device_id", "session_id"}`, which stands alone.
    func takeTranscript(_ body: [UInt8]) async throws -> ServerResponse {
        guard let members = Self.object(body), let text = members["transcript"]?.text else {
            return .failure(.badRequest, "bad body")
        }
        guard !text.allSatisfy(\.isWhitespace) else { return .failure(.badRequest, "empty transcript") }
        guard let session = Self.identifier(members["session_id"], or: .random()) else {
            return .failure(.badRequest, "bad session_id")
        }
        guard let device = Self.optionalIdentifier(members["device_id"]) else {
            return .failure(.badRequest, "bad device_id")
        }
        return try await answerAlone(text, session, from: device)
    }

    /// `POST /riff/audio`: a clip to text, and the text to the agent.
    func hear(_ audio: [UInt8], _ fields: HTTPFields) async throws -> ServerResponse {
        let conversation = fields[.riffConversationID].map {
            RiffIdentifier.isValid($0) ? try? RiffIdentifier($0) : nil
        }
        if case .some(nil) = conversation { return .failure(.badRequest, "bad conversation_id") }
        guard let turns else { return .failure(.serviceUnavailable, "no agent") }
        let session = fields[.riffSessionID].flatMap { try? RiffIdentifier($0) } ?? .random()
        let text: String
        switch try await recognize(audio, fields) {
        case .success(let transcript): text = transcript
        case .failure(let refusal):
            // Who recorded may be gone before the answer came: the list of sessions says what became of it.
            if let reason = refusal.reason { await turns.keepFailure(reason, session, conversation ?? nil) }
            return refusal.response
        }
        guard !text.allSatisfy(\.isWhitespace) else { return .failure(.badRequest, "empty transcript") }
        let device = fields[.riffDeviceID].flatMap { try? RiffIdentifier($0) }
        if case .some(let conversation?) = conversation {
            return try await answer(text, in: conversation, from: device, transcript: text)
        }
        return try await answerAlone(text, session, from: device)
    }

    private func answer(
        _ text: String,
        in conversation: RiffIdentifier,
        from device: RiffIdentifier?,
        transcript: String? = nil
    ) async throws -> ServerResponse {
        guard let turns else { return .failure(.serviceUnavailable, "no agent") }
        let outcome = try await turns.run(text, in: conversation, from: device)
        guard case .replied(let message) = outcome else { return Self.refusal(of: outcome) }
        var answer: JSONObject = [
            "reply": .string(message.text), "conversation_id": .string(conversation.text),
            "message_id": .string(message.id.text), "ts_reply": .number(message.time),
        ]
        answer["transcript"] = transcript.map { .string($0) }
        return .json(.object(answer))
    }

    private func answerAlone(
        _ text: String,
        _ session: RiffIdentifier,
        from device: RiffIdentifier?
    ) async throws -> ServerResponse {
        guard let turns else { return .failure(.serviceUnavailable, "no agent") }
        let outcome = try await turns.run(text, in: nil, from: device, named: session)
        guard case .replied(let message) = outcome else { return Self.refusal(of: outcome) }
        return .json([
            "reply": .string(message.text), "session_id": .string(session.text), "ts_reply": .number(message.time),
        ])
    }

    private static func refusal(of outcome: TurnRunner.Outcome) -> ServerResponse {
        switch outcome {
        case .timedOut: .failure(.gatewayTimeout, "claude timeout")
        case .busy: .failure(.serviceUnavailable, "busy", headerFields: [.retryAfter: "2"])
        case .notKept: .failure(.internalServerError, "not kept")
        case .failed, .replied: .failure(.badGateway, "reply failed")
        }
    }

    // MARK: Bodies

    static func object(_ body: [UInt8]) -> JSONObject? {
        // What is no JSON is answered as such; there is no more to say about it.
        (try? JSONValue(parsing: body))?.object
    }

    /// The name in a member; the standard one where it is absent or null, and `nil` where it is none.
    private static func identifier(_ member: JSONValue?, or standard: RiffIdentifier) -> RiffIdentifier? {
        guard let member, member != .null else { return standard }
        return member.text.flatMap { try? RiffIdentifier($0) }
    }

    /// The name in a member, which may be absent, null or empty; `nil` where it is none.
    private static func optionalIdentifier(_ member: JSONValue?) -> RiffIdentifier?? {
        guard let member, member != .null, member.text != "" else { return .some(nil) }
        return member.text.flatMap { try? RiffIdentifier($0) }.map(Optional.some)
    }
}
