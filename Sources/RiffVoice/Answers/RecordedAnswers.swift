// Riff
// SPDX-License-Identifier: Apache-2.0

/// Answers out of an agent's own records.
struct RecordedAnswers: Sendable {
    private let records: any AgentRecords
    private let follower: TranscriptFollower
    private let prose: SpokenProse

    init(_ records: any AgentRecords, prose: SpokenProse, clock: any Clock<Duration>) {
        self.records = records
        self.prose = prose
        follower = TranscriptFollower(records, clock: clock)
    }

    /// When the newest record was written last, by the host's own clock, so that this device's need not be right; 0
    /// where there is none.
    func beginning() async throws -> Double {
        guard let newest = try await records.newest() else { return 0 }
        let last = try await follower.present().map(\.time).max() ?? 0
        return max(last, try await records.modified(newest) ?? 0)
    }

    /// Waits for a turn with words in it; one that is nothing but code is passed over.
    func next(after time: Double) async throws -> AgentAnswer {
        var cursor = NarrationCursor(now: time)
        while true {
            guard let turn = cursor.next(of: try await follower.next()) else { continue }
            let text = prose.prose(of: turn.text)
            if turn.isFailure {
                let words = text.isEmpty ? "The turn failed." : "The turn failed. \(text)"
                return AgentAnswer(time: turn.time, .prose(words), isFailure: true)
            }
            if !text.isEmpty { return AgentAnswer(time: turn.time, .prose(text)) }
        }
    }
}
