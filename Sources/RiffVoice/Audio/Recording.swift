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
    /// Whether anything was said since the last part was handed on.
    package let lastPartHasSpeech: Bool

    /// A part of a long recording.
    package struct Part: Sendable {
        /// Raw samples.
        package let clip: AudioClip
        /// Whether anything was louder than the recorder's threshold.
        package let hasSpeech: Bool

        package init(clip: AudioClip, hasSpeech: Bool) {
            self.clip = clip
            self.hasSpeech = hasSpeech
        }
    }
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
        /// For how long nothing was said, up to now.
        package let silence: Duration
        /// What the device gives now: it changes where a person plugs in a headset while they speak.
        public let captured: AudioFormat
    }
}
