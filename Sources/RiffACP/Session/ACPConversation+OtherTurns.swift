// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Turns that other clients of a kept agent began: the chat runs, and what is sent here waits.
extension ACPConversation {
    /// Takes over the turns that ran already when the session was opened here.
    func takeTurns(of client: ACPClient) {
        guard let session else { return }
        for turn in client.otherTurns where turn.isOf(session) && !others.contains(turn.id) { others.append(turn.id) }
        showOthers()
    }

    /// A turn of another client began or ended.
    func take(_ turn: OtherTurn, _ state: OtherTurn.State) {
        guard let session, turn.isOf(session) else { return }
        switch state {
        case .running:
            if !others.contains(turn.id) { others.append(turn.id) }
            showOthers()
        case .ended(let answer):
            guard let index = others.firstIndex(of: turn.id) else { return }
            others.remove(at: index)
            // A prompt that the agent refused ends nothing of the turn that runs.
            if others.isEmpty, sending == 0 { end(answer) }
            othersChanged.signal()
        }
    }

    /// Shows that the agent works, where it does for another client alone.
    func showOthers() {
        guard !others.isEmpty, sending == 0, !chat.isRunning else { return }
        othersWatch = Stopwatch(clock)
        chat.otherTurnBegan()
    }

    private func end(_ answer: Result<ACP.PromptResponse, any Error>?) {
        let duration = othersWatch?.now.offset ?? .zero
        othersWatch = nil
        guard chat.isRunning else { return }
        switch answer {
        case .success(let response)?: chat.turnEnded(response.stopReason, tokens: response.usage, after: duration)
        case .failure(let error)? where isCancellation(error): chat.turnEnded(.cancelled, after: duration)
        case .failure(let error)?: chat.turnFailed(error, after: duration, details: [], isOwn: false)
        case nil: chat.transcript.turnLeft()
        }
    }

    /// Waits until no other client's turn runs.
    ///
    /// - Throws: `CancellationError`.
    func waitForOthers() async throws {
        while !others.isEmpty { _ = try await othersChanged.wait(after: othersChanged.current) }
    }
}
