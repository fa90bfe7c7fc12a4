// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A command that a client may send over the WebSocket. Nothing else is ever sent: hubs close the connection for
/// messages that they cannot read.
package enum HubCommand: Sendable, Hashable {
    /// All that the agent said was played; one for all of it.
    case playbackDone(session: HubSession.ID)
    /// The person's answer as a sound file; empty where they are muted.
    case audio(session: HubSession.ID, [UInt8])
    /// The person's answer in writing (from 43321fe on).
    case text(session: HubSession.ID, String)
    /// Something the person writes into the agent's work (from 43321fe on).
    case interjection(session: HubSession.ID, String)
    /// Whether the agent answers by voice or in writing (from 43321fe on): `voice` or `text`.
    case mode(session: HubSession.ID, String)
    /// The person has seen a message (from 279d9d6 on).
    case userAck(session: HubSession.ID, messageID: HubChatMessage.ID)

    /// The session that it is for.
    package var session: HubSession.ID {
        switch self {
        case .playbackDone(let session), .audio(let session, _), .text(let session, _), .interjection(let session, _),
            .mode(let session, _), .userAck(let session, _):
            session
        }
    }

    /// The feature that the hub must be known to have before the command is sent.
    var feature: HubFeatures {
        switch self {
        case .playbackDone, .audio: []
        case .text, .interjection, .mode: .typedText
        case .userAck: .acknowledgements
        }
    }

    /// The text of the WebSocket message.
    ///
    /// - Parameter features: What the hub is known to understand.
    /// - Returns: A JSON object.
    /// - Throws: ``HubError`` with `unsupported` where this hub does not know the command, `commandInvalid` without a
    ///   session, and `clipTooLarge`.
    package func message(for features: HubFeatures) throws(HubError) -> String {
        guard features.isSuperset(of: feature) else {
            throw HubError(.unsupported, "This hub is too old for what is typed; answer by voice.")
        }
        guard !session.isEmpty else {
            throw HubError(.commandInvalid, "A command for the hub names no session; nothing was sent.")
        }
        var json: JSONObject = ["session_id": .string(session.rawValue)]
        switch self {
        case .playbackDone: json["type"] = "playback_done"
        case .audio(_, let bytes):
            guard bytes.count <= HubCommand.clipBytes else { throw HubCommand.tooLarge(bytes.count) }
            json["type"] = "audio"
            json["data"] = .string(Data(bytes).base64EncodedString())
        case .text(_, let text):
            json["type"] = "text"
            json["text"] = .string(text)
        case .interjection(_, let text):
            json["type"] = "interjection"
            json["text"] = .string(text)
        case .mode(_, let mode):
            json["type"] = "set_mode"
            json["mode"] = .string(mode)
        case .userAck(_, let id):
            json["type"] = "user_ack"
            json["msg_id"] = .string(id.rawValue)
        }
        return JSONValue.object(json).description
    }

    /// The most bytes of a clip: in Base64, with room for the rest, they fit into the 16 MiB that the hub's server
    /// takes.
    package static let clipBytes = (16 << 20) / 4 * 3 - 4_096

    static func tooLarge(_ bytes: Int) -> HubError {
        let message = "The clip has \(bytes) bytes; the hub takes at most \(clipBytes) (6 minutes of WAV at 16 kHz)."
        return HubError(.clipTooLarge, message)
    }
}

extension HubErrorCode {
    /// A command cannot be sent as it is.
    public static let commandInvalid = HubError.Code(rawValue: "commandInvalid")
    /// A clip is larger than the hub takes; nothing was sent.
    public static let clipTooLarge = HubError.Code(rawValue: "clipTooLarge")
}
