// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension MessageThread {
    /// One bubble of a chat list.
    public struct Entry: Sendable, Hashable, Identifiable {
        /// Names a bubble as long as it is shown, so that a list does not flicker when the server's name becomes
        /// known.
        public enum ID: Sendable, Hashable {
            /// It began here, under a name that the front end made up.
            case local(RiffIdentifier)
            /// It came from the server, under the server's name.
            case server(RiffIdentifier)
        }

        /// The state of an entry.
        public enum State: Sendable, Hashable {
            /// It is on its way.
            case sending
            /// The server has it.
            case sent
            /// It failed, for a reason that a person can read; it can be tried again.
            case failed(reason: String)
        }

        /// Its name, which never changes and is that of no other bubble.
        public let id: ID
        /// The speaker of the entry.
        public internal(set) var role: ConversationMessage.Role
        /// The text of the entry.
        public internal(set) var text: String
        /// The attachments of the entry: names of files on the host.
        public internal(set) var attachments: [String]
        /// The entry's place in the list, in seconds since 1970: the server's time once that is known.
        public internal(set) var time: Double
        /// The state of this entry.
        public internal(set) var state: State
        /// Its name on the server, once that is known.
        public internal(set) var serverID: RiffIdentifier?
        /// Whether the server may have the entry although that is not known: a try ended without an answer, such as
        /// with a 504 or a timeout. Ask the server for its messages before it is tried again, or it may be said twice.
        public internal(set) var mayHaveArrived = false

        /// When a try began that may have reached the server, by this device's clock: the first and the last such.
        var tries: ClosedRange<Double>
        /// When its reply was made, by the server's clock.
        var answered: Double?

        /// Words that are being sent.
        init(sending text: String, id: RiffIdentifier, at time: Double, shownAt shown: Double) {
            (self.id, role, self.text, attachments) = (.local(id), .user, text, [])
            (self.time, state, tries) = (shown, .sending, time...time)
        }

        /// Creates an entry from a message that the server has.
        init(_ message: ConversationMessage) {
            (id, role, text, attachments) = (.server(message.id), message.role, message.text, message.attachments)
            (time, state, serverID, tries) = (message.time, .sent, message.id, message.time...message.time)
        }

        /// A bubble as it was kept.
        init(
            id: ID,
            role: ConversationMessage.Role,
            text: String,
            attachments: [String],
            time: Double,
            state: State,
            tries: ClosedRange<Double>
        ) {
            (self.id, self.role, self.text, self.attachments) = (id, role, text, attachments)
            (self.time, self.state, self.tries) = (time, state, tries)
        }

        /// Becomes what the server has of it.
        mutating func become(_ message: ConversationMessage) {
            (role, text, attachments) = (message.role, message.text, message.attachments)
            (time, state, serverID, mayHaveArrived) = (message.time, .sent, message.id, false)
            // They have served: the message is found.
            (tries, answered) = (message.time...message.time, nil)
        }
    }
}
