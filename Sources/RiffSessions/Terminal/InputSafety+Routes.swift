// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport
internal import Synchronization

extension InputSafety {
    /// Whether a text holds a character that tmux would take for its prefix key.
    func holdsPrefix(_ text: [UInt8]) -> Bool { state.withLock { $0.guarding.holdsPrefix(text) } }

    /// A way for bytes, and what is then known.
    struct Plan: Sendable {
        let route: InputGuard.Route
        /// The connection that it was made for.
        let number: Int
        fileprivate let after: InputGuard
    }

    /// Plans bytes for the open connection; `done` makes the plan's state the guard's.
    func plan(_ decide: (inout InputGuard) -> InputGuard.Route) -> Plan {
        let isInMode = tmux?.isInMode
        return state.withLock { state in
            state.guarding.heard(isInMode: isInMode)
            var after = state.guarding
            let route = decide(&after)
            return Plan(route: route, number: state.number, after: after)
        }
    }

    /// Keys that may go out at once, with what the guard knew before them.
    struct Passage: Sendable {
        let bytes: [UInt8]
        fileprivate let number: Int
        fileprivate let before: InputGuard
    }

    /// Passes keys that need no wait and no question, as nearly all do: one look, and the guard has them.
    ///
    /// - Returns: What to write to the terminal; `nil` if the keys take the long way, and then nothing is noted.
    func pass(_ bytes: [UInt8], on connection: TerminalConnection) -> Passage? {
        let isInMode = tmux?.isInMode
        return state.withLock { state in
            guard state.isReady, state.number == connection.number, !state.isRetired, !state.guarding.isUnsettled else {
                return nil
            }
            state.guarding.heard(isInMode: isInMode)
            let before = state.guarding
            if case .terminal(let bytes) = state.guarding.route(bytes) {
                return Passage(bytes: bytes, number: state.number, before: before)
            }
            state.guarding = before
            return nil
        }
    }

    /// The bytes of a passage were not taken after all.
    func takeBack(_ passage: Passage) {
        state.withLock { if $0.number == passage.number { $0.guarding = passage.before } }
    }

    /// The key of a paste was sent.
    func sent(_ paste: LoadedPaste) {
        state.withLock { state in
            // With so many behind it, the oldest was taken, or its connection is lost.
            if state.pasted.count == 8 { state.pasted.removeFirst() }
            state.pasted.append(paste)
        }
    }

    /// The bytes of a plan were taken.
    func done(_ plan: Plan) {
        state.withLock { state in
            if state.number == plan.number { state.guarding = plan.after }
        }
    }
}
