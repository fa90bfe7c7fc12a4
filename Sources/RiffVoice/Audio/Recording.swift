// Riff
// SPDX-License-Identifier: Apache-2.0

/// The result of a recorder.
public struct Recording: Sendable {
    /// Why it ended.
    public enum End: Sendable {
        /// The recording was stopped by its owner.
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
    /// The duration of the recording.
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
    /// The progress of a recording.
    public struct Progress: Sendable, Hashable {
        /// The level of the newest stretch.
        public let level: AudioLevel
        /// The duration that was recorded.
        public let duration: Duration
        /// Whether anything yet was louder than the recorder's threshold.
        public let hasSpeech: Bool
        /// For how long nothing was said, up to now.
        package let silence: Duration
        /// The format that the device gives now: it changes if a person plugs in a headset while they speak.
        public let captured: AudioFormat
    }
}
