// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import RiffCore
import RiffHub
import RiffVoice

/// Does at a hub what a person asks for, in whichever way they do.
struct VoiceDesk: Sendable {
    let hub: HubClient

    /// Does it, and returns once the hub was told; what comes of it is in the snapshots.
    ///
    /// - Returns: What to tell the person, where the snapshots do not.
    /// - Throws: `ExampleFailure` where it cannot be done now; what kept it from being done.
    func perform(_ command: GridCommand) async throws -> String? {
        let snapshot = hub.current
        switch command {
        case .open(let name): await open(try card(name, in: snapshot))
        case .showGrid: await hub.showGrid()
        case .say(let text): try await hub.answer(text, in: try open(in: snapshot).id)
        case .answer(let path): try await hub.answer(try Self.clip(path), in: try open(in: snapshot).id)
        case .interject(let text): try await hub.interject(text, in: try open(in: snapshot).id)
        case .mode(let mode): try await hub.setMode(mode, of: try open(in: snapshot).id)
        case .older:
            guard try open(in: snapshot).hasOlder else { return "There are no older messages." }
            await hub.showOlder()
        case .record:
            _ = try open(in: snapshot)
            await hub.record()
        case .finish: await hub.finishRecording()
        case .discard: await hub.discardRecording()
        case .interrupt:
            _ = try open(in: snapshot)
            await hub.interrupt()
        case .mute(let isMuted): await hub.setMuted(isMuted)
        case .showSettings: return Self.text(try await settings())
        case .set(let name, let value):
            try await hub.change(try SettingsText.change(name, to: value, of: try await settings()))
            return Self.text(hub.current.settings)
        case .speed(let speed): try await hub.setSpeed(speed, of: try open(in: snapshot).id)
        case .end(let name):
            let card = try name.map { try self.card($0, in: snapshot) } ?? snapshot.openCard
            guard let session = card?.session else { throw ExampleFailure("There is no session to end.") }
            await hub.end(session: session)
        case .clear: try await hub.clearHistory(of: try open(in: snapshot).voice.id)
        case .refresh: await hub.refresh()
        case .help: return GridCommand.usage
        case .unknown(let word): throw ExampleFailure("\(word) is none of these: \(GridCommand.usage)")
        case .history, .wait, .leave: break
        }
        return nil
    }

    /// Opens a voice: its session, or a new one.
    func open(_ card: HubCard) async {
        if let session = card.session, card.state != .starting {
            await hub.open(session: session)
        } else {
            await hub.open(voice: card.voice.id)
        }
    }

    /// The settings as they are now: the hub tells nobody that another client has changed them.
    func settings() async throws -> HubSettings { try await hub.service.settings() }

    func card(_ name: String, in snapshot: HubSnapshot) throws -> HubCard {
        guard let card = snapshot.card(meant: name) else {
            let names = snapshot.cards.map { InertText.line($0.voice.name) }.joined(separator: ", ")
            throw ExampleFailure("There is no voice \(InertText.line(name)); there are \(names).")
        }
        return card
    }

    func open(in snapshot: HubSnapshot) throws -> HubSnapshot.Open {
        guard let open = snapshot.open else { throw ExampleFailure("Open a voice first.") }
        return open
    }

    private static func clip(_ path: String) throws -> AudioClip {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: absolutePath(path))))
        guard let clip = AudioClip(file: bytes) else { throw ExampleFailure("\(path) is no recording that is known.") }
        return clip
    }

    private static func text(_ settings: HubSettings) -> String {
        SettingsText.all(settings).map { "\($0.name) \($0.value)" }.joined(separator: ", ")
    }
}

/// What went wrong, in words.
func words(for error: any Error) -> String { (error as? any RiffError)?.message ?? "\(error)" }
