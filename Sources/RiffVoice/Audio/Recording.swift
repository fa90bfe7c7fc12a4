// Riff
// SPDX-License-Identifier: Apache-2.0

/// What a recorder recorded.
public struct Recording: Sendable {
    /// Why it ended.
    public enum End: Sendable {
        /// Somebody stopped it.
        case stopped
        /// The source had no more.
        case sourceEnded
        /// The most bytes that are kept were reached; the source was stopped.
        case limitReached
        /// The capture broke; what came before is kept.
        case failed(any Error)
    }

    /// The audio: raw samples.
    public let clip: AudioClip
    /// How long it is.
    public let duration: Duration
    /// Whether anything was louder than the recorder's threshold.
    public let hasSpeech: Bool
    /// Why it ended.
    public let end: End
}

extension ClipRecorder {
    /// How far a recording is.
    public struct Progress: Sendable, Hashable {
        /// How loud the newest stretch is.
        public let level: AudioLevel
        /// How much was recorded.
        public let duration: Duration
        /// Whether anything yet was louder than the recorder's threshold.
        public let hasSpeech: Bool
        /// What the device gives now: it changes where a person plugs in a headset while they speak.
        public let captured: AudioFormat
    }
}
