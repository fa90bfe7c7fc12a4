// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffVoice

/// Brings a capture to a recognizer's turn: in its format, silent while muted, and with what was heard a moment before
/// the turn began.
actor CaptureFeed {
    /// 20 ms.
    private static let step = 640

    private let parts: ListeningTurn.Parts
    private var converter: Result<CaptureConverter, any Error>
    private var meter = LevelMeter(format: .speech, ballistics: LevelMeter.Ballistics(window: .milliseconds(50)))
    private var detector: (any VoiceDetecting)?
    private var sustained: SustainedSpeech?
    private var preRoll: [UInt8] = []
    private var isInterrupted = false
    private var turn: (any SpeechTurn)?
    private var isOver = false

    init(_ parts: ListeningTurn.Parts, _ format: AudioFormat) {
        self.parts = parts
        converter = Result { try CaptureConverter(from: format, to: .speech) }
        detector = parts.detector
        detector?.reset()
        if let detector, let policy = parts.policy.bargeIn {
            sustained = SustainedSpeech(policy, frame: .seconds(1) * detector.frameSamples / 16_000)
        }
    }

    /// Takes the next of a capture.
    ///
    /// - Returns: How loud it was; and where somebody has just spoken for long enough to break an answer off, how much
    ///   from before that moment is kept.
    func take(_ event: CaptureEvent) async throws -> (levels: [AudioLevel], interruption: Duration?) {
        if case .formatChanged(let format) = event { try format.checkCaptured() }
        var own = try converter.get()
        var bytes = try own.convert(event)
        converter = .success(own)
        if parts.isMuted() { bytes = [UInt8](repeating: 0, count: bytes.count) }
        let levels = meter.process(bytes)
        if let turn {
            try await turn.hear(bytes)
            return (levels, nil)
        }
        let before = isInterrupted
        // A piece at a time: a capture that comes in bursts must not push what was said out of what is kept.
        for start in stride(from: 0, to: bytes.count, by: Self.step) {
            let piece = Array(bytes[start..<min(start + Self.step, bytes.count)])
            keep(piece)
            for probability in detector?.process(speech: piece) ?? [] where sustained?.hear(probability) == true {
                isInterrupted = true
            }
        }
        return (levels, isInterrupted && !before ? .milliseconds(preRoll.count / 32) : nil)
    }

    /// Begins to recognize, if wanted from a moment before on.
    func begin(_ turn: any SpeechTurn, withPreRoll: Bool) async throws {
        if !withPreRoll { preRoll = [] }
        // What comes meanwhile is kept behind it, so that the turn hears all of it in order.
        while !preRoll.isEmpty {
            let before = preRoll
            preRoll = []
            try await turn.hear(before)
        }
        self.turn = turn
        if isOver { try await turn.finish() }
    }

    /// Ends the turn; returns when all of it is recognized.
    func finish(forgetting isForgotten: Bool) async throws {
        isOver = true
        guard let turn else { return }
        guard !isForgotten else { return await turn.cancel() }
        if case .success(var own) = converter { try await turn.hear(own.finish()) }
        try await turn.finish()
    }

    /// Ten seconds are more than a recognizer takes to begin.
    private func keep(_ bytes: [UInt8]) {
        preRoll += bytes
        let kept = isInterrupted ? .seconds(10) : parts.policy.bargeIn?.preRoll ?? .zero
        let most = Int(kept / .milliseconds(1)) * 32
        if preRoll.count > most { preRoll.removeFirst(preRoll.count - most) }
    }
}
