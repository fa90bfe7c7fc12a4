// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The rules of `HostTester`, as checks that any implementation can run.
public struct HostTesterConformance: Sendable {
    private let make: @Sendable () async throws -> any HostTester
    private let host: HostProfile
    private let deadline: Duration

    /// Checks of the testers that the closure makes.
    ///
    /// - Parameters:
    ///   - host: A host that cannot be used.
    ///   - deadline: How long each check may take.
    ///   - make: Makes a tester.
    public init(
        of host: HostProfile,
        deadline: Duration = .seconds(60),
        make: @escaping @Sendable () async throws -> any HostTester
    ) {
        self.host = host
        self.deadline = deadline
        self.make = make
    }

    /// Runs every check.
    ///
    /// - Throws: ``ConformanceFailure`` at the first rule that is not kept.
    public func runAll() async throws {
        try await answersWithWhatFailed()
        try await tellsEachStep()
        try await endsWhenCancelled()
        try await opensKeys()
    }

    /// A host that cannot be used is an answer, with the reason, and not an error.
    public func answersWithWhatFailed() async throws {
        try await bounded("answersWithWhatFailed", by: deadline) {
            let readiness = try await test(progress: StateSource(HostReadiness()))
            try expect(!readiness.isReady, "a host that cannot be used is not ready")
            try expect(readiness.failure?.message.isEmpty == false, "there is a reason, in words")
        }
    }

    /// The progress ends with the answer, and is left open for the next test.
    public func tellsEachStep() async throws {
        try await bounded("tellsEachStep", by: deadline) {
            let progress = StateSource(HostReadiness())
            let readiness = try await test(progress: progress)
            let told = progress.current
            try expect(
                told.checks.map(\.isSatisfied) == readiness.checks.map(\.isSatisfied)
                    && told.failures.map(\.stableCode) == readiness.failures.map(\.stableCode),
                "the last step that is told is the answer"
            )
            progress.update(HostReadiness([]))
            try expect(progress.current.checks.isEmpty, "the progress is left open")
        }
    }

    /// A cancelled test ends, in an answer that was there already or with `CancellationError`.
    public func endsWhenCancelled() async throws {
        try await bounded("endsWhenCancelled", by: deadline) {
            let task = Task { try await test(progress: StateSource(HostReadiness())) }
            task.cancel()
            do { _ = try await task.value } catch is CancellationError {}
        }
    }

    /// A key that can be used is opened as the same key.
    public func opensKeys() async throws {
        try await bounded("opensKeys", by: deadline) {
            let key = SSHPrivateKey.makeEd25519(comment: "conformance")
            let opened = try await make().open(key)
            try expect(opened.publicKey == key.publicKey && key.publicKey != nil, "the opened key is the same key")
        }
    }

    private func test(progress: StateSource<HostReadiness>) async throws -> HostReadiness {
        try await make().test(host, key: .makeEd25519(comment: "conformance"), progress: progress)
    }
}
