// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport
internal import Synchronization

extension InputSafety {
    /// The waits between asking a server that may only just be starting.
    private static let retries: [Duration] = [50, 200, 500, 1000, 2000, 4000].map { .milliseconds($0) }

    /// Asks the server of this connection for the safe keys, unless it was asked. Nothing is asked before there is
    /// input, or will be soon: many sessions may be open of which few are typed into.
    func prepare() {
        state.withLock { state in
            guard state.preparation == nil, state.ready.current == nil, let tmux, let errands else { return }
            let (number, taken, ready) = (state.number, state.taken, state.ready)
            state.preparation = Task { [weak self] in
                await self?.askRepeatedly(tmux, errands, as: number, waitsForTerminal: taken)
                ready.resolve(())
            }
        }
    }

    private func askRepeatedly(
        _ tmux: TmuxAttachment,
        _ errands: any TmuxErrands,
        as number: Int,
        waitsForTerminal taken: EventualValue<Void>
    ) async {
        // A server that does not answer in time has no safe keys.
        try? await withDeadline(Self.patience, clock: clock) {
            for wait in Self.retries {
                guard await self.ask(tmux, errands, as: number, waitsForTerminal: taken) == .notThere else { return }
                try await self.clock.sleep(for: wait)
            }
            _ = await self.ask(tmux, errands, as: number, waitsForTerminal: taken)
        }
    }

    private enum Answer { case given, notThere, missing }

    private func ask(
        _ tmux: TmuxAttachment,
        _ errands: any TmuxErrands,
        as number: Int,
        waitsForTerminal taken: EventualValue<Void>
    ) async -> Answer {
        // A name that cannot be put on a command line cannot be attached to either.
        guard let line = try? tmux.server.installSafeKeys(for: tmux.session) else { return .missing }
        // The terminal may only just be connecting.
        let report = await errands.run(line, input: []) { [weak self] in
            self?.state.withLock { $0.number == number && !$0.isRetired } == true
        }
        guard case .output(let output, let status) = report.outcome else {
            state.withLock { if $0.number == number { $0.isUnanswered = true } }
            return .missing
        }
        if let failure = report.tmuxFailure, [.noServer, .sessionNotFound].contains(failure.kind) { return .notThere }
        let check = SafeKeyCheck(
            output: status == 0 ? String(decoding: output, as: UTF8.self) : "",
            server: tmux.server
        )
        // Before tmux has taken the terminal over, its line discipline would act on control characters.
        guard (try? await taken.cancellableValue()) != nil else { return .missing }
        let replaced = state.withLock { state -> (@Sendable () async -> Void)? in
            guard state.number == number, !state.isRetired else { return nil }
            state.isUnanswered = false
            state.sessionID = check.sessionID
            let replaced = Self.found(check.identity, on: number, in: &state)
            if !state.isRetired { state.guarding.checked(check) }
            return replaced
        }
        await replaced?()
        return .given
    }

    /// Asks a server again that did not answer before.
    ///
    /// - Returns: Whether it was asked.
    func askAgain() async -> Bool {
        let (number, taken, isUnanswered) = state.withLock { ($0.number, $0.taken, $0.isUnanswered) }
        guard isUnanswered, taken.current != nil, let tmux, let errands else { return false }
        _ = await ask(tmux, errands, as: number, waitsForTerminal: taken)
        return true
    }

    /// Waits until it is known whether the server has the safe keys.
    func ready() async throws {
        prepare()
        let (number, ready) = state.withLock { ($0.number, $0.ready) }
        try await ready.cancellableValue()
        state.withLock { if $0.number == number { $0.isReady = true } }
    }
}
