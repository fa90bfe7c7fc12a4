// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Keeps a snapshot up with a machine, event by event: what an event has not touched stays as it is.
///
/// It must see the machine after each event, since a machine tells what the last one touched.
package struct HubPicture: Sendable {
    /// The state that the cards of all voices depend on.
    private struct Shared: Equatable {
        var openSession: HubSession.ID?
        var microphone = HubMachine.Microphone.closed
        var spawns = HubSpawns()
        var spawnFailures: [HubVoice.ID: Problem] = [:]
        var hidden: Set<HubVoice.ID> = []
    }

    /// The state that the open session's chat depends on.
    private struct Chat: Equatable {
        var session: HubSession.ID
        var key: HubVoice.ID
        var revision: Int?
    }

    private var shared = Shared()
    private var chat: Chat?
    private var settings = HubSequenceNumber.zero
    /// The index of each voice's card.
    private var places: [HubVoice.ID: Int]

    /// Creates the picture of a client that was not started, which ``HubSnapshot/init()`` is.
    package init() { places = Self.places(HubSnapshot().cards) }

    /// Brings a snapshot up to date after an event.
    ///
    /// - Returns: Whether anything in it differs.
    package mutating func update(_ snapshot: inout HubSnapshot, from machine: HubMachine) -> Bool {
        var differs = snapshot.update(from: machine)
        if settings != machine.lastSettings {
            settings = machine.lastSettings
            differs = differs || snapshot.settings != machine.settings
            snapshot.settings = machine.settings
        }
        if updateCards(of: &snapshot, machine) { differs = true }
        if updateOpen(of: &snapshot, machine) { differs = true }
        return differs
    }

    private mutating func updateCards(of snapshot: inout HubSnapshot, _ machine: HubMachine) -> Bool {
        let now = Shared(
            openSession: machine.openSession,
            microphone: machine.microphone,
            spawns: machine.spawns,
            spawnFailures: machine.spawnFailures,
            hidden: machine.hiddenSessions
        )
        if now != shared || machine.sessions.isRegrouped {
            shared = now
            let cards = HubGrid.cards(machine)
            guard cards != snapshot.cards else { return false }
            snapshot.cards = cards
            places = Self.places(cards)
            return true
        }
        var differs = false
        for id in machine.sessions.touched {
            // One that is gone is not in any group, which is the case above.
            guard let key = machine.sessions.key(of: id), let place = places[key] else { continue }
            let card = HubGrid.card(key, in: machine)
            guard card != snapshot.cards[place] else { continue }
            snapshot.cards[place] = card
            differs = true
        }
        return differs
    }

    private mutating func updateOpen(of snapshot: inout HubSnapshot, _ machine: HubMachine) -> Bool {
        guard let id = machine.openSession, let key = machine.sessions.key(of: id) else {
            chat = nil
            guard snapshot.open != nil else { return false }
            snapshot.open = nil
            return true
        }
        let now = Chat(session: id, key: key, revision: machine.histories[key]?.revision)
        let known = now == chat ? snapshot.open : nil
        let isLoading = machine.historyRequests.older[key] != nil
        if let known, known.isLoadingOlder == isLoading, !machine.sessions.touched.contains(id) { return false }
        chat = now
        guard let model = machine.sessions[id] else { return false }
        let open = HubSnapshot.Open(model, machine, history: known)
        guard open != snapshot.open else { return false }
        snapshot.open = open
        return true
    }

    private static func places(_ cards: [HubCard]) -> [HubVoice.ID: Int] {
        Dictionary(cards.indices.map { (cards[$0].voice.id, $0) }) { first, _ in first }
    }
}
