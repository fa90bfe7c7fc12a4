// Riff
// SPDX-License-Identifier: Apache-2.0

/// An event of a recognizer while the user speaks. Times are from the beginning of the turn's audio.
public enum RecognitionEvent: Sendable {
    /// A voice is heard; the time is that of its first sound or a little before.
    case speechStarted(at: Duration)
    /// It fell silent; the time is that of its last sound.
    case speechEnded(at: Duration)
    /// A new version of a line; see ``TranscriptAccumulator``.
    case line(TranscriptLine)
    /// The engine failed on a line.
    case failed(RecognitionEvent.Failure)
}

extension RecognitionEvent {
    /// An engine's failure on a line, whose audio is not lost.
    public struct Failure: Sendable {
        /// The consequence of a failure.
        public enum Outcome: Sendable, Hashable {
            /// Only a version of the line in between is missing.
            case partialMissed
            /// The line is tried again after this time.
            case retried(after: Duration)
            /// It is not tried again: this is its audio, to be kept or given to another recognizer. The line has no
            /// complete version; give it one under its id.
            case abandoned(AudioClip)
        }

        /// The error that caused the failure.
        public let error: any Error
        /// The line, with the text that it has so far, if any.
        public let line: TranscriptLine
        /// The consequence of this failure.
        public let outcome: Outcome

        /// Creates a failure.
        public init(_ error: any Error, line: TranscriptLine, outcome: Outcome) {
            self.error = error
            self.line = line
            self.outcome = outcome
        }
    }
}
