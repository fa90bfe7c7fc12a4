// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// The requests of the other side that were not answered yet. The first answer counts, whatever its source.
final class InboundRequests: Sendable {
    /// One question.
    struct Inbound: Sendable {
        let id: ACP.RequestID
        let method: String
        let params: JSONValue
        /// The event that the answer is not wanted any more.
        let cancelled = EventualValue<Void>()
        fileprivate let number: UInt64
    }

    private struct State {
        var nextNumber: UInt64 = 0
        var open: [UInt64: Inbound] = [:]
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Enters a question; `nil` where too many are open.
    func begin(_ id: ACP.RequestID, _ method: String, _ params: JSONValue) -> Inbound? {
        state.withLock { state in
            guard state.open.count < limit else { return nil }
            let inbound = Inbound(id: id, method: method, params: params, number: state.nextNumber)
            state.nextNumber += 1
            state.open[inbound.number] = inbound
            return inbound
        }
    }

    /// Whether a question is still open; it is not any more afterwards. Who gets `true` answers.
    func finish(_ inbound: Inbound) -> Bool { state.withLock { $0.open.removeValue(forKey: inbound.number) != nil } }

    /// The open questions that a rule picks.
    func open(where matches: (Inbound) -> Bool) -> [Inbound] {
        state.withLock { state in state.open.values.filter(matches).sorted { $0.number < $1.number } }
    }
}
