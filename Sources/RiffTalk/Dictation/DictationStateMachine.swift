// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffVoice

/// The rules of push-to-talk dictation, without audio, network or clock: events in, effects out.
///
/// Recording ends only by a person's gesture, by the end of the source or by its limit; there is no timer. What an
/// older take still reports after it was given up is ignored, by its number.
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
        /// The recording is complete; `failure` where the capture broke.
        case recorded(take: Int, hasSpeech: Bool, failure: DictationFailure?)
        /// Something to be told of a recording that is being recognized; it goes on all the same.
        case warned(take: Int, DictationFailure)
        /// The recognizer answered.
        case transcribed(take: Int, Transcript)
        /// The text was typed, and submitted if asked.
        case typed(take: Int)
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
        case .recorded(take, let hasSpeech, let failure): finishRecording(hasSpeech: hasSpeech, failure: failure)
        case .warned(take, let failure) where state == .transcribing: warn(failure)
        case .transcribed(take, let transcript) where state == .transcribing: inject(transcript)
        case .typed(take) where state == .transcribing: returnToIdle()
        case .failed(take, let failure): fail(failure)
        case .captureStarted, .speechHeard, .recorded, .warned, .transcribed, .typed, .failed: []
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
        warning = nil
        state = .recording(isLive: false, hasSpeech: false)
        return effects + [.startCapture(take: take)]
    }

    private mutating func send() -> [Effect] {
        state = .transcribing
        return [.stopCapture(take: take)]
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
        warning = failure
        state = .transcribing
        return [.transcribe(take: take)]
    }

    private mutating func warn(_ failure: DictationFailure) -> [Effect] {
        if warning == nil { warning = failure }
        return []
    }

    private mutating func inject(_ transcript: Transcript) -> [Effect] {
        guard let text = policy.text(for: transcript) else { return returnToIdle() }
        return [.type(take: take, text: text, submit: policy.submits)]
    }

    private mutating func returnToIdle() -> [Effect] {
        state = .idle
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
