// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The decisions of a ``SegmentingRecognizer`` in one turn: frames, probabilities and the engine's answers in, actions
/// out. A value without clock or engine; times are samples since the beginning of the turn.
///
/// The engine has one clip at a time. Complete lines wait for it in order; the open line is recognized when none does,
/// always as it is by then, so that a slow engine skips versions instead of falling behind.
package struct SegmentingMachine: Sendable {
    /// What is to be done, in order.
    package enum Action: Sendable {
        /// Give the engine this clip, and say what came of it.
        case transcribe(AudioClip)
        /// Wait, then call ``retry()``.
        case wait(Duration)
        /// Tell this.
        case report(RecognitionEvent)
        /// All events were delivered.
        case finish
    }

    /// A line that is spoken but not recognized.
    private struct WaitingLine: Sendable {
        let id: TranscriptLine.ID
        let samples: Range<Int>
        let bytes: [UInt8]
        /// The text of an earlier version.
        var text: String
        var attempts = 0

        var clip: AudioClip { AudioClip(bytes, encoding: .pcm(.speech)) }
    }

    private enum Engine: Sendable {
        case idle
        /// A version of a line up to a sample; with the line, where it ended meanwhile and this is all of it.
        case partial(TranscriptLine.ID, Range<Int>, last: WaitingLine?)
        /// The first of the lines that wait.
        case complete
        /// Waits before it tries the first one again.
        case pausing
    }

    private let options: SegmentingRecognizer.Options
    private let longest: Int
    private let mostWaiting: Int
    private let turn: UInt64
    private var lines: UInt64 = 0
    private var segmenter: SpeechSegmenter
    private var audio = HeardAudio()
    private var open: OpenLine?
    private var waiting: [WaitingLine] = []
    private var engine = Engine.idle
    private var lastLatency = Duration.zero
    private var isEnding = false
    private var isEnded = false

    /// A turn that has heard nothing.
    ///
    /// - Parameters:
    ///   - options: Its parameters.
    ///   - frameSamples: Samples that one probability is for.
    ///   - turn: The number of the turn, which makes its lines' ids its own.
    /// - Throws: ``VoiceError`` with `invalidSegmentation`.
    package init(_ options: SegmentingRecognizer.Options, frameSamples: Int, turn: UInt32) throws(VoiceError) {
        try options.validate()
        self.options = options
        var segmentation = options.segmentation
        longest = SegmentingMachine.samples(min(options.longestClip, segmentation.maxSpeechDuration)) - frameSamples
        mostWaiting = SegmentingMachine.samples(options.mostWaiting) * 2
        // Long lines are cut here, where the audio is.
        segmentation.maxSpeechDuration = .seconds(86_400)
        segmenter = try SpeechSegmenter(segmentation, frameSamples: frameSamples)
        self.turn = UInt64(turn)
    }

    // MARK: What happens

    /// Takes the next frames, and what the detector says of those that they complete.
    package mutating func hear(_ frames: [UInt8], _ probabilities: [Float]) -> [Action] {
        audio.append(frames)
        var actions: [Action] = []
        for probability in probabilities {
            let start = segmenter.position
            for event in segmenter.process(probability) { actions += take(event) }
            let segmentation = segmenter.segmentation
            open?.heard(
                voice: probability >= segmentation.threshold,
                silence: !(probability >= segmentation.negativeThreshold),
                in: start..<segmenter.position
            )
            if let open, segmenter.position - open.start >= longest { split(open) }
        }
        audio.drop(before: min(open?.start ?? .max, segmenter.position - HeardAudio.preRoll))
        return actions + abandonSurplus() + next()
    }

    /// Ends the audio.
    ///
    /// - Parameter probability: What the detector says of the frame that was begun.
    /// - Returns: What is to be done.
    package mutating func finish(_ probability: Float?) -> [Action] {
        var actions = hear([], probability.map { [$0] } ?? [])
        for event in segmenter.finish() { actions += take(event) }
        isEnding = true
        return actions + next()
    }

    /// Takes the engine's answer.
    package mutating func transcribed(_ transcript: Transcript, latency: Duration) -> [Action] {
        let words = transcript.spoken.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let text = options.vocabulary.fix(words)
        lastLatency = latency
        var actions: [Action] = []
        switch engine {
        case .idle, .pausing: return []
        case .partial(_, _, let last?): actions = complete(last, text, latency)
        case .partial(let id, let samples, nil):
            if var line = open, line.id == id, !text.isEmpty {
                (line.text, line.recognized) = (text, samples.upperBound)
                open = line
                actions = [.report(.line(version(id, text, samples, latency: latency)))]
            }
        case .complete: actions = complete(waiting.removeFirst(), text, latency)
        }
        engine = .idle
        return actions + next()
    }

    /// Takes the engine's error.
    package mutating func failed(_ error: any Error) -> [Action] {
        var actions: [Action] = []
        switch engine {
        case .idle, .pausing: return []
        case .partial(let id, let samples, let last):
            if open?.id == id { open?.hasPartials = false }
            let text = last?.text ?? (open?.id == id ? open?.text : nil) ?? ""
            actions = [report(error, version(id, text, samples), .partialMissed)]
            if let last { waiting.insert(last, at: 0) }
            engine = .idle
        case .complete:
            waiting[0].attempts += 1
            let line = waiting[0]
            if SegmentingMachine.mayRetry(error), line.attempts <= options.retryDelays.count {
                let delay = options.retryDelays[line.attempts - 1]
                engine = .pausing
                return [
                    report(error, version(line.id, line.text, line.samples), .retried(after: delay)), .wait(delay),
                ]
            }
            waiting.removeFirst()
            engine = .idle
            actions = [abandoned(line, error)]
        }
        return actions + next()
    }

    /// The wait is over.
    package mutating func retry() -> [Action] {
        guard case .pausing = engine else { return [] }
        engine = .idle
        return next()
    }

    /// Whether trying again may help.
    private static func mayRetry(_ error: any Error) -> Bool {
        guard !(error is CancellationError) else { return false }
        let kind = error.asRiffError.recovery?.kind
        return kind == .retry || kind == .checkNetwork
    }

    // MARK: Lines

    private mutating func makeID() -> TranscriptLine.ID {
        lines += 1
        return TranscriptLine.ID(rawValue: turn << 32 | lines)
    }

    private mutating func take(_ event: SpeechEvent) -> [Action] {
        switch event {
        case .started(let place):
            let start = max(place, audio.range.lowerBound)
            open = OpenLine(id: makeID(), start: start, at: segmenter.position)
            return [.report(.speechStarted(at: SegmentingMachine.duration(start)))]
        case .ended(let place):
            guard let line = open else { return [] }
            let end = min(place, audio.range.upperBound)
            let lastVoice = SegmentingMachine.duration(min(line.lastVoice, end))
            return [.report(.speechEnded(at: lastVoice))] + close(line, at: end)
        }
    }

    private mutating func close(_ line: OpenLine, at end: Int) -> [Action] {
        open = nil
        // What follows a cut in a pause may be nothing but the rest of the pause.
        guard line.lastVoice > line.start, end > line.start else { return [] }
        let samples = line.start..<end
        let last = WaitingLine(id: line.id, samples: samples, bytes: audio[samples], text: line.text)
        let lastSound = line.lastSound(before: end)
        // A version that has heard all of the voice is the last one.
        if let recognized = line.recognized, recognized >= lastSound { return complete(last, line.text, lastLatency) }
        if case .partial(line.id, let given, nil) = engine, given.upperBound >= lastSound {
            engine = .partial(line.id, given, last: last)
        } else {
            waiting.append(last)
        }
        return []
    }

    /// Cuts a line that is too long at its best pause, or else where it is quietest.
    private mutating func split(_ line: OpenLine) {
        let end = segmenter.position
        // The last second is left out: a word that is being spoken is quiet, too.
        let search = max(line.start + 16_000, end - 5 * 16_000)..<(end - 16_000)
        let cut = line.bestPause(before: end) ?? audio.quietest(in: search)
        let samples = line.start..<cut
        // No version of it ended where it now does.
        waiting.append(WaitingLine(id: line.id, samples: samples, bytes: audio[samples], text: ""))
        open = line.rest(from: cut, id: makeID())
    }

    /// An engine that hears nothing takes back nothing; a line of which nothing was ever heard is none.
    private func complete(_ line: WaitingLine, _ text: String, _ latency: Duration) -> [Action] {
        let text = text.isEmpty ? line.text : text
        guard !text.isEmpty else { return [] }
        return [.report(.line(version(line.id, text, line.samples, isComplete: true, latency: latency)))]
    }

    private mutating func abandonSurplus() -> [Action] {
        var actions: [Action] = []
        var surplus = waiting.reduce(0) { $0 + $1.bytes.count } - mostWaiting
        // The first one may be with the engine.
        while surplus > 0, waiting.count > 1 {
            let line = waiting.remove(at: 1)
            surplus -= line.bytes.count
            let waited = options.mostWaiting
            let error = VoiceError(
                .recognizerTooSlow,
                "The recognizer is more than \(waited) behind what is said; a line was left out."
            )
            actions.append(abandoned(line, error))
        }
        return actions
    }

    private func abandoned(_ line: WaitingLine, _ error: any Error) -> Action {
        report(error, version(line.id, line.text, line.samples), .abandoned(line.clip))
    }

    private func report(_ error: any Error, _ line: TranscriptLine, _ outcome: RecognitionEvent.Failure.Outcome)
        -> Action
    {
        .report(.failed(RecognitionEvent.Failure(error, line: line, outcome: outcome)))
    }

    private func version(
        _ id: TranscriptLine.ID,
        _ text: String,
        _ samples: Range<Int>,
        isComplete: Bool = false,
        latency: Duration? = nil
    ) -> TranscriptLine {
        TranscriptLine(
            id: id,
            text: text,
            start: SegmentingMachine.duration(samples.lowerBound),
            duration: SegmentingMachine.duration(samples.count),
            isComplete: isComplete,
            latency: latency
        )
    }

    // MARK: The engine's next clip

    private mutating func next() -> [Action] {
        guard case .idle = engine else { return [] }
        if let line = waiting.first {
            engine = .complete
            return [.transcribe(line.clip)]
        }
        if let line = open, let interval = options.partialInterval, line.hasPartials, line.lastVoice > line.given {
            let end = audio.range.upperBound
            let isDue = end - line.given >= SegmentingMachine.samples(max(interval, lastLatency))
            let isPause = line.silentSince.map { segmenter.position - $0 >= SegmentingMachine.pause } ?? false
            guard isDue || isPause else { return [] }
            let samples = line.start..<end
            open?.given = end
            engine = .partial(line.id, samples, last: nil)
            return [.transcribe(AudioClip(audio[samples], encoding: .pcm(.speech)))]
        }
        guard isEnding, !isEnded else { return [] }
        isEnded = true
        return [.finish]
    }

    /// Silence after which the words so far are wanted at once: they tell whether the turn is over.
    private static let pause = 200 * 16

    private static func samples(_ duration: Duration) -> Int { Int(duration / .microseconds(1)) * 16 / 1_000 }
    private static func duration(_ samples: Int) -> Duration { .microseconds(samples * 125 / 2) }
}

extension VoiceErrorCode {
    /// The recognizer is so far behind what is said that a line was left out.
    public static let recognizerTooSlow = VoiceError.Code(rawValue: "recognizerTooSlow")
}
