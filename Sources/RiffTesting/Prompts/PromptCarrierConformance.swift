// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffShare
internal import Synchronization

/// The rules of ``RiffShare/PromptCarrier``, for any implementation with an agent behind it that waits for a prompt.
public struct PromptCarrierConformance: Sendable {
    /// A carrier, and the truth about its agent.
    public struct Subject: Sendable {
        /// The carrier.
        let carrier: any PromptCarrier
        /// The texts of the prompts that the agent took.
        let taken: @Sendable () async throws -> [String]

        /// Creates a subject.
        public init(_ carrier: any PromptCarrier, taken: @escaping @Sendable () async throws -> [String]) {
            self.carrier = carrier
            self.taken = taken
        }
    }

    private struct Stop: Error {}
    private let make: @Sendable () async throws -> Subject

    /// Creates the checks.
    ///
    /// - Parameter make: Makes a carrier whose agent is new, waits for a prompt and took none.
    public init(_ make: @escaping @Sendable () async throws -> Subject) { self.make = make }

    /// All checks.
    public static let all: [ConformanceCheck<PromptCarrierConformance>] = [
        ConformanceCheck("aPromptIsTakenOnceAndFound") { try await $0.aPromptIsTakenOnceAndFound() },
        ConformanceCheck("withoutTheNoteNothingIsSent") { try await $0.withoutTheNoteNothingIsSent() },
        ConformanceCheck("aCancelledHandOverSendsNothing") { try await $0.aCancelledHandOverSendsNothing() },
        ConformanceCheck("aReceiptBeforeTheMarkDoesNotCount") { try await $0.aReceiptBeforeTheMarkDoesNotCount() },
    ]

    /// A prompt is noted once, then taken once, and found from its mark on.
    public func aPromptIsTakenOnceAndFound() async throws {
        try await checked("aPromptIsTakenOnceAndFound") { subject in
            let prompt = OutgoingPrompt(id: .random(), text: "one prompt\nof two lines")
            try expect(try await subject.carrier.readiness() == .ready, "the agent must be ready")
            let mark = try await subject.carrier.mark()
            try expect(!mark.utf8.contains(0x0A), "a mark is one line")
            let before = try await subject.carrier.look(for: prompt, since: mark)
            try expect(!before.isReceived, "nothing was sent, and \(before) was found")
            let takenAtCommit = Mutex<[Int]>([])
            let verdict = try await subject.carrier.handOver(prompt) {
                let count = try await subject.taken().count
                takenAtCommit.withLock { $0.append(count) }
            }
            guard case .received = verdict else { throw Violation(message: "the verdict was \(verdict)") }
            try expect(takenAtCommit.withLock { $0 } == [0], "it must be noted once, before the agent takes it")
            try expect(try await subject.taken() == [prompt.text], "it must be taken once")
            let after = try await subject.carrier.look(for: prompt, since: mark)
            try expect(after.isReceived, "it was taken, and \(after) was found")
        }
    }

    /// If the note fails, its error comes out and the agent takes nothing.
    public func withoutTheNoteNothingIsSent() async throws {
        try await checked("withoutTheNoteNothingIsSent") { subject in
            let prompt = OutgoingPrompt(id: .random(), text: "never sent")
            do {
                let verdict = try await subject.carrier.handOver(prompt) { throw Stop() }
                throw Violation(message: "the note failed, and the verdict was \(verdict)")
            } catch is Stop {}
            try expect(try await subject.taken() == [], "it was sent all the same")
        }
    }

    /// A task that is cancelled already submits nothing.
    public func aCancelledHandOverSendsNothing() async throws {
        try await checked("aCancelledHandOverSendsNothing") { subject in
            let prompt = OutgoingPrompt(id: .random(), text: "never sent")
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await subject.carrier.handOver(prompt) {}
            }
            switch await task.result {
            case .success(.notSent), .failure: break
            case .success(let verdict): throw Violation(message: "it was cancelled, and the verdict was \(verdict)")
            }
            try expect(try await subject.taken() == [], "it was sent all the same")
        }
    }

    /// A prompt with the same words that was taken earlier is no receipt.
    public func aReceiptBeforeTheMarkDoesNotCount() async throws {
        try await checked("aReceiptBeforeTheMarkDoesNotCount") { subject in
            let first = OutgoingPrompt(id: .random(), text: "go on")
            guard case .received = try await subject.carrier.handOver(first, commit: {}) else {
                throw Violation(message: "the first one must be received")
            }
            let second = OutgoingPrompt(id: .random(), text: "go on")
            let look = try await subject.carrier.look(for: second, since: try await subject.carrier.mark())
            try expect(!look.isReceived, "the first one's receipt was taken for the second one's")
        }
    }

    private func checked(_ name: String, _ body: (Subject) async throws -> Void) async throws {
        do { try await body(try await make()) } catch let violation as Violation {
            throw ConformanceFailure(check: name, message: violation.message)
        }
    }
}

extension PromptLook {
    fileprivate var isReceived: Bool { if case .received = self { true } else { false } }
}
