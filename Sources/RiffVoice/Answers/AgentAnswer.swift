// Riff
// SPDX-License-Identifier: Apache-2.0

/// The text that an agent wrote at the end of a turn, to be heard.
public struct AgentAnswer: Sendable, Hashable {
    /// The form of the answer.
    public enum Content: Sendable, Hashable {
        /// Prose, to be spoken.
        case prose(String)
        /// Spoken already, by a server.
        case speech(AudioClip)
    }

    /// When the turn ended, in seconds since 1970.
    public let time: Double
    /// The form of this answer.
    public let content: Content
    /// Whether the turn failed, and the content says why.
    public let isFailure: Bool

    /// Creates an answer. Pictures within its prose, such as emoji, are left out: a voice would read out their names.
    public init(time: Double, _ content: Content, isFailure: Bool = false) {
        self.time = time
        self.isFailure = isFailure
        if case .prose(let text) = content {
            self.content = .prose(SpokenPictures.leftOut(of: text))
        } else {
            self.content = content
        }
    }
}

/// A seam: tells what an agent says, as it says it.
///
/// To the implementer: one caller at a time. Of several answers only the newest is told, and none that is as old as the
/// time that was given, or older. Cancelling a call loses nothing: the next one with the same time tells it.
public protocol AgentAnswerFeed: Sendable {
    /// The time from which on answers are new: that of the last one there is, or the time now.
    ///
    /// - Throws: A `RiffError` where it cannot be asked; `CancellationError`.
    func beginning() async throws -> Double

    /// Waits for the next answer.
    ///
    /// - Parameter time: What was heard last, in seconds since 1970.
    /// - Returns: The newest answer, if it is newer.
    /// - Throws: A `RiffError` where it cannot be asked: to be tried again later. `CancellationError`.
    func next(after time: Double) async throws -> AgentAnswer
}

/// Answers out of Claude Code's own transcripts, as prose: the terminal is never read for them.
public struct ClaudeAnswerFeed: AgentAnswerFeed {
    private let answers: RecordedAnswers

    /// Creates a feed of the answers in Claude Code's transcripts.
    ///
    /// - Parameters:
    ///   - transcripts: Where they are.
    ///   - prose: What of an answer is worth hearing.
    ///   - clock: Measures the time between two looks.
    public init(
        _ transcripts: ClaudeTranscripts,
        prose: SpokenProse = SpokenProse(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        answers = RecordedAnswers(transcripts, prose: prose, clock: clock)
    }

    /// When the newest transcript was written last, by the host's own clock, so that this device's need not be right; 0
    /// where there is none.
    public func beginning() async throws -> Double { try await answers.beginning() }

    /// Waits for a turn with words in it, or for one that failed; one that is nothing but code is passed over.
    public func next(after time: Double) async throws -> AgentAnswer { try await answers.next(after: time) }
}
