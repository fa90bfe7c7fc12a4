// Riff
// SPDX-License-Identifier: Apache-2.0

/// When a turn of speech counts as over.
///
/// Three pauses, for what was said being whole, unknown or open; each from the last new word, or from where the voice
/// fell silent. `nil` anywhere: that never ends a turn.
public struct EndpointPolicy: Sendable, Hashable {
    /// The event that a pause is measured from.
    public enum Basis: Sendable, Hashable {
        /// The last new word of a recognizer's partial texts.
        case words
        /// The end of the voice, as a detector tells it. Before the first voice or word nothing is measured.
        case voice
    }

    /// The event that the pauses are measured from.
    public var basis: Basis
    /// The pause after a whole utterance, if a voice detector says that there is no speech. With ``Basis/words`` it
    /// needs a detector; without one, ``pause`` holds.
    public var pauseWhenComplete: Duration?
    /// The pause where nothing else is known.
    public var pause: Duration?
    /// The pause after an incomplete utterance, and the longest without a new word while a voice is heard: the end of a
    /// sentence, or of a noise, is not waited for without limit.
    public var backstop: Duration?
    /// The longest turn.
    public var limit: Duration?
    /// The approximate delay of the recognizer's words after they are spoken. A turn does not end before that time has
    /// passed in silence, so that its last words are in the text.
    public var recognizerLag: Duration

    /// A policy; what is left out never ends a turn.
    package init(
        basis: Basis,
        pauseWhenComplete: Duration? = nil,
        pause: Duration? = nil,
        backstop: Duration? = nil,
        limit: Duration? = nil,
        recognizerLag: Duration = .zero
    ) {
        self.basis = basis
        self.pauseWhenComplete = pauseWhenComplete
        self.pause = pause
        self.backstop = backstop
        self.limit = limit
        self.recognizerLag = recognizerLag
    }

    /// A person ends it: nothing else does.
    public static let manual = EndpointPolicy(basis: .voice)

    /// Riff's hands-free call: three seconds behind the last new word, six where the words are open; one second of
    /// silence where a detector hears it and the words are whole.
    public static let riffCall = EndpointPolicy(
        basis: .words,
        pauseWhenComplete: .seconds(1),
        pause: .seconds(3),
        backstop: .seconds(6),
        recognizerLag: .milliseconds(500)
    )

    /// Sven's dictation: two seconds of silence, two minutes at most; words count for nothing.
    public static let sven = EndpointPolicy(
        basis: .voice,
        pauseWhenComplete: .seconds(2),
        pause: .seconds(2),
        backstop: .seconds(2),
        limit: .seconds(120)
    )

    /// RemoteClaw's hands-free mode: a second and a half of silence behind whole words, else two.
    public static let remoteClaw = EndpointPolicy(
        basis: .voice,
        pauseWhenComplete: .milliseconds(1500),
        pause: .seconds(2),
        backstop: .seconds(2)
    )
}
