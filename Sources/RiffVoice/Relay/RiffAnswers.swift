// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension RiffClient {
    /// The answer of an agent to a message of a conversation.
    public struct Reply: Sendable, Hashable {
        /// The text of the answer.
        public let text: String
        /// The conversation's identifier.
        public let conversation: RiffIdentifier
        /// The name of the answer in the conversation.
        public let messageID: RiffIdentifier
        /// When it was given, in seconds since 1970 by the server's clock.
        public let time: Double
        /// The words that the server heard, if a clip was sent.
        public let transcript: String?

        init?(json: JSONValue) {
            guard let text = json["reply"]?.text, let time = json["ts_reply"]?.double,
                let conversation = json["conversation_id"]?.text.flatMap({ try? RiffIdentifier($0) }),
                let message = json["message_id"]?.text.flatMap({ try? RiffIdentifier($0) })
            else { return nil }
            (self.text, self.time, self.conversation, messageID) = (text, time, conversation, message)
            transcript = json["transcript"]?.text
        }
    }
}

extension RiffClient {
    /// The answer of an agent to words that belong to no conversation.
    public struct SingleReply: Sendable, Hashable {
        /// The text of the answer.
        public let text: String
        /// The name of the recording that was answered.
        public let session: RiffIdentifier
        /// When it was given, in seconds since 1970 by the server's clock, where the server says so.
        public let time: Double?

        init?(json: JSONValue) {
            guard let text = json["reply"]?.text,
                let session = json["session_id"]?.text.flatMap({ try? RiffIdentifier($0) })
            else { return nil }
            (self.text, self.session, time) = (text, session, json["ts_reply"]?.double)
        }
    }
}
