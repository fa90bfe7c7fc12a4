// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffVoice

extension Conversation {
    /// An answer into which the person spoke, and how much of it they had heard by then.
    ///
    /// A front end marks the place; an agent that is told knows what the person does not know yet.
    public struct BrokenOffAnswer: Sendable, Hashable {
        /// The whole answer.
        public let content: AgentAnswer.Content
        /// How much of its sound was played; a loudspeaker that is late makes it a little less.
        public let heard: Duration
        /// The sentences of it that were begun, of which the last one was broken off; empty for an answer that came as
        /// sound.
        public let text: String
    }
}
