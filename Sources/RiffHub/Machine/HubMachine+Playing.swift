// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The agents' words.
extension HubMachine {
    mutating func played(_ clip: Int, failure: Problem?, at now: Duration) {
        guard let (id, number) = playing, number == clip else { return }
        playing = nil
        if let failure { self.failure = failure }
        guard let isLast = sessions[id]?.speech.played(clip) else { return }
        if isLast, let socket = connection.socket, sessions[id]?.hearing.isInDoubt == false {
            sessions[id]?.hearing.isRepeatDue = false
            effects.append(.send(socket: socket, .playbackDone(session: id), answer: nil))
        }
        guard sessions[id]?.speech.isEmpty == true else { return }
        if sessions[id]?.answers.isInvited == true {
            recordByItself(at: now)
        } else {
            sessions[id]?.turn.handle(.played, at: now)
        }
        if case .watching(_, let number) = microphone { closeMicrophone(number) }
    }

    /// The person stops the agent's words.
    mutating func interrupt(at now: Duration) {
        guard let id = openSession, sessions[id]?.speech.isEmpty == false else { return }
        stopSpeech(of: id, at: now)
        record(at: now)
        if case .watching(_, let number) = microphone { closeMicrophone(number) }
    }

    /// The person spoke into the agent's words.
    mutating func interrupted(byMicrophone number: Int, at now: Duration) {
        guard case .watching(let id, number) = microphone else { return }
        microphone = .recording(session: id, number: number)
        stopSpeech(of: id, at: now)
    }

    /// Stops the speech of a session: the rest is not played; the hub hears that all was, so that it listens.
    mutating func stopSpeech(of id: HubSession.ID, at now: Duration) {
        guard let (clip, wasOwed) = sessions[id]?.speech.interrupt() else { return }
        if let clip { effects.append(.stopPlaying(clip: clip)) }
        playing = nil
        sessions[id]?.turn.handle(.played, at: now)
        guard wasOwed, let socket = connection.socket, let model = sessions[id], !model.isGone else { return }
        guard !model.hearing.isInDoubt else { return }
        sessions[id]?.hearing.isRepeatDue = false
        effects.append(.send(socket: socket, .playbackDone(session: id), answer: nil))
    }

    /// All of it was heard here, and the hub waits for that: what it was told was lost with the connection.
    mutating func repeatDone(of id: HubSession.ID) {
        guard let model = sessions[id], model.hearing.isRepeatDue, !model.hearing.isInDoubt else { return }
        guard model.speech.isEmpty, model.speech.isDoneUnconfirmed, let socket = connection.socket else { return }
        sessions[id]?.hearing.isRepeatDue = false
        effects.append(.send(socket: socket, .playbackDone(session: id), answer: nil))
    }

    /// Once the goodbye was heard, the session is ended, since the hub does not.
    mutating func endIfHeard(_ id: HubSession.ID) {
        guard let model = sessions[id], model.speech.isEmpty else { return }
        if model.isGone {
            remove(id)
        } else if model.phase == .leaving(.due), connection.socket != nil {
            sessions[id]?.phase = .leaving(.asked)
            effects.append(.terminate(session: id))
        }
    }
}
