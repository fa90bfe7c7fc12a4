// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import RiffShare
import RiffTesting
import Testing

/// An app server in memory that, as Codex's, takes the same id twice.
private actor MemoryCodex: CodexPrompting {
    enum Loss: Error { case before, after, look, refused }
    private(set) var messages: [(id: String, text: String)] = []
    private(set) var steered: [String] = []
    var running: String?
    var loss: Loss?

    func set(running: String? = nil, loss: Loss? = nil) {
        self.running = running
        self.loss = loss
    }

    func promptState() -> (readiness: PromptReadiness, turn: String?) { (.ready, running) }

    func startPrompt(_ text: String, id: String) throws -> String { try take(text, id) }

    func steerPrompt(_ turn: String, _ text: String, id: String) throws -> String {
        guard turn == running else { throw Loss.refused }
        steered.append(turn)
        return try take(text, id)
    }

    func turnOfPrompt(_ id: String) throws -> String? {
        if loss == .look { throw Loss.before }
        return messages.contains { $0.id == id } ? "turn-\(id)" : nil
    }

    nonisolated func proof(in error: any Error) -> PromptVerdict? {
        switch error as? Loss {
        case .before: .notSent("Codex is not connected.")
        case .refused: .refused("Codex refused it.")
        case .after, .look, nil: nil
        }
    }

    private func take(_ text: String, _ id: String) throws -> String {
        if loss == .before || loss == .refused { throw loss ?? .before }
        messages.append((id, text))
        if loss == .after { throw Loss.after }
        return "turn-\(id)"
    }
}

struct CodexPromptCarrierTests {
    private static let prompt = OutgoingPrompt(id: .random(), text: "x")

    @Test(arguments: PromptCarrierConformance.all)
    func `it keeps the rules of a carrier`(check: ConformanceCheck<PromptCarrierConformance>) async throws {
        try await check.run(
            PromptCarrierConformance {
                let server = MemoryCodex()
                return .init(CodexPromptCarrier(server)) { await server.messages.map(\.text) }
            }
        )
    }

    @Test func `what an error proves is told, and everything else is not`() async throws {
        let server = MemoryCodex()
        let carrier = CodexPromptCarrier(server)
        await server.set(loss: .before)
        #expect(try await carrier.handOver(Self.prompt) {} == .notSent("Codex is not connected."))
        await server.set(loss: .refused)
        #expect(try await carrier.handOver(Self.prompt) {} == .refused("Codex refused it."))
        #expect(try await carrier.look(for: Self.prompt, since: "id") == .absent)
        await server.set(loss: .after)
        await #expect(throws: MemoryCodex.Loss.after) { _ = try await carrier.handOver(Self.prompt) {} }
        #expect(try await carrier.look(for: Self.prompt, since: "id") == .received(turn: "turn-\(Self.prompt.id)"))
    }

    /// The connection is lost between the call's answer and the look: that nothing can be asked now proves nothing.
    @Test func `an error of the look after the call is no proof that nothing was sent`() async throws {
        let server = MemoryCodex()
        await server.set(loss: .look)
        await #expect(throws: MemoryCodex.Loss.before) {
            _ = try await CodexPromptCarrier(server).handOver(Self.prompt) {}
        }
        #expect(await server.messages.count == 1)
    }

    @Test func `a running turn is steered if that is meant, and else nothing is sent`() async throws {
        let server = MemoryCodex()
        let carrier = CodexPromptCarrier(server)
        await server.set(running: "r")
        #expect(try await carrier.readiness() == .working)
        #expect(try await carrier.handOver(Self.prompt) {} == .notSent("The agent works."))
        let words = OutgoingPrompt(id: .random(), text: "y", delivery: .thisTurn)
        #expect(try await carrier.handOver(words) {} == .received(turn: "turn-\(words.id)"))
        #expect(await server.steered == ["r"])
        #expect(await server.messages.map(\.text) == ["y"])
    }
}
