// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// The requests of this side that were not answered yet.
final class PendingRequests: Sendable {
    typealias Answer = Result<JSONValue, any Error>

    /// One question.
    struct Pending: Sendable {
        let id: Int64
        /// The id as it is sent.
        let requestID: ACP.RequestID
        let method: String
        /// Whether its answer waits until everything that came before it was handed on.
        let isOrdered: Bool
        let answer = EventualValue<Answer>()
    }

    private struct State {
        var nextID: Int64 = 0
        var waiting: [Int64: Pending] = [:]
        var failure: (any Error)?
    }

    private let state = Mutex(State())
    /// The prefix of the ids, if others ask on the same channel.
    private let prefix: String?

    init(prefix: String? = nil) { self.prefix = prefix.map { $0 + ":" } }

    /// Enters a question before it is sent.
    ///
    /// - Throws: What ended the connection.
    func begin(_ method: String, isOrdered: Bool) throws -> Pending {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            let id = state.nextID
            let requestID = prefix.map { ACP.RequestID.text("\($0)\(id)") } ?? .number(id)
            let pending = Pending(id: id, requestID: requestID, method: method, isOrdered: isOrdered)
            state.nextID += 1
            state.waiting[pending.id] = pending
            return pending
        }
    }

    /// Takes out the question that an answer is for; `nil` if it is not waited for any more, or never was.
    func take(_ id: ACP.RequestID) -> Pending? {
        let number: Int64
        switch id {
        case .number(let value) where prefix == nil: number = value
        // An agent that makes texts of all ids is understood.
        case .text(let text):
            guard text.hasPrefix(prefix ?? ""), let value = Int64(text.dropFirst(prefix?.count ?? 0)) else {
                return nil
            }
            number = value
        default: return nil
        }
        return state.withLock { $0.waiting.removeValue(forKey: number) }
    }

    /// Gives up on a question. Whether it was still open.
    @discardableResult
    func abandon(_ pending: Pending) -> Bool { state.withLock { $0.waiting.removeValue(forKey: pending.id) != nil } }

    /// Whether something is asked whose answer does not wait for what came before it.
    var hasUnordered: Bool { state.withLock { $0.waiting.values.contains { !$0.isOrdered } } }

    /// Fails everything that is open, and everything asked from now on.
    func failAll(_ failure: any Error) {
        let waiting = state.withLock { state in
            if state.failure == nil { state.failure = failure }
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for pending in waiting { pending.answer.resolve(.failure(failure)) }
    }
}
