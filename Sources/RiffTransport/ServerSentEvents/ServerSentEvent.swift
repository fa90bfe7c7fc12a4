// Riff
// SPDX-License-Identifier: Apache-2.0

/// One event of an event stream (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The type of the event; `message` if the stream names none.
    public let type: String
    /// The data: its lines joined by `\n`, without one at the end. May be empty.
    public let data: String
    /// The stream's last event ID when this event came, also where an earlier event set it; empty where none did.
    public let lastEventID: String

    /// An event; for tests and previews.
    public init(type: String = "message", data: String, lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }
}
