// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The device's audio, which the system may take, and which is not used while the app is not visible.
extension HubMachine {
    /// Whether nothing is to be recorded or played.
    var isQuiet: Bool { !hasAudio || isInBackground }

    mutating func setAudio(isThere: Bool, at now: Duration) {
        hasAudio = isThere
        settleAudio(at: now)
    }

    /// Closes the microphone and keeps the clip that is being played for later, or continues with both.
    mutating func settleAudio(at now: Duration) {
        guard isQuiet else { return recordIfInvited(at: now) }
        recordsNext = false
        switch microphone {
        // Nobody has spoken into it: that is no answer.
        case .recording(_, let number) where unspoken == number: closeMicrophone(number)
        // What was said until now is.
        case .recording: finishRecording()
        case .watching(_, let number): closeMicrophone(number)
        case .finishing, .closed: break
        }
        if let (id, _) = playing, let clip = sessions[id]?.speech.putBack() {
            effects.append(.stopPlaying(clip: clip))
            playing = nil
        }
    }

    /// Whether the microphone may be opened; a person's gesture is what an interruption waits for.
    mutating func mayRecord(byItself isByItself: Bool) -> Bool {
        if !isByItself, !isInBackground { hasAudio = true }
        guard isQuiet else { return true }
        if !isByItself { failure = Problem(HubError.inBackground) }
        return false
    }
}

extension HubError {
    /// Nothing is recorded while the app is not visible.
    static var inBackground: HubError {
        let code = HubError.Code(rawValue: "inBackground")
        return HubError(code, "Nothing was recorded, since the app is in the background; open it, then record.")
    }
}
