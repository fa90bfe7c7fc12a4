// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

// The state of an entry is kept as a member of what else is known of it: nearly every entry is whole, and has none.

extension ChatEntry {
    private static let stateName = "riff.state"

    /// What is kept beside the columns of its own.
    var keptExtra: JSONObject {
        var kept = extra
        if let json = state.json { kept[Self.stateName] = json }
        return kept
    }

    /// Moves the state out of what was read.
    mutating func takeStateFromExtra() {
        guard let kept = State(json: extra[Self.stateName]) else { return }
        state = kept
        extra[Self.stateName] = nil
    }
}

extension ChatEntry.State {
    /// `nil` where nothing is to be said of it.
    var json: JSONValue? {
        switch self {
        case .whole: nil
        case .sending: "sending"
        case .growing: "growing"
        case .cut: "cut"
        case .failed(let reason): ["failed": .string(reason)]
        }
    }

    init?(json: JSONValue?) {
        switch json {
        case "sending": self = .sending
        case "growing": self = .growing
        case "cut": self = .cut
        default:
            guard let reason = json?["failed"]?.text else { return nil }
            self = .failed(reason: reason)
        }
    }
}
