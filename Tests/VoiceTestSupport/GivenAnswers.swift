// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
package import RiffVoice
package import Synchronization

/// Answers that a test gives.
package final class GivenAnswers: AgentAnswerFeed {
    private let given = StateSource<AgentAnswer?>(nil)
    private let failures: Mutex<Int>
    package let asked = Mutex<[Double]>([])

    /// - Parameter failures: How often it fails first.
    package init(failures: Int = 0) { self.failures = Mutex(failures) }

    package func give(_ text: String, at time: Double) { given.update(AgentAnswer(time: time, .prose(text))) }

    package func beginning() async throws -> Double { 0 }

    package func next(after time: Double) async throws -> AgentAnswer {
        asked.withLock { $0.append(time) }
        let fails = failures.withLock { failures in
            defer { failures = max(0, failures - 1) }
            return failures > 0
        }
        if fails { throw VoiceError(.serverUnreachable, "The server cannot be reached.") }
        for await answer in given.updates() {
            if let answer, answer.time > time { return answer }
        }
        throw CancellationError()
    }
}
