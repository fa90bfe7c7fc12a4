// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import Synchronization

/// All set-ups, three of which are tried at a time: they wait more than they work. Each test asks for its own.
final class HostMatrix: Sendable {
    static let shared = HostMatrix()

    private let outcomes: [String: EventualValue<Result<Void, any Error>>]
    private let hasBegun = Mutex(false)

    private init() {
        outcomes = Dictionary(uniqueKeysWithValues: HostSetup.all.map { ($0.name, EventualValue()) })
    }

    /// What became of a set-up.
    ///
    /// - Throws: What was not as it should be.
    func outcome(of setup: HostSetup) async throws {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        // Not the first test's own: the others need it as much. It ends with the last set-up, each by its own limit.
        if isFirst { Task { await tryAll() } }
        try await outcomes[setup.name]?.cancellableValue().get()
    }

    private func tryAll() async {
        let canMount = await ThrowawaySSHServer.canMount()
        await withTaskGroup(of: Void.self) { group in
            for (number, setup) in HostSetup.all.enumerated() {
                if number >= 3 { await group.next() }
                group.addTask { [self] in
                    let result: Result<Void, any Error>
                    do {
                        if canMount || !setup.needsMount {
                            try await withDeadline(.seconds(90).patient, clock: ContinuousClock()) {
                                try await HostTrial.run(setup)
                            }
                        }
                        result = .success(())
                    } catch {
                        result = .failure(error)
                    }
                    outcomes[setup.name]?.resolve(result)
                }
            }
        }
    }
}
