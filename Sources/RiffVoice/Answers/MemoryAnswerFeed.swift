// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// Answers that the program gets by itself and hands on, such as those of an agent over the Agent Client Protocol.
public final class MemoryAnswerFeed: AgentAnswerFeed {
    private let newest = StateSource<AgentAnswer?>(nil)
    private let giving = Mutex(0.0)

    /// A feed without an answer.
    public init() {}

    /// Gives an answer; one that was not asked for yet is outdated by the next.
    public func give(_ content: AgentAnswer.Content) {
        giving.withLock { last in
            // Two of the same moment are two.
            last = max(WallClock.now(), last.nextUp)
            newest.update(AgentAnswer(time: last, content))
        }
    }

    /// The time of the last answer, 0 before the first.
    public func beginning() async throws -> Double { newest.current?.time ?? 0 }

    /// Waits for an answer that is newer.
    public func next(after time: Double) async throws -> AgentAnswer {
        for await answer in newest.updates() {
            if let answer, answer.time > time { return answer }
        }
        throw CancellationError()
    }
}
