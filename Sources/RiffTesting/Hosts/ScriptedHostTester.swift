// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import Synchronization

/// A tester of hosts without hosts: answers from a list, and keeps what it was asked. For tests and previews of
/// onboarding.
public final class ScriptedHostTester: HostTester {
    /// The answer of a test.
    public enum Answer: Sendable {
        /// Sessions can run there.
        case ready
        /// A check is not passed; those before it are.
        case failed(HostCheck.Kind, any RiffError)
        /// The test cannot be made.
        case throwing(any Error)
        /// The test continues until its task is cancelled.
        case waits
    }

    /// One call.
    public struct Test: Sendable {
        /// The profile of the host.
        public let profile: HostProfile
        /// The key that it was to be tested with.
        public let key: SSHPrivateKey
    }

    private struct State {
        var answers: [Answer]
        var tests: [Test] = []
    }

    private let state: Mutex<State>

    /// A tester with these answers, each for one test; after them every host is ready.
    public init(_ answers: [Answer] = []) { state = Mutex(State(answers: answers)) }

    /// Adds answers behind those that are left.
    public func answer(_ answers: Answer...) { state.withLock { $0.answers += answers } }

    /// The tests that were asked for, in order.
    public var tests: [Test] { state.withLock(\.tests) }

    /// Answers a test; `progress` first gets the news that the network was found, and then the answer.
    ///
    /// - Throws: The error of ``Answer/throwing(_:)``; `CancellationError`.
    public func test(
        _ profile: HostProfile,
        key: SSHPrivateKey,
        progress: StateSource<HostReadiness>
    ) async throws -> HostReadiness {
        let answer = state.withLock { state in
            state.tests.append(Test(profile: profile, key: key))
            return state.answers.isEmpty ? .ready : state.answers.removeFirst()
        }
        var readiness = HostReadiness()
        readiness.begin(.server)
        progress.update(readiness)
        switch answer {
        case .ready: readiness.settle(.harness, as: .passed)
        case .failed(let kind, let problem): readiness.settle(kind, as: .failed(problem))
        case .throwing(let error): throw error
        case .waits:
            let (never, source) = AsyncStream<Never>.makeStream()
            defer { source.finish() }
            for await _ in never {}
            throw CancellationError()
        }
        progress.update(readiness)
        return readiness
    }
}
