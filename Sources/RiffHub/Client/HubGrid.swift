// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Makes the grid's cards of what is known: a pure function.
package enum HubGrid {
    package static func cards(_ machine: HubMachine) -> [HubCard] {
        var models: [String: HubSessionModel] = [:]
        var others: [String] = []
        for id in machine.order {
            guard let model = machine.sessions[id] else { continue }
            let key = model.historyKey
            // One that is gone and was not heard yields to the one that came after it.
            if models[key].map({ !$0.isGone && model.isGone }) ?? false { continue }
            if models[key] == nil, !HubVoice.all.contains(where: { $0.id == key }) { others.append(key) }
            models[key] = model
        }
        let known = HubVoice.all.map { card($0, models[$0.id], machine.spawnFailures[$0.id], machine) }
        return known
            + others.sorted().map { key in
                let label = models[key].map(\.session.label) ?? ""
                let named = HubVoice.named(key)
                let voice = HubVoice(id: key, name: label.isEmpty ? named.name : label, color: named.color)
                return card(voice, models[key], nil, machine)
            }
    }

    static func card(
        _ voice: HubVoice,
        _ model: HubSessionModel?,
        _ failure: Problem?,
        _ machine: HubMachine
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
