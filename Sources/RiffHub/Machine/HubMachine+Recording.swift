// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The recording of the microphone.
extension HubMachine {
    var isRecording: Bool { if case .recording = microphone { true } else { false } }

    mutating func record(byItself isByItself: Bool = false, at now: Duration) {
        guard let id = openSession, let model = sessions[id], !model.isGone else { return }
        guard mayRecord(byItself: isByItself) else { return }
        switch microphone {
        case .closed:
            let number = number()
            microphone = .recording(session: id, number: number)
            unspoken = isByItself ? number : nil
            effects.append(.openMicrophone(number: number, isWatching: false))
        case .watching(_, let number):
            // There is one device, and it is open.
            microphone = .recording(session: id, number: number)
            unspoken = isByItself ? number : nil
            effects.append(.recordMicrophone(number: number))
        case .recording:
            // Whoever asks for it wants it, whether they have spoken yet or not.
            if !isByItself { unspoken = nil }
            return
        case .finishing:
            if isByItself { return }
            // The device is free once the last recording is over.
            recordsNext = true
        }
        failure = nil
        if !model.speech.isEmpty { stopSpeech(of: id, at: now) }
    }

    /// The open session is listened to by now: as ``recordByItself(at:)``.
    mutating func recordIfInvited(at now: Duration) {
        if openSession.flatMap({ sessions[$0] })?.answers.isInvited == true { recordByItself(at: now) }
    }

    /// The hub listens, and the person wants the microphone to open by itself: once for each time that it does.
    mutating func recordByItself(at now: Duration) {
        guard settings.recordsByItself, !isMuted, let id = openSession, let model = sessions[id] else { return }
        guard model.speech.isEmpty, model.answers.isEmpty else { return }
        record(byItself: true, at: now)
    }

    mutating func finishRecording() {
        guard case .recording(let id, let number) = microphone else { return }
        microphone = .finishing(session: id, number: number)
        effects.append(.finishMicrophone(number: number))
    }

    /// Discards the recording: also if it is over, and the clip not there yet.
    mutating func discardRecording() {
        recordsNext = false
        switch microphone {
        case .recording(_, let number), .watching(_, let number), .finishing(_, let number): closeMicrophone(number)
        case .closed: break
        }
    }

    /// The hub does not listen any more, another client was heard. Whoever was to speak and has not is not recorded on;
    /// what somebody has begun to say is kept.
    mutating func dismiss(_ id: HubSession.ID) {
        guard case .recording(id, let number) = microphone, unspoken == number else { return }
        closeMicrophone(number)
    }

    mutating func closeMicrophone(_ number: Int) {
        (microphone, unspoken) = (.closed, nil)
        effects.append(.closeMicrophone(number: number))
    }

    mutating func recorded(byMicrophone number: Int, file: [UInt8]?, failure: Problem?, at now: Duration) {
        switch microphone {
        case .recording(let id, number), .finishing(let id, number):
            microphone = .closed
            if let file { answer(.clip(file), in: id) }
            if recordsNext {
                recordsNext = false
                record(at: now)
            } else if id != openSession {
                // Another one was opened meanwhile, and found the microphone in use.
                recordIfInvited(at: now)
            }
        case .watching(_, number): microphone = .closed
        default: return
        }
        if let failure { self.failure = failure }
    }

    mutating func setMuted(_ isMuted: Bool, at now: Duration) {
        let wasMuted = self.isMuted
        self.isMuted = isMuted
        guard isMuted else {
            if wasMuted { recordIfInvited(at: now) }
            return
        }
        switch microphone {
        // What was said until now is the answer.
        case .recording: finishRecording()
        case .watching(_, let number): closeMicrophone(number)
        case .finishing, .closed: break
        }
        recordsNext = false
    }
}
