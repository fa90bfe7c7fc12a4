// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffVoice

/// The rules of narration, without audio, network or clock: events in, effects out.
///
/// Nothing is spoken while somebody records, nothing from before it began, nothing twice, and of several answers only
/// the last. What an older poll or an older speech still reports is ignored, by its number.
package struct NarrationMachine: Sendable {
    /// What happened.
    package enum Event: Sendable {
        /// The app is there: narration begins, if it is wanted.
        case started
        /// The app goes to the background, or the session is left.
        case stopped
        /// The person's setting, as it was read.
        case wanted(Bool)
        /// Somebody records or is being recognized, or no longer.
        case recording(Bool)
        /// The person submitted something, or does not want to hear the rest.
        case skipped
        /// The person wants silence, or to hear on.
        case paused(Bool)
        /// The system took the audio away, or it is back.
        case audio(isActive: Bool)
        /// The app is not visible, or is again.
        case background(Bool)
        /// From when on answers are new.
        case began(poll: Int, Double)
        /// An answer came.
        case answered(poll: Int, AgentAnswer)
        /// The feed failed.
        case failed(poll: Int)
        /// The wait after a failure is over.
        case waited(poll: Int)
        /// An answer was spoken, or could not be.
        case spoken(Int)
    }

    /// What is to be done.
    package enum Effect: Sendable, Hashable {
        /// Ask the feed for what comes after a time; for a beginning first, where there is no time.
        case poll(Int, after: Double?)
        /// Ask no more, or wait no more.
        case cancelPoll(Int)
        /// Report when this time is over.
        case wait(poll: Int, Duration)
        /// Speak.
        case speak(Int, AgentAnswer)
        /// Speak on where the last speech was broken off.
        case resume(Int, AgentAnswer)
        /// Speak no more; report when it is silent.
        case silence(Int)
    }

    private enum Phase: Sendable, Hashable {
        case resting
        case polling(Int)
        case waiting(Int)
        case speaking(Int)
        /// It was told to be silent.
        case falling(Int)
    }

    private static let delays: [Duration] = [1, 2, 5, 10, 30].map { .seconds($0) }

    private var phase = Phase.resting
    private var isStarted = false
    private var isWanted = false
    private var isRecording = false
    private var isInBackground = false
    private var hasAudio = true
    /// Whether the person paused it.
    package private(set) var isPaused = false
    /// The answer that is being spoken, or was broken off and will be spoken on.
    private var answer: AgentAnswer?
    private var cursor: NarrationCursor?
    private var number = 0
    private var failures = 0

    /// A machine at rest.
    package init() {}

    /// Whether an answer is being spoken.
    package var isSpeaking: Bool {
        if case .speaking = phase { true } else { false }
    }

    /// Whether answers are waited for, or spoken.
    package var isActive: Bool { isStarted && isWanted && !isInBackground }

    /// Takes an event.
    ///
    /// - Returns: What is to be done, in this order.
    package mutating func handle(_ event: Event) -> [Effect] {
        var effects: [Effect] = []
        switch (event, phase) {
        case (.started, _): isStarted = true
        case (.stopped, _): (isStarted, cursor, answer, isPaused, hasAudio) = (false, nil, nil, false, true)
        case (.wanted(let isWanted), _):
            self.isWanted = isWanted
            if !isWanted { (cursor, answer) = (nil, nil) }
        case (.recording(let isRecording), _):
            self.isRecording = isRecording
            // What a person speaks into is not spoken on.
            if isRecording { answer = nil }
        case (.paused(let isPaused), _): self.isPaused = isPaused
        case (.audio(let isActive), _): hasAudio = isActive
        case (.background(let isInBackground), _):
            self.isInBackground = isInBackground
            if isInBackground { (cursor, answer) = (nil, nil) } else { hasAudio = true }
        case (.skipped, .speaking(let speech)):
            answer = nil
            effects = fall(speech)
        case (.skipped, _): answer = nil
        case (.began(let poll, let time), .polling(let current)) where poll == current:
            cursor = NarrationCursor(now: time)
        case (.answered(let poll, let answer), .polling(let current)) where poll == current:
            effects = take(answer, of: poll)
        case (.failed(let poll), .polling(let current)) where poll == current: effects = fail(poll)
        case (.waited(let poll), .waiting(let current)) where poll == current: phase = .resting
        case (.spoken(let speech), .speaking(let current)) where speech == current: (phase, answer) = (.resting, nil)
        case (.spoken(let speech), .falling(let current)) where speech == current: phase = .resting
        case (.began, _), (.answered, _), (.failed, _), (.waited, _), (.spoken, _): return []
        }
        return effects + settle()
    }

    /// An answer is spoken at once: while that is not allowed, nothing is polled for.
    private mutating func take(_ answer: AgentAnswer, of poll: Int) -> [Effect] {
        // Moved before it is spoken: whatever happens then, it is not spoken again. A feed that tells what is old is
        // not asked again at once.
        guard cursor?.take(answer.time) == true else { return fail(poll) }
        failures = 0
        number += 1
        phase = .speaking(number)
        self.answer = answer
        return [.speak(number, answer)]
    }

    private mutating func fail(_ poll: Int) -> [Effect] {
        phase = .waiting(poll)
        defer { failures += 1 }
        return [.wait(poll: poll, Self.delays[min(failures, Self.delays.count - 1)])]
    }

    private mutating func settle() -> [Effect] {
        switch (phase, isActive && !isRecording && !isPaused && hasAudio && !isInBackground) {
        case (.resting, true):
            number += 1
            if let answer {
                phase = .speaking(number)
                return [.resume(number, answer)]
            }
            phase = .polling(number)
            return [.poll(number, after: cursor?.after)]
        case (.polling(let poll), false), (.waiting(let poll), false):
            phase = .resting
            return [.cancelPoll(poll)]
        case (.speaking(let speech), false): return fall(speech)
        case (.resting, false), (.polling, true), (.waiting, true), (.speaking, true), (.falling, _): return []
        }
    }

    private mutating func fall(_ speech: Int) -> [Effect] {
        phase = .falling(speech)
        return [.silence(speech)]
    }
}
