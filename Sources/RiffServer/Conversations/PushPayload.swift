// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// What a push service is given to tell a device of an answer: an alert with a sound, and the conversation to open.
///
/// It is never larger than Apple's push service takes
/// (<https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification>): what is too long
/// is cut, the text first.
package struct PushPayload: Sendable, Hashable {
    /// The most bytes of a payload.
    package static let limitBytes = 4096
    /// How many characters the title has at most.
    package static let titleLimit = 60

    /// What is shown in bold, cut to fit.
    package let title: String
    /// What is shown below, cut to fit.
    package let body: String
    /// The conversation that the notification opens.
    package let conversation: RiffIdentifier

    /// A payload.
    ///
    /// - Parameters:
    ///   - title: Who answers, such as the agent's or the host's name.
    ///   - body: The answer.
    ///   - conversation: The conversation that it belongs to.
    ///   - bodyLimit: The most characters of the answer.
    package init(
        title: String,
        body: String,
        conversation: RiffIdentifier,
        bodyLimit: Int = NotificationText.standardLimit
    ) {
        // A quarter, so that no title leaves an answer without room.
        self.title = NotificationText.truncated(title, limit: Self.titleLimit, limitBytes: Self.limitBytes / 4)
        self.conversation = conversation
        let frame = Self.json(self.title, "", conversation).bytes().count
        self.body = NotificationText.truncated(body, limit: bodyLimit, limitBytes: Self.limitBytes - frame)
    }

    /// `{"aps": {"alert": {"title", "body"}, "sound": "default"}, "conversation_id"}`; its
    /// ``JSONValue/bytes(sortedKeys:)`` are at most ``limitBytes``.
    package var json: JSONValue { Self.json(title, body, conversation) }

    private static func json(_ title: String, _ body: String, _ conversation: RiffIdentifier) -> JSONValue {
        [
            "aps": ["alert": ["title": .string(title), "body": .string(body)], "sound": "default"],
            "conversation_id": .string(conversation.text),
        ]
    }
}
