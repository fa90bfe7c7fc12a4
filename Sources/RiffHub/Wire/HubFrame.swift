// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One message with all that it came with.
package struct HubFrame: Sendable, Hashable {
    /// The message in the frame.
    package let message: HubMessage
    /// All of its members, also those that are not known; without the bytes of a sound.
    package let json: JSONObject
    /// The size of the frame on the wire.
    let byteCount: Int

    /// Reads the text of a WebSocket message.
    ///
    /// - Throws: ``HubError`` with `frameMalformed` where it is no JSON object with a type, or lacks what its type must
    ///   have (a session, a sound in Base64). It is safe to ignore the frame then.
    package init(text: String) throws(HubError) {
        let value: JSONValue
        do { value = try JSONValue(parsing: text) } catch {
            throw HubError(.frameMalformed, "The hub sent a message that is not JSON; it is ignored.", cause: error)
        }
        guard let object = value.object, let type = object["type"]?.text else {
            throw HubError(.frameMalformed, "The hub sent a message without a type; it is ignored.")
        }
        message = try Self.message(type, object)
        var kept = object
        if type == "audio" { kept["data"] = nil }
        (json, byteCount) = (kept, text.utf8.count)
    }

    private static func message(_ type: String, _ json: JSONObject) throws(HubError) -> HubMessage {
        switch type {
        case "ping": return .ping
        case "session_list":
            guard let list = json["sessions"]?.array else { throw lacks("sessions", type) }
            return .sessionList(list.compactMap(HubSession.init(json:)))
        case "session_spawned":
            guard let session = json["session"].flatMap(HubSession.init(json:)) else { throw lacks("session", type) }
            return .sessionSpawned(session)
        case "session_status", "session_terminated", "session_ended", "assistant_text", "user_text", "status",
            "activity_text", "audio", "listening", "thinking", "done", "user_ack":
            guard let session = json["session_id"]?.text, !session.isEmpty else { throw lacks("session_id", type) }
            return try message(type, HubSession.ID(rawValue: session), json)
        default: return .unknown(type: type)
        }
    }

    private static func message(_ type: String, _ session: HubSession.ID, _ json: JSONObject) throws(HubError)
        -> HubMessage
    {
        let text = json["text"]?.text ?? ""
        switch type {
        case "session_status":
            return .sessionStatus(
                session: session,
                status: json["status"]?.text.map(HubSession.State.init(rawValue:)),
                state: json["state"]?.text.map(HubSession.State.init(rawValue:)),
                text: json["status_text"]?.text
            )
        case "session_terminated": return .sessionTerminated(session: session)
        case "session_ended": return .sessionEnded(session: session)
        case "assistant_text", "user_text":
            let content = HubText(
                text,
                id: json["msg_id"]?.text.map(HubChatMessage.ID.init(rawValue:)),
                isFireAndForget: json["fire_and_forget"]?.bool ?? false,
                isInterjection: json["interjection"]?.bool ?? false
            )
            return type == "user_text"
                ? .userText(session: session, content) : .assistantText(session: session, content)
        case "status": return .status(session: session, text: text)
        case "activity_text": return .activity(session: session, text: text)
        case "audio":
            guard let bytes = Self.bytes(json["data"]) else { throw lacks("data", type) }
            let words = (json["words"]?.array ?? []).compactMap(HubAudio.Word.init(json:))
            return .audio(
                session: session,
                HubAudio(bytes, words: words, id: json["msg_id"]?.text.map(HubChatMessage.ID.init(rawValue:)))
            )
        case "listening": return .listening(session: session)
        case "thinking": return .thinking(session: session)
        case "user_ack":
            return .userAck(session: session, messageID: HubChatMessage.ID(rawValue: json["msg_id"]?.text ?? ""))
        default: return .done(session: session, isProcessing: json["processing"]?.bool)
        }
    }

    /// The bytes of a Base64 text of RFC 4648 section 4, padded, with nothing else in it.
    private static func bytes(_ json: JSONValue?) -> [UInt8]? {
        guard let text = json?.text, let data = Data(base64Encoded: text) else { return nil }
        return Array(data)
    }

    private static func lacks(_ member: String, _ type: String) -> HubError {
        HubError(.frameMalformed, "The hub sent a message (\(type)) without a usable \(member); it is ignored.")
    }
}

extension HubAudio.Word {
    init?(json: JSONValue) {
        guard let text = json["word"]?.text, let start = json["start_time"]?.double, let end = json["end_time"]?.double
        else { return nil }
        self.init(text: text, start: start, end: end)
    }
}

extension HubErrorCode {
    /// A message of the hub cannot be read; it was ignored.
    public static let frameMalformed = HubError.Code(rawValue: "frameMalformed")
}
