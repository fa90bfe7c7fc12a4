// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// Holds back the end of a channel whose program is being started: one that ends before is replaced by another, and its
/// end is not reported.
final class ChannelEndGate: Sendable {
    typealias End = Result<ExitStatus?, TransportError>

    private enum State {
        case starting
        case endedEarly(End)
        case passing
        case shut
    }

    private let state = Mutex(State.starting)
    private let onEnd: @Sendable (End) -> Void

    init(_ onEnd: @escaping @Sendable (End) -> Void) { self.onEnd = onEnd }

    /// The channel is over.
    func end(_ end: End) {
        let passes = state.withLock { state in
            switch state {
            case .starting:
                state = .endedEarly(end)
                return false
            case .passing: return true
            case .endedEarly, .shut: return false
            }
        }
        if passes { onEnd(end) }
    }

    /// The program runs, or the caller was told that it does not: ends are told from now on, also one that came before.
    func open() {
        let early = state.withLock { state -> End? in
            defer { state = .passing }
            if case .endedEarly(let end) = state { return end }
            return nil
        }
        if let early { onEnd(early) }
    }

    /// Another channel takes this one's place.
    func shut() { state.withLock { $0 = .shut } }
}
