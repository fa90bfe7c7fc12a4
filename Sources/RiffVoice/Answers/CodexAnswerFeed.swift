// Riff
// SPDX-License-Identifier: Apache-2.0

/// Answers out of Codex's own records, as prose: the terminal is never read for them. What is said in the threads in
/// which it makes titles and in those of its helpers is not among them.
public struct CodexAnswerFeed: AgentAnswerFeed {
    private let answers: RecordedAnswers

    /// A feed.
    ///
    /// - Parameters:
    ///   - records: Where they are.
    ///   - prose: What of an answer is worth hearing.
    ///   - clock: Measures the time between two looks.
    public init(
        _ records: CodexRecords,
        prose: SpokenProse = SpokenProse(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        answers = RecordedAnswers(records, prose: prose, clock: clock)
    }

    /// When the newest record was written last, by the host's own clock; 0 where there is none.
    public func beginning() async throws -> Double { try await answers.beginning() }

    /// Waits for a turn with words in it, or for one that failed; one that is nothing but code is passed over.
    public func next(after time: Double) async throws -> AgentAnswer { try await answers.next(after: time) }
}
