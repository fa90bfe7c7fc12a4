// Riff
// SPDX-License-Identifier: Apache-2.0

/// An event of a ``SpeechSegmenter``. Places are samples since the beginning of the audio (16,000 a second).
public enum SpeechEvent: Sendable, Hashable {
    /// Speech has begun; padding included, so the place lies before the event.
    case started(at: Int)
    /// They have stopped; padding included.
    case ended(at: Int)
}
