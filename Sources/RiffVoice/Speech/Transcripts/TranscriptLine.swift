// Riff
// SPDX-License-Identifier: Apache-2.0

/// One line of a transcript that grows while the user speaks: as much as was said without a pause.
public struct TranscriptLine: Sendable, Hashable, Identifiable {
    /// Names a line within one conversation; the same for all of its versions. Its number says nothing of the order.
    public struct ID: RawRepresentable, Sendable, Hashable, Codable {
        /// The number, as the recognizer gave it.
        public let rawValue: UInt64

        /// Any number.
        public init(rawValue: UInt64) { self.rawValue = rawValue }
    }

    /// Which line it is.
    public let id: ID
    /// The text of the line so far, as it is to be shown; not empty but for a line whose text is not known yet.
    public var text: String
    /// The time at which the line begins, from the beginning of the audio.
    public var start: Duration
    /// The duration of the line so far.
    public var duration: Duration
    /// Whether this is its last version, as far as the recognizer knows.
    public var isComplete: Bool
    /// The time that the recognizer worked on this version; `nil` if it does not tell.
    public var latency: Duration?

    /// Creates a version of a line.
    public init(
        id: ID,
        text: String,
        start: Duration,
        duration: Duration,
        isComplete: Bool = false,
        latency: Duration? = nil
    ) {
        self.id = id
        self.text = text
        self.start = start
        self.duration = duration
        self.isComplete = isComplete
        self.latency = latency
    }
}
