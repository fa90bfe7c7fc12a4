// Riff
// SPDX-License-Identifier: Apache-2.0

/// An answer to a question of an agent's.
public enum QuestionAnswer: Sendable, Hashable {
    /// It may, this once.
    case allow
    /// It may not. The agent is told so and goes on if it can be told, and its turn ends else; the text is for the
    /// model if the agent takes one.
    case deny(String = "")
    /// It may not, and the turn ends.
    case cancel
    /// The chosen texts, one for each question, in order.
    case choose([String])
}

/// The outcome of an answer that was given.
public enum QuestionAnswerResult: Sendable, Hashable {
    /// The agent did what the answer says.
    case taken
    /// Another answer came first, and the agent did what that one says.
    case overruled
    /// The question is over, and whose answer ended it is not known.
    case given
}
