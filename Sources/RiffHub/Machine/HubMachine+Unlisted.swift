// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Sessions that no list has told.
extension HubMachine {
    /// The session of a message; one that is not known is asked for.
    ///
    /// - Returns: `nil` where too many are there that no list has told: the next list tells whether the hub has it.
    mutating func ensure(_ id: HubSession.ID, at now: Duration) -> HubSession.ID? {
        let earlier = sessions[id]
        if let earlier, !earlier.isGone { return id }
        guard sessions.hasRoomForUnlisted else { return nil }
        guard var session = HubSession(json: ["session_id": .string(id.rawValue)]) else { return nil }
        if let earlier {
            // What is still to be heard of the earlier one stays on the card of its voice.
            session.voice = earlier.session.voice
            session.label = earlier.session.label
        } else if let voice = HubVoice.named(by: id) {
            // A card of its own would stand beside the voice's until the list came.
            session.voice = voice.id
        }
        add(session)
        fetchUnlisted()
        return id
    }

    /// Asks for the list that tells of a session: one request at a time, whatever the hub says meanwhile.
    private mutating func fetchUnlisted() {
        if let request = unlisted.request, requests[request] != nil {
            unlisted.isAskedAgain = true
        } else {
            unlisted = (request: fetchSessions(), isAskedAgain: false)
        }
    }

    /// The hub has told a list, or failed to: what came since it was asked for is in the next one.
    mutating func answeredUnlisted(by request: HubSequenceNumber, isTold: Bool) {
        guard unlisted.request == request else { return }
        let isAskedAgain = unlisted.isAskedAgain && isTold
        unlisted = (request: nil, isAskedAgain: false)
        if isAskedAgain { fetchUnlisted() }
    }

    /// The hub has made a session.
    mutating func made(_ session: HubSession, at now: Duration) {
        let isKnown = sessions[session.id].map { !$0.isGone } ?? false
        guard isKnown || sessions.hasRoomForUnlisted else { return }
        adopt(session, at: now)
        becameReady(session.id, at: now)
    }

    static let tooManySessions = Problem(
        code: "hub.sessionsFull",
        message: "The hub has more sessions than are kept here; the last ones of its list are not shown."
    )
}
