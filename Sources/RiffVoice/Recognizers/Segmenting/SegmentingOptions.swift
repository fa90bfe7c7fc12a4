// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension SegmentingRecognizer {
    /// The options by which a ``SegmentingRecognizer`` cuts speech into lines, and handles them.
    public struct Options: Sendable, Hashable {
        /// When a line begins and ends. Its longest stretch limits lines together with ``longestClip``.
        public var segmentation: SpeechSegmentation
        /// The additional speech that is needed before the open line is recognized again; `nil` for complete lines
        /// only. It is recognized less often where the engine takes longer than this, and once more as soon as the
        /// voice pauses.
        public var partialInterval: Duration?
        /// The most audio that the engine gets in one call; above three seconds. A longer line is cut at its best
        /// pause.
        public var longestClip: Duration
        /// Words to expect, for engines that take them.
        public var keyTerms: [String]
        /// Mends each text before anybody sees it.
        public var vocabulary: VocabularyFixer
        /// The delays before a line on which the engine failed is tried again, each time; only for errors whose
        /// recovery is to try again or to check the network.
        public var retryDelays: [Duration]
        /// The most audio of complete lines that waits for an engine which is too slow or fails; the oldest line beyond
        /// it is abandoned, with its audio told.
        public var mostWaiting: Duration

        /// Options; what is not said is for dictation: lines padded by 300 ms so that no first sound is lost,
        /// recognized again each second, ten seconds at most, two more attempts after 1 s and 3 s, two minutes waiting.
        public init(
            segmentation: SpeechSegmentation = SpeechSegmentation(speechPadding: .milliseconds(300)),
            partialInterval: Duration? = .seconds(1),
            longestClip: Duration = .seconds(10),
            keyTerms: [String] = [],
            vocabulary: VocabularyFixer = VocabularyFixer([]),
            retryDelays: [Duration] = [.seconds(1), .seconds(3)],
            mostWaiting: Duration = .seconds(120)
        ) {
            self.segmentation = segmentation
            self.partialInterval = partialInterval
            self.longestClip = longestClip
            self.keyTerms = keyTerms
            self.vocabulary = vocabulary
            self.retryDelays = retryDelays
            self.mostWaiting = mostWaiting
        }

        func validate() throws(VoiceError) {
            try segmentation.validate()
            guard min(longestClip, segmentation.maxSpeechDuration) > .seconds(3), mostWaiting >= longestClip else {
                throw VoiceError(
                    .invalidSegmentation,
                    "Lines cannot be cut with these parameters: one must be longer than 3 s, and all that wait than one."
                )
            }
        }
    }
}
