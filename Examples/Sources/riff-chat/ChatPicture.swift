// Riff
// SPDX-License-Identifier: Apache-2.0

/// A conversation as it is shown, whoever it is with.
package struct ChatPicture: Sendable, Equatable {
    /// Something that was said or done.
    package struct Item: Sendable, Equatable {
        package enum Kind: Sendable, Equatable {
            /// What the person said.
            case question
            /// What was answered, as markdown.
            case answer
            /// What happened beside that, in a line.
            case note
        }

        /// Stays as it is.
        package let id: Int
        package let kind: Kind
        /// The new part of its text since the picture before; a note is told whole.
        package let more: String
        /// Whether that is all of it: it is new, or said once more.
        package let startsOver: Bool
        /// Whether it may still change.
        package let isOpen: Bool

        package init(_ id: Int, _ kind: Kind, _ more: String, startsOver: Bool = false, isOpen: Bool = false) {
            self.id = id
            self.kind = kind
            self.more = more
            self.startsOver = startsOver
            self.isOpen = isOpen
        }
    }

    package var items: [Item] = []
    package var isAnswering = false
    /// What went wrong with the last answer, or what is asked of the person, until the next one.
    package var notice: String?
    /// The answers to a question that the other side asks; a number chooses one.
    package var choices: [String] = []

    package init() {}
}

/// Whom the person talks to.
protocol ChatPartner: Sendable {
    /// The conversation as it is, then what is new whenever it has changed. Changes while the reader is busy come as
    /// one.
    func pictures() -> AsyncStream<ChatPicture>
    /// Says something, and returns when the answer ended, well or not: the picture says how.
    func ask(_ text: String) async throws
    /// Asks for the rest of an answer that was cut off.
    func resume() async throws
    /// Cuts the answer off where it is.
    func cut() async
    /// Chooses one of the picture's choices.
    func choose(_ place: Int) async throws
    /// The models that can be chosen.
    func models() async throws -> [String]
    /// Chooses a model for what is asked from now on.
    func use(model: String) async throws
    /// The model, what it costs and how much of its limits is used, as far as anybody knows.
    func facts() async -> [String]
}
