// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The requests that are under way, their waiters, and the answers that came before they were asked for: pure.
///
/// An id is free again when its answer was taken, or when the answer to a request nobody wants any more has come; so a
/// cancelled caller never makes a later one get the wrong answer.
package struct SFTPRequestTable<Waiter> {
    private enum Slot {
        case sent
        case awaited(Waiter)
        case answered(SFTPResponse)
        case abandoned
    }

    /// The action to take after an answer has come.
    package enum Delivery {
        /// Give it to the waiter.
        case resume(Waiter, SFTPResponse)
        /// Nothing; it is kept until it is asked for.
        case kept
        /// The answer is not wanted. A handle in it must be closed.
        case unwanted(SFTPResponse)
    }

    private var slots: [UInt32: Slot] = [:]
    private var nextID: UInt32 = 0

    package init() {}

    /// The number of answers that are still to come.
    package var outstanding: Int {
        slots.values.count { slot in
            if case .answered = slot { false } else { true }
        }
    }

    /// A new request's id.
    package mutating func issue() -> UInt32 {
        while slots[nextID] != nil { nextID &+= 1 }
        defer { nextID &+= 1 }
        slots[nextID] = .sent
        return nextID
    }

    /// Takes an answer from the server.
    ///
    /// - Throws: `TransportError` with `sftpMalformed` for an answer to nothing.
    package mutating func receive(_ response: SFTPResponse, for id: UInt32) throws(TransportError) -> Delivery {
        switch slots[id] {
        case .sent:
            slots[id] = .answered(response)
            return .kept
        case .awaited(let waiter):
            slots[id] = nil
            return .resume(waiter, response)
        case .abandoned:
            slots[id] = nil
            return .unwanted(response)
        case .answered, nil:
            throw TransportError(.sftpMalformed, "The host's file service answered a request that was not made.")
        }
    }

    /// The answer, where it is here already; otherwise the waiter is kept for it.
    package mutating func await(_ id: UInt32, _ waiter: Waiter) -> SFTPResponse? {
        if case .answered(let response) = slots[id] {
            slots[id] = nil
            return response
        }
        slots[id] = .awaited(waiter)
        return nil
    }

    /// Abandons a request, whose answer is not wanted any more.
    ///
    /// - Returns: Who waited, and the answer that was kept, which may hold a handle.
    package mutating func abandon(_ id: UInt32) -> (waiter: Waiter?, answer: SFTPResponse?) {
        switch slots[id] {
        case .sent:
            slots[id] = .abandoned
            return (nil, nil)
        case .awaited(let waiter):
            slots[id] = .abandoned
            return (waiter, nil)
        case .answered(let response):
            slots[id] = nil
            return (nil, response)
        case .abandoned, nil:
            return (nil, nil)
        }
    }

    /// Forgets everything and tells who waited.
    package mutating func removeAll() -> [Waiter] {
        defer { slots = [:] }
        return slots.values.compactMap { slot in
            if case .awaited(let waiter) = slot { waiter } else { nil }
        }
    }
}
