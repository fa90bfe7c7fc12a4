// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// Finds out which generation a hub is of, from what it says anyway: a value. It only ever learns that a hub is newer.
package struct HubGenerationEvidence: Sendable, Hashable {
    /// The least generation of the hub; `nil` before it sent anything that shows it.
    package private(set) var generation: HubGeneration?

    /// Nothing known.
    package init() {}

    /// Takes the keys of `GET /api/settings`: they tell every generation apart.
    package mutating func settings(_ json: JSONObject) {
        if json["effort"] != nil || json["tts_enabled"] != nil {
            note(.paged)
        } else if json["deployment_mode"] != nil {
            note(.inbox)
        } else if json["voice_responses"] != nil {
            note(.words)
        } else if json["auto_record"] != nil || json["model"] != nil {
            note(.first)
        }
    }

    /// Takes a message.
    package mutating func frame(_ frame: HubFrame) {
        switch frame.message {
        case .sessionList(let sessions): for session in sessions { self.session(session.json) }
        case .sessionSpawned(let session): self.session(session.json)
        case .sessionStatus(_, _, let state?, _): note(state.rawValue.isEmpty ? .first : .inbox)
        case .thinking: note(.words)
        case .userAck, .activity: note(.inbox)
        case .unknown(let type): unknown(type, frame.json)
        default: break
        }
        if frame.json["backend"] != nil, frame.message.session != nil { note(.paged) }
    }

    /// Takes the members of a session.
    package mutating func session(_ json: JSONObject) {
        if json["backend"] != nil || json["model_id"] != nil {
            note(.paged)
        } else if json["state"] != nil {
            note(.inbox)
        } else if json["unread_count"] != nil {
            note(.words)
        } else if json["mcp_connected"] != nil {
            note(.first)
        }
    }

    /// The hub knows `/api/voice/settings` or `/ws/chat`, and none of the addresses before them.
    package mutating func isChat() { note(.chat) }

    private mutating func unknown(_ type: String, _ json: JSONObject) {
        switch type {
        case "structured_event", "walking_mode", "user_notification": note(.paged)
        case "inbox_update", "project_switched", "compaction_status", "agent_message": note(.inbox)
        // The newest hub's own words; none of the older ones says them.
        case "io_message", "agent_migrated", "close_channel": note(.chat)
        case "response", "request": if json["requestId"] != nil || json["replaySeq"] != nil { note(.chat) }
        default: if json["replaySeq"] != nil { note(.chat) }
        }
    }

    private mutating func note(_ found: HubGeneration) {
        if generation.map({ $0.isOlder(than: found) }) ?? true { generation = found }
    }
}

extension HubError {
    /// The hub speaks a protocol that is none of those that are spoken here.
    static var tooNew: HubError {
        HubError(
            .generationUnsupported,
            "This hub is of a newer kind (ClawMux 0f4ce3d and later, with /ws/chat), which is not spoken here. "
                + "Use a hub up to 378cd2a, or a newer version of this library."
        )
    }
}

extension HubErrorCode {
    /// The hub is of a generation that is not spoken here; it will not be tried again.
    public static let generationUnsupported = HubError.Code(rawValue: "generationUnsupported")
}
