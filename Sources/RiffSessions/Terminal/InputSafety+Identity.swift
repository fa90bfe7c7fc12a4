// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport
internal import Synchronization

extension InputSafety {
    /// Whether the session is being left: another one may have its name soon, and what is learnt under that name no
    /// longer counts.
    var isRetired: Bool { state.withLock(\.isRetired) }

    /// The session is being left.
    func retire() { state.withLock { $0.isRetired = true } }

    /// Which session it is, where that was ever learnt.
    var identity: SessionIdentity? { state.withLock { $0.known?.identity } }

    /// Others have learnt which session the terminal is on. What the server told this terminal itself counts more.
    func learn(_ identity: SessionIdentity) {
        state.withLock { state in
            if state.known == nil { state.known = (identity, state.number) }
        }
    }

    /// Says what is to be done when another session is found under the session's name.
    func onReplacement(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.onReplacement = body } }

    /// Takes what the server said of a connection's session.
    ///
    /// - Returns: What is to be done if it is not the session that the terminal was on before.
    static func found(
        _ identity: SessionIdentity?,
        on number: Int,
        in state: inout State
    ) -> (@Sendable () async -> Void)? {
        guard let identity else { return nil }
        guard let known = state.known, known.number < number else {
            state.known = (identity, number)
            return nil
        }
        guard known.identity != identity else { return nil }
        // Not a byte more, also where nobody listens to that.
        state.isRetired = true
        return state.onReplacement
    }

    /// Returns the server's identifier for the session of a connection; `nil` if that cannot be learnt.
    func sessionID(on connection: TerminalConnection) async -> TmuxSessionID? {
        let known = state.withLock { $0.number == connection.number ? $0.sessionID : nil }
        if let known { return known }
        guard let tmux, let errands, let line = try? tmux.server.identify(tmux.session).line() else { return nil }
        let report = await errands.run(line, input: [], onlyWhile: isWanted(connection.number))
        guard case .output(let output, 0) = report.outcome else { return nil }
        let words = String(decoding: output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self).split(separator: " ")
        guard words.count == 2, let id = TmuxSessionID(String(words[0])), let created = Int(words[1]) else {
            return nil
        }
        let identity = SessionIdentity(id: id.rawValue, created: created)
        let (isStill, replaced) = state.withLock { state -> (Bool, (@Sendable () async -> Void)?) in
            guard state.number == connection.number, !state.isRetired else { return (false, nil) }
            state.sessionID = id
            let replaced = Self.found(identity, on: connection.number, in: &state)
            return (!state.isRetired, replaced)
        }
        await replaced?()
        return isStill ? id : nil
    }

    /// Whether a connection still takes keys, asked right before something is done for it on the host.
    func isWanted(_ number: Int) -> @Sendable () -> Bool {
        { [connections, weak self] in connections.current?.number == number && self?.isRetired == false }
    }
}
