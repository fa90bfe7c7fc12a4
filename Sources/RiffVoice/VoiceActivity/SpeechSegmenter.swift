// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Makes stretches of speech of probabilities: a value without clock, whose time is the samples that went by.
///
/// Starts and ends alternate, and never overlap. A start is told as soon as enough was heard, an end as soon as it was
/// silent for long enough; silence of the same length drops what was too short.
package struct SpeechSegmenter: Sendable {
    private enum State: Sendable, Hashable {
        case silence
        /// Something was heard, but not enough yet; `voiced` samples of it.
        case candidate(start: Int, voiced: Int, silentSince: Int?)
        case speech(start: Int, silentSince: Int?)
    }

    /// The parameters of the segmenter.
    package let segmentation: SpeechSegmentation
    /// Samples that one probability is for.
    package let frameSamples: Int
    /// Samples heard so far.
    package private(set) var position = 0

    private let minSpeech: Int
    private let minSilence: Int
    private let padding: Int
    private let maxSpeech: Int
    private var state = State.silence
    /// Nothing before it belongs to the next stretch.
    private var lastEnd = 0
    /// The last silence within the stretch that is long enough to cut at: where it began, and where speech went on.
    private var cut: (end: Int, start: Int)?

    /// Silences from here on are pauses between words, and may be cut at.
    private static let shortestCut = 98 * 16

    /// A segmenter at the beginning of audio.
    ///
    /// - Parameters:
    ///   - segmentation: The parameters.
    ///   - frameSamples: Samples at 16 kHz that one probability is for: ``VoiceDetecting/frameSamples``.
    /// - Throws: ``VoiceError`` with `invalidSegmentation`, saying which parameter.
    package init(_ segmentation: SpeechSegmentation = SpeechSegmentation(), frameSamples: Int) throws(VoiceError) {
        try segmentation.validate()
        guard (1...16_000).contains(frameSamples) else {
            throw VoiceError(.invalidSegmentation, "A frame of \(frameSamples) samples is not within 1 to 16,000.")
        }
        self.segmentation = segmentation
        self.frameSamples = frameSamples
        func samples(_ duration: Duration) -> Int { Int(duration / .microseconds(1)) * 16 / 1_000 }
        minSpeech = samples(segmentation.minSpeechDuration)
        minSilence = samples(segmentation.minSilenceDuration)
        padding = samples(segmentation.speechPadding)
        maxSpeech = samples(segmentation.maxSpeechDuration)
    }

    /// Whether there is speech, as far as it was reported.
    package var isSpeaking: Bool {
        if case .speech = state { true } else { false }
    }

    /// Takes the next frame's probability.
    ///
    /// - Returns: What it decides, in order; mostly nothing. A probability that is no number counts as 0.
    package mutating func process(_ probability: Float) -> [SpeechEvent] {
        let frameStart = position
        position += frameSamples
        let isVoice = probability >= segmentation.threshold
        let isSilence = !(probability >= segmentation.negativeThreshold)
        switch state {
        case .silence:
            guard isVoice else { return [] }
            state = .candidate(start: frameStart, voiced: frameSamples, silentSince: nil)
            return confirm()
        case .candidate(let start, let voiced, let silentSince):
            if isVoice || (!isSilence && silentSince == nil) {
                state = .candidate(start: start, voiced: voiced + frameSamples, silentSince: nil)
                return confirm()
            }
            let since = silentSince ?? frameStart
            // Longer silent than heard: single clicks never add up to speech.
            let isDropped = position - since >= min(minSilence, voiced)
            state = isDropped ? .silence : .candidate(start: start, voiced: voiced, silentSince: since)
            return []
        case .speech(let start, let silentSince):
            return continueSpeech(start, silentSince, frameStart, isVoice, isSilence)
        }
    }

    /// Ends the audio, and the stretch that is open. The next probability begins new audio at place 0.
    package mutating func finish() -> [SpeechEvent] {
        var events: [SpeechEvent] = []
        if case .speech(_, let silentSince) = state {
            events.append(.ended(at: silentSince.map { min(position, $0 + padding) } ?? position))
        }
        (state, position, lastEnd, cut) = (.silence, 0, 0, nil)
        return events
    }

    /// Tells a start when enough was heard.
    private mutating func confirm() -> [SpeechEvent] {
        guard case .candidate(let start, let voiced, _) = state, voiced >= minSpeech else { return [] }
        let padded = max(lastEnd, start - padding)
        (state, cut) = (.speech(start: padded, silentSince: nil), nil)
        return [.started(at: padded)]
    }

    private mutating func continueSpeech(
        _ start: Int,
        _ silentSince: Int?,
        _ frameStart: Int,
        _ isVoice: Bool,
        _ isSilence: Bool
    ) -> [SpeechEvent] {
        var since = silentSince
        if isVoice {
            if let since, frameStart - since >= SpeechSegmenter.shortestCut { cut = (since, frameStart) }
            since = nil
        } else if isSilence {
            since = since ?? frameStart
        }
        if let since, position - since >= minSilence {
            return [end(at: min(position, since + padding))]
        }
        state = .speech(start: start, silentSince: since)
        guard position - start >= maxSpeech else { return [] }
        if let since {
            return [end(at: min(position, since + padding))]
        }
        guard let cut, cut.end > start else {
            state = .speech(start: position, silentSince: nil)
            return [end(at: position, goesOn: true), .started(at: position)]
        }
        // Half of a short silence at most, so that the two do not overlap.
        let slack = min(padding, (cut.start - cut.end) / 2)
        let next = cut.start - slack
        state = .speech(start: next, silentSince: nil)
        return [end(at: cut.end + slack, goesOn: true), .started(at: next)]
    }

    private mutating func end(at place: Int, goesOn: Bool = false) -> SpeechEvent {
        if !goesOn { state = .silence }
        (lastEnd, cut) = (place, nil)
        return .ended(at: place)
    }
}
