// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffVoice

/// The rules of push-to-talk dictation, without audio, network or clock: events in, effects out.
///
/// Recording ends by a person's gesture, by the end of the source or by its limit, by the policy's endpoint if it has
/// one, and where the audio is taken away. What an older take still reports after it was given up is ignored, by its
/// number.
package struct DictationStateMachine: Sendable {
    package typealias State = DictationSnapshot.State

    /// What happened. Events of the work carry the number of the take they are about.
    package enum Event: Sendable {
        /// The one button: starts; or ends a recording that has speech in it; or nothing.
        case toggle
        /// Ends the recording, also a silent one, which is then forgotten.
        case stop
        /// Gives up whatever is going on.
        case cancel
        /// Sends the held recording again, after an error.
        case retry
        /// The microphone is open.
        case captureStarted(take: Int)
        /// Something was heard.
        case speechHeard(take: Int)
        /// Nothing was said for as long as the policy waits, or the recording is as long as it may be.
        case turnEnded(take: Int)
        /// The recording ends in this time by itself; `nil` where it goes on.
        case timeLeft(take: Int, Duration?)
        /// The system took the audio away.
        case audioTaken(take: Int, DictationFailure)
        /// The app is not visible, or is again.
        case background(Bool)
        /// The recording is complete; `failure` where the capture broke.
        case recorded(take: Int, hasSpeech: Bool, failure: DictationFailure?)
        /// Something to be told of a recording that is being recognized; it goes on all the same.
        case warned(take: Int, DictationFailure)
        /// The recognizer answered.
        case transcribed(take: Int, Transcript)
        /// The text was typed, and submitted if asked.
        case typed(take: Int, destination: String? = nil)
        /// The work of the take failed.
        case failed(take: Int, DictationFailure)
    }

    /// What is to be done.
    package enum Effect: Sendable, Hashable {
        /// Open the microphone.
        case startCapture(take: Int)
        /// Close the microphone and report the recording.
        case stopCapture(take: Int)
        /// Stop all work of the take and forget its recording.
        case abandon(take: Int)
        /// Send the recording to the recognizer.
        case transcribe(take: Int)
        /// Type this text.
        case type(take: Int, text: String, submit: Bool)
        /// Forget the recording.
        case discard(take: Int)
    }

    /// Where the dictation is.
    package private(set) var state = State.idle
    /// What went wrong although the recording was recognized, such as a capture that broke; gone with the next take.
    package private(set) var warning: DictationFailure?
    /// How long the recording may still be, once that is soon.
    package private(set) var timeLeft: Duration?
    /// What became of the last text.
    package private(set) var outcome: DictationSnapshot.Outcome?
    /// Whether the one who types refuses what could answer a question.
    package var guardsQuestions = false
    private var isInBackground = false
    /// Whether the take was ended by no gesture and no pause of the person.
    private var isBrokenOff = false
    private var typing: DictationSnapshot.Outcome?
    /// What is done with what was heard; a change counts from the next transcript on.
    package var policy: DictationPolicy
    /// The number of the newest take.
    package private(set) var take = 0

    /// A machine at rest.
    package init(policy: DictationPolicy = DictationPolicy()) { self.policy = policy }

    /// Takes one event.
    ///
    /// - Returns: What is to be done, in order.
    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .toggle: toggle()
        case .stop: stop()
        case .cancel: cancel()
        case .retry: retry()
        case .captureStarted(take), .speechHeard(take): hear(event)
        case .turnEnded(take): endTurn()
        case .timeLeft(take, let time): tellTimeLeft(time)
        case .audioTaken(take, let failure): breakOff(failure)
        case .background(let isInBackground): setInBackground(isInBackground)
        case .recorded(take, let hasSpeech, let failure): finishRecording(hasSpeech: hasSpeech, failure: failure)
        case .warned(take, let failure) where state == .transcribing: warn(failure)
        case .transcribed(take, let transcript) where state == .transcribing: inject(transcript)
        case .typed(take, let destination) where state == .transcribing: finish(in: destination)
        case .failed(take, let failure): fail(failure)
        case .captureStarted, .speechHeard, .turnEnded, .timeLeft, .audioTaken, .recorded, .warned, .transcribed,
            .typed, .failed:
            []
        }
    }

    // MARK: Gestures

    private mutating func toggle() -> [Effect] {
        switch state {
        case .idle, .error: begin()
        // A stray press before anything was said neither sends nor ends the recording.
        case .recording(_, hasSpeech: false): []
        case .recording(_, hasSpeech: true): send()
        case .transcribing: []
        }
    }

    private mutating func stop() -> [Effect] {
        switch state {
        case .recording(_, hasSpeech: true): send()
        case .recording: cancel()
        case .idle, .transcribing, .error: []
        }
    }

    private mutating func cancel() -> [Effect] {
        switch state {
        case .idle: return []
        case .recording, .transcribing:
            state = .idle
            defer { take += 1 }
            return [.abandon(take: take)]
        case .error(let failure):
            state = .idle
            return failure.keepsRecording ? [.discard(take: take)] : []
        }
    }

    private mutating func retry() -> [Effect] {
        guard case .error(let failure) = state, failure.keepsRecording else { return [] }
        state = .transcribing
        return [.transcribe(take: take)]
    }

    private mutating func begin() -> [Effect] {
        var effects: [Effect] = []
        if case .error(let failure) = state, failure.keepsRecording { effects.append(.discard(take: take)) }
        take += 1
        (warning, outcome, timeLeft, isBrokenOff) = (nil, nil, nil, false)
        guard !isInBackground else {
            state = .error(DictationFailure(VoiceError.inBackground))
            return effects
        }
        state = .recording(isLive: false, hasSpeech: false)
        return effects + [.startCapture(take: take)]
    }

    private mutating func send() -> [Effect] {
        state = .transcribing
        timeLeft = nil
        return [.stopCapture(take: take)]
    }

    // MARK: Ends without a gesture

    private mutating func endTurn() -> [Effect] {
        switch state {
        case .recording(_, hasSpeech: true): send()
        // As long as it may be, and nobody has said anything.
        case .recording: cancel()
        case .idle, .transcribing, .error: []
        }
    }

    private mutating func tellTimeLeft(_ time: Duration?) -> [Effect] {
        if case .recording = state { timeLeft = time }
        return []
    }

    /// What was said until now is recognized and typed; Return is left to the person, who had not finished.
    private mutating func breakOff(_ failure: DictationFailure) -> [Effect] {
        guard case .recording(_, let hasSpeech) = state else { return [] }
        isBrokenOff = true
        guard hasSpeech else {
            state = .error(failure)
            defer { take += 1 }
            return [.abandon(take: take)]
        }
        warning = failure
        return send()
    }

    private mutating func setInBackground(_ isInBackground: Bool) -> [Effect] {
        self.isInBackground = isInBackground
        guard isInBackground else { return [] }
        if case .recording = state { isBrokenOff = true }
        return stop()
    }

    // MARK: Work

    private mutating func hear(_ event: Event) -> [Effect] {
        guard case .recording(_, let hasSpeech) = state else { return [] }
        if case .speechHeard = event {
            state = .recording(isLive: true, hasSpeech: true)
        } else {
            state = .recording(isLive: true, hasSpeech: hasSpeech)
        }
        return []
    }

    private mutating func finishRecording(hasSpeech: Bool, failure: DictationFailure?) -> [Effect] {
        switch state {
        case .recording, .transcribing: break
        case .idle, .error: return []
        }
        guard hasSpeech else {
            state = failure.map(State.error) ?? .idle
            return [.discard(take: take)]
        }
        // What was said before the capture broke is worth more than a clean failure.
        if let failure { warning = failure }
        timeLeft = nil
        state = .transcribing
        return [.transcribe(take: take)]
    }

    private mutating func warn(_ failure: DictationFailure) -> [Effect] {
        if warning == nil { warning = failure }
        return []
    }

    private mutating func inject(_ transcript: Transcript) -> [Effect] {
        guard let text = policy.text(for: transcript) else { return returnToIdle() }
        var heldBack = policy.holdsBack(text, isGuarded: guardsQuestions)
        if policy.submits, heldBack == nil, isBrokenOff { heldBack = .brokenOff }
        let submits = policy.submits && heldBack == nil
        typing = DictationSnapshot.Outcome(
            text: text,
            destination: nil,
            isSubmitted: submits,
            heldBack: policy.submits ? heldBack : nil
        )
        return [.type(take: take, text: text, submit: submits)]
    }

    private mutating func finish(in destination: String?) -> [Effect] {
        outcome = typing
        outcome?.destination = destination
        return returnToIdle()
    }

    private mutating func returnToIdle() -> [Effect] {
        (state, typing, timeLeft) = (.idle, nil, nil)
        return [.discard(take: take)]
    }

    private mutating func fail(_ failure: DictationFailure) -> [Effect] {
        switch state {
        case .recording, .transcribing:
            state = .error(failure)
            return failure.keepsRecording ? [] : [.discard(take: take)]
        case .idle, .error: return []
        }
    }
}
