// Riff
// SPDX-License-Identifier: Apache-2.0

extension Conversation {
    /// When what happened in a turn, from any beginning; `nil` where it did not, or is not known.
    public struct Figures: Sendable, Hashable {
        /// The last sound of what the person said, as far as a detector told it.
        public var spoken: Duration?
        /// All of it was recognized.
        public var recognized: Duration?
        /// It was typed and submitted.
        public var typed: Duration?
        /// The agent's answer was handed to the voice.
        public var answered: Duration?
        /// The first sound of it was handed to the loudspeaker.
        public var sounded: Duration?

        /// From the end of speech to the submitted text: the pause that ends a turn, the recognizer, and 0.3 s before
        /// Return.
        public var speechToTyped: Duration? { spoken.flatMap { start in typed.map { $0 - start } } }
        /// From the answer's text to its first sound.
        public var answerToSound: Duration? { answered.flatMap { start in sounded.map { $0 - start } } }

        init() {}
    }
}
