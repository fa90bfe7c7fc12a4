// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffAgents
import RiffCore
import RiffSessions
import RiffShare
import RiffTalk
import Testing

/// A terminal with a real agent in it, as a carrier of prompts sees it: a paste, a look at the composer, Return.
struct LivePromptTerminal {
    let session: TerminalSession
    /// Tells when the terminal has drawn something.
    let drawn: StateSource<Int>
    let record: any PromptRecord
    /// Whether the agent's own word says that no turn runs.
    let isIdle: @Sendable () -> Bool

    private struct Seen: Error { let look: ScreenLook }

    func look() async throws -> ScreenLook {
        do {
            try await session.typeSpoken("never typed", submit: false) { look, _ in
                throw Seen(look: ScreenLook(try #require(look)))
            }
        } catch let seen as Seen {
            return seen.look
        }
        throw CancellationError()
    }

    func carrier(_ agent: AgentKind) -> KeyPromptCarrier {
        KeyPromptCarrier(to: agent, record: record) {
            try await readiness()
        } submit: { text, commit in
            guard try await readiness() == .ready else { return .notSent("It is not ready.") }
            try await session.paste(text)
            guard try await showsDraft() else { return .notSent("The composer does not show the prompt.") }
            try await commit()
            try await session.write([0x0D])
            return .received(turn: "")
        }
    }

    private func readiness() async throws -> PromptReadiness {
        guard isIdle() else { return .working }
        let look = try await look()
        guard case .atPrompt = look.reading else { return .notNow("It is not at its prompt.") }
        return look.draft == nil ? .ready : .notNow("Words stand in the composer.")
    }

    /// Looks after each drawing until the composer holds something, or shows something else than a composer.
    private func showsDraft() async throws -> Bool {
        for await _ in drawn.updates() {
            let look = try await look()
            guard case .atPrompt = look.reading else { return false }
            if look.draft != nil { return true }
        }
        return false
    }
}

/// A record on this machine.
struct FileRecord: PromptRecord {
    let path: @Sendable () -> String?

    func size() throws -> (name: String, bytes: Int64)? {
        guard let path = path() else { return nil }
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        return (path, Int64(try #require(size)))
    }

    func read(_ name: String, from offset: Int64, atMost count: Int) throws -> [UInt8] {
        let file = try FileHandle(forReadingFrom: URL(filePath: name))
        defer { try? file.close() }  // It was only read.
        try file.seek(toOffset: UInt64(offset))
        return try file.read(upToCount: count).map { Array($0) } ?? []
    }
}
