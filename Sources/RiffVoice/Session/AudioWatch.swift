// Riff
// SPDX-License-Identifier: Apache-2.0

/// Reads out of an audio session's states the changes that matter to a caller that captures or speaks.
package struct AudioWatch: Sendable {
    package enum Change: Sendable, Hashable {
        /// The system took the audio away.
        case taken
        /// It may be used again, without a person's gesture.
        case back
        /// The device that played has gone.
        case outputLost
    }

    private var isTaken = false
    private var lostOutputs: Int?

    package init() {}

    /// Takes the next state.
    ///
    /// - Returns: What has changed since the one before.
    package mutating func changes(_ state: SharedAudioSession.Snapshot) -> [Change] {
        var changes: [Change] = []
        if state.isInterrupted, !isTaken {
            isTaken = true
            changes.append(.taken)
        } else if !state.isInterrupted, state.mayResume, isTaken {
            isTaken = false
            changes.append(.back)
        }
        if let lostOutputs, state.lostOutputs > lostOutputs { changes.append(.outputLost) }
        lostOutputs = state.lostOutputs
        return changes
    }
}

extension SharedAudioSession {
    /// Tells what happens to the session, until the task is cancelled.
    package nonisolated func watch(_ tell: @Sendable (AudioWatch.Change) async -> Void) async {
        var watch = AudioWatch()
        for await state in updates() {
            for change in watch.changes(state) { await tell(change) }
        }
    }
}
