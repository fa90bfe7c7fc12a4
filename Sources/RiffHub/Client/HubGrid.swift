// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Makes the grid's cards of what is known: pure functions.
package enum HubGrid {
    /// All cards: the hub's seven voices in their order, then all others that have a session.
    package static func cards(_ machine: HubMachine) -> [HubCard] {
        let hidden = machine.hiddenSessions
        let others = machine.sessions.groups.keys.filter { HubVoice.known($0) == nil && !hidden.contains($0) }
            .sorted(by: HubVoice.ID.precedes)
        return (HubVoice.all.map(\.id) + others).map { card($0, in: machine) }
    }

    /// The card of a voice, or of a session whose voice is not known yet.
    static func card(_ key: HubVoice.ID, in machine: HubMachine) -> HubCard {
        let model = model(key, in: machine)
        if let voice = HubVoice.known(key) {
            return card(of: voice, showing: model, failure: machine.spawnFailures[key], in: machine)
        }
        let label = model?.session.label ?? ""
        let named = HubVoice.named(key)
        let voice = HubVoice(id: key, name: label.isEmpty ? named.name : label, color: named.color)
        return card(of: voice, showing: model, failure: nil, in: machine)
    }

    /// The session that a card shows: the newest one. One that is gone and was not heard yields to one that is not.
    private static func model(_ key: HubVoice.ID, in machine: HubMachine) -> HubSessionMachine? {
        guard let ids = machine.sessions.groups[key] else { return nil }
        if ids.count == 1 { return machine.sessions[ids[0]] }
        let models = ids.compactMap { machine.sessions[$0] }
        return models.last { !$0.isGone } ?? models.last
    }

    private static func card(
        of voice: HubVoice,
        showing model: HubSessionMachine?,
        failure: Problem?,
        in machine: HubMachine
    ) -> HubCard {
        let isSpawning = machine.spawns.isSpawning(voice.id)
        var (state, label) = isSpawning ? (HubCard.State.spawning, "Spawning...") : (.inactive, "")
        if let model, !isSpawning {
            var facts = HubCard.Facts()
            facts.phase = model.turn.phase
            facts.isReady = model.isReady
            facts.isPlaying = model.speech.playing != nil
            facts.isWaiting = model.speech.count > 0
            facts.isInvited = model.answers.isInvited
            facts.statusText = model.session.statusText
            switch machine.microphone {
            case .recording(model.session.id, _), .finishing(model.session.id, _): facts.isRecording = true
            default: break
            }
            (state, label) = HubCard.look(facts)
        }
        return HubCard(
            voice: voice,
            session: model?.session.id,
            state: state,
            label: label,
            unread: model?.unread ?? 0,
            isPending: model?.isPending ?? false,
            isOpen: model != nil && model?.session.id == machine.openSession,
            waitingClips: model?.speech.count ?? 0,
            missedClips: model?.speech.missed ?? 0,
            waitingAnswers: model?.answers.count ?? 0,
            transcribingAnswers: model?.answers.isTranscribing == true ? 1 : 0,
            failure: failure
        )
    }
}
