// Riff
// SPDX-License-Identifier: Apache-2.0

/// Finds the end of one turn of speech: told of words and of the voice, it says when the turn is over.
///
/// A value without a clock: times are durations since the turn began, given with each event and not before the last
/// one's. Ask ``due`` for the moment to look again; at that moment, unless something came, the turn is over.
public struct Endpointer: Sendable {
    /// Why a turn is over.
    public enum Reason: Sendable, Hashable {
        /// The utterance was whole.
        case complete
        /// The pause was long enough without that.
        case pause
        /// Nothing came for so long that the rest is not waited for.
        case backstop
        /// The turn was as long as it may be.
        case limit
    }

    /// The policy that the endpointer follows.
    package let policy: EndpointPolicy
    private let completeness: UtteranceCompleteness
    private var words: [String] = []
    private var verdict = UtteranceCompleteness.Verdict.unknown
    private var lastWord: Duration?
    private var voice = Voice.unknown

    private enum Voice: Sendable {
        /// Nothing was told of it.
        case unknown
        case heard
        case silent(since: Duration)
    }

    /// An endpointer of one turn.
    public init(_ policy: EndpointPolicy, completeness: UtteranceCompleteness = UtteranceCompleteness()) {
        self.policy = policy
        self.completeness = completeness
    }

    // MARK: What it is told

    /// The recognizer's text of the turn so far. One with the same words, whatever its case and punctuation, is no
    /// news.
    public mutating func heard(_ text: String, at time: Duration) {
        let words = UtteranceWords(text).words
        // A mark at the end may come later than the words.
        verdict = completeness.verdict(on: text)
        guard words != self.words else { return }
        self.words = words
        lastWord = time
    }

    /// The voice began, or fell silent; the time is that of the sound, which may lie before the moment of telling.
    public mutating func voiceChanged(isSpeaking: Bool, at time: Duration) {
        switch (voice, isSpeaking) {
        case (_, true): voice = .heard
        case (.heard, false): voice = .silent(since: time)
        // Silence before the first word is no end of anything.
        case (.unknown, false), (.silent, false): break
        }
    }

    // MARK: What it says

    /// When the turn is over if nothing comes, and why; `nil`: not until something comes.
    public var end: (time: Duration, reason: Reason)? {
        let pauses = [pauseEnd, policy.limit.map { ($0, Reason.limit) }]
        return pauses.compactMap(\.self).min { $0.0 < $1.0 }
    }

    /// When the turn is over if nothing comes.
    public var due: Duration? { end?.time }

    /// Why the turn is over, if it is.
    public func reason(at time: Duration) -> Reason? {
        guard let end, time >= end.time else { return nil }
        return end.reason
    }

    private var pauseEnd: (Duration, Reason)? {
        switch policy.basis {
        case .words: words.isEmpty ? nil : endBehindWords
        case .voice: endBehindVoice
        }
    }

    private var endBehindWords: (Duration, Reason)? {
        guard let lastWord else { return nil }
        let last = policy.backstop.map { (lastWord + $0, Reason.backstop) }
        if case .heard = voice { return last }
        if verdict == .incomplete { return last }
        let usual = policy.pause.map { (lastWord + $0, Reason.pause) }
        guard case .silent(let since) = voice, verdict == .complete, let pause = policy.pauseWhenComplete else {
            return usual
        }
        // When the last word was spoken, as far as both can tell.
        let spoken = max(since, lastWord - policy.recognizerLag)
        let early = (spoken + max(pause, policy.recognizerLag), Reason.complete)
        return usual.map { $0.0 < early.0 ? $0 : early } ?? early
    }

    private var endBehindVoice: (Duration, Reason)? {
        let (pause, reason): (Duration?, Reason) =
            switch verdict {
            case .complete: (policy.pauseWhenComplete ?? policy.pause, .complete)
            case .incomplete: (policy.backstop ?? policy.pause, .backstop)
            case .unknown: (policy.pause, .pause)
            }
        guard let pause else { return nil }
        switch voice {
        case .silent(let since): return (since + max(pause, policy.recognizerLag), reason)
        case .heard: return nil
        // Without a detector a recognizer's words are the voice.
        case .unknown: return lastWord.map { ($0 + pause, reason) }
        }
    }
}
