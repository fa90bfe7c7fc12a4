// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffShare
import RiffTesting
import TestSupport
import Testing

/// An agent whose record is a file, which survives the process that hands over, and which dies where a test says so.
private struct FileAgent: PromptCarrier {
    let folder: String
    /// The number of the step at which this process dies; each step of a hand-over is one.
    let death: Int
    let steps = StepCounter()
    var takesThisTurn: Bool { false }
    var worksWithoutClient: Bool { false }

    actor StepCounter {
        var count = 0
        func step(_ death: Int) {
            count += 1
            if count == death { kill(getpid(), SIGKILL) }
        }
    }

    private var record: [String] {
        let text = (try? String(contentsOfFile: "\(folder)/record", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    func readiness() async throws -> PromptReadiness {
        await steps.step(death)
        return .ready
    }

    func mark() async throws -> String {
        await steps.step(death)
        return String(record.count)
    }

    func handOver(
        _ prompt: OutgoingPrompt,
        commit: @escaping @Sendable () async throws -> Void
    ) async throws -> PromptVerdict {
        await steps.step(death)
        try await commit()
        await steps.step(death)
        let file = open("\(folder)/record", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let line = Array("\(prompt.id)\n".utf8)
        precondition(file >= 0 && write(file, line, line.count) == line.count)
        close(file)
        await steps.step(death)
        return .received(turn: "t")
    }

    func look(for prompt: OutgoingPrompt, since mark: String) async throws -> PromptLook {
        await steps.step(death)
        return record.dropFirst(Int(mark) ?? 0).contains(prompt.id.text) ? .received(turn: "t") : .absent
    }
}

extension InTurn {
    /// Processes that die in the middle of a hand-over. They are this one, started again by Swift Testing.
    @Suite(.timeLimit(.minutes(10)))
    struct PromptDeliveryProcessTests {
        private static let variable = "RIFF_DELIVERY_FOLDER"
        private static func setting(_ name: String) -> String { ProcessInfo.processInfo.environment[name] ?? "" }

        private static func deliverUntilDeath() async throws {
            let folder = setting(variable)
            let agent = FileAgent(folder: folder, death: Int(setting("RIFF_DELIVERY_DEATH")) ?? 0)
            let delivery = PromptDelivery(PromptOutbox(directory: "\(folder)/outbox"), to: "a", by: agent)
            await delivery.wake()
            await delivery.finished()
            kill(getpid(), SIGKILL)
        }

        /// Three prompts of five steps each: readiness, mark, before the note, after it, after the agent has it.
        @Test(arguments: 1...16)
        func `a client that is killed at any step leaves nothing doubled, and nothing lost without a word`(
            death: Int
        ) async throws {
            try await KeyTool.withFolder { folder in
                setenv(Self.variable, folder, 1)
                setenv("RIFF_DELIVERY_DEATH", "\(death)", 1)
                defer {
                    unsetenv(Self.variable)
                    unsetenv("RIFF_DELIVERY_DEATH")
                }
                let outbox = PromptOutbox(directory: "\(folder)/outbox")
                for text in ["1", "2", "3"] { try await outbox.add(text, to: "a") }
                await #expect(processExitsWith: .signal(SIGKILL)) { try await Self.deliverUntilDeath() }
                // A record is taken by its line, and not by the file's last one.
                let delivery = PromptDelivery(outbox, to: "a", by: FileAgent(folder: folder, death: 0))
                await delivery.wake()
                await delivery.finished()
                let record = (try? KeyTool.text("\(folder)/record")) ?? ""
                let taken = record.split(separator: "\n").map(String.init)
                #expect(Set(taken).count == taken.count, "one was taken twice")
                let prompts = try await outbox.refresh().prompts
                #expect(prompts.count == 3)
                for prompt in prompts {
                    let isTaken = taken.contains(prompt.id.text)
                    #expect(isTaken == (prompt.state == .received(turn: "t")), "\(prompt)")
                }
                // Between the note and the agent's record nobody can know; every other death is no doubt.
                let isUnknowable = [4, 9, 14].contains(death)
                #expect(prompts.count { $0.state.name == "uncertain" } == (isUnknowable ? 1 : 0))
                #expect(taken.count == (isUnknowable ? (death - 4) / 5 : 3))
            }
        }
    }
}
