// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffShare

/// A coding agent in memory, as a ``RiffShare/PromptCarrier`` sees it: it takes prompts, keeps a record of them, and
/// fails where a test says so.
public actor ScriptedPromptAgent: PromptCarrier {
    /// A way in which a hand-over goes wrong.
    public enum Fault: Sendable, Hashable, CaseIterable {
        /// The connection is lost before the prompt is submitted.
        case cutBefore
        /// The connection is lost while it is submitted, and the prompt does not arrive.
        case cutDuring
        /// The connection is lost while it is submitted, and the prompt arrives.
        case cutAfter
        /// The prompt arrives, and no receipt is seen in time.
        case receiptLate
        /// The prompt does not arrive, and no receipt is seen in time.
        case lost
        /// A dialog opens at the last moment: nothing is submitted.
        case dialog
        /// The agent refuses the prompt.
        case refuse
        /// The agent crashes at once after it took the prompt into its record.
        case crashAfter
    }

    /// The error of a connection that is lost.
    public struct Cut: Error { init() {} }

    /// Whether it takes words in the middle of a turn.
    public nonisolated let takesThisTurn: Bool
    /// Always `false`.
    public nonisolated let worksWithoutClient = false

    /// The agent's readiness.
    public private(set) var state: PromptReadiness = .ready
    /// The prompts that it took, in order: the truth.
    public private(set) var taken: [OutgoingPrompt] = []
    private var faults: [Fault] = []
    /// What calls fail with while the connection is down.
    private var isConnected = true
    private let isDone: Bool

    /// Creates an agent that waits for a prompt.
    ///
    /// - Parameters:
    ///   - takesThisTurn: Whether it takes words in the middle of a turn.
    ///   - isDone: Whether it is done with each turn at once; else it works until ``set(_:)``.
    public init(takesThisTurn: Bool = false, isDone: Bool = true) {
        self.takesThisTurn = takesThisTurn
        self.isDone = isDone
    }

    /// Sets the agent's readiness.
    public func set(_ state: PromptReadiness) { self.state = state }

    /// Makes the next hand-overs go wrong, one after another.
    public func fail(_ faults: [Fault]) { self.faults += faults }

    /// Connects or cuts the connection.
    public func connect(_ isConnected: Bool) { self.isConnected = isConnected }

    /// The agent's readiness.
    ///
    /// - Throws: ``Cut`` while it is not connected.
    public func readiness() throws -> PromptReadiness {
        try requireConnection()
        return state
    }

    /// The number of prompts that it took.
    ///
    /// - Throws: ``Cut`` while it is not connected.
    public func mark() throws -> String {
        try requireConnection()
        return String(taken.count)
    }

    /// Looks for a prompt among those that it took.
    ///
    /// - Throws: ``Cut`` while it is not connected.
    public func look(for prompt: OutgoingPrompt, since mark: String) throws -> PromptLook {
        try requireConnection()
        guard let first = Int(mark), first <= taken.count else { return .unknown("The mark is not of this record.") }
        return taken[first...].contains { $0.id == prompt.id } ? .received(turn: "turn-\(prompt.id)") : .absent
    }

    /// Takes a prompt, or fails as it was told.
    ///
    /// - Throws: ``Cut``, or what `commit` throws.
    public func handOver(
        _ prompt: OutgoingPrompt,
        commit: @escaping @Sendable () async throws -> Void
    ) async throws -> PromptVerdict {
        try requireConnection()
        try Task.checkCancellation()
        let fault = faults.isEmpty ? nil : faults.removeFirst()
        switch fault {
        case .cutBefore: throw Cut()
        case .dialog: return .notSent("A dialog is open.")
        case .refuse: return .refused("The agent takes no such prompt.")
        case nil, .cutDuring, .cutAfter, .receiptLate, .lost, .crashAfter: break
        }
        try await commit()
        switch fault {
        case .cutDuring: throw Cut()
        case .lost: return .uncertain("No receipt came.")
        default: break
        }
        taken.append(prompt)
        if !isDone { state = .working }
        switch fault {
        case .cutAfter:
            isConnected = false
            throw Cut()
        case .receiptLate:
            isConnected = false
            return .uncertain("No receipt came.")
        case .crashAfter:
            state = .notNow("The agent's process is over.")
            throw Cut()
        default: return .received(turn: "turn-\(prompt.id)")
        }
    }

    private func requireConnection() throws { if !isConnected { throw Cut() } }
}
