// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The parameters by which probabilities become stretches of speech. The names are those that voice activity detectors
/// share.
public struct SpeechSegmentation: Sendable, Hashable {
    /// The probability from which a frame is speech, above 0 and below 1.
    public var threshold: Float
    /// The probability below which a frame within speech is silence; at most ``threshold``. Between the two nothing
    /// changes.
    public var negativeThreshold: Float
    /// The duration of sound that counts as speech; shorter sounds are dropped.
    public var minSpeechDuration: Duration
    /// The duration of silence before speech has ended.
    public var minSilenceDuration: Duration
    /// The duration that is kept before the first and after the last sound of speech, as far as it was heard.
    public var speechPadding: Duration
    /// The longest stretch: a longer one is cut at its last short silence, or where there was none, on the spot.
    public var maxSpeechDuration: Duration

    /// Parameters of a segmentation; what is not said is for dictation: speech from 150 ms on, ended by 750 ms of
    /// silence, padded by 100 ms, cut at 14 s.
    ///
    /// The negative threshold is 0.15 below the threshold, but no less than 0.01, unless said otherwise.
    public init(
        threshold: Float = 0.5,
        negativeThreshold: Float? = nil,
        minSpeechDuration: Duration = .milliseconds(150),
        minSilenceDuration: Duration = .milliseconds(750),
        speechPadding: Duration = .milliseconds(100),
        maxSpeechDuration: Duration = .seconds(14)
    ) {
        self.threshold = threshold
        self.negativeThreshold = negativeThreshold ?? max(threshold - 0.15, min(threshold, 0.01))
        self.minSpeechDuration = minSpeechDuration
        self.minSilenceDuration = minSilenceDuration
        self.speechPadding = speechPadding
        self.maxSpeechDuration = maxSpeechDuration
    }

    /// The parameters for speech while audio is played: 300 ms of it, at a threshold that is less easily reached by the
    /// rest of an echo.
    public static let bargeIn = SpeechSegmentation(threshold: 0.6, minSpeechDuration: .milliseconds(300))

    func validate() throws(VoiceError) {
        func refuse(_ what: String) -> VoiceError {
            VoiceError(.invalidSegmentation, "Speech cannot be cut out with these parameters: \(what).")
        }
        guard threshold > 0, threshold < 1 else { throw refuse("the threshold is \(threshold), not between 0 and 1") }
        guard negativeThreshold > 0, negativeThreshold <= threshold else {
            throw refuse("the negative threshold is \(negativeThreshold), not between 0 and \(threshold)")
        }
        guard minSpeechDuration >= .zero, minSilenceDuration >= .zero, speechPadding >= .zero else {
            throw refuse("a duration is negative")
        }
        guard maxSpeechDuration > minSpeechDuration, maxSpeechDuration <= .seconds(86_400) else {
            throw refuse("the longest stretch must be longer than the shortest one, and not above a day")
        }
        guard minSilenceDuration <= .seconds(86_400), speechPadding <= .seconds(86_400) else {
            throw refuse("a duration is longer than a day")
        }
    }
}

extension VoiceErrorCode {
    /// The parameters of a segmentation contradict each other.
    public static let invalidSegmentation = VoiceError.Code(rawValue: "invalidSegmentation")
}
