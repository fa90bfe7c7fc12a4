// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// A sequence that a source makes when it is asked for: nothing is buffered, so it is bounded by nature. It has one
/// iterator; any other throws `CoreError` with `hasReader`.
struct PulledSequence<Element: Sendable>: AsyncSequence, Sendable {
    typealias Failure = any Error

    private final class Claim: Sendable {
        let isTaken = Mutex(false)
    }

    private let claim = Claim()
    private let pull: @Sendable () async throws -> Element?

    init(_ pull: @escaping @Sendable () async throws -> Element?) { self.pull = pull }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let pull: @Sendable () async throws -> Element?
        mutating func next() async throws -> Element? { try await pull() }
        mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Element? {
            try await pull()
        }
    }

    @Sendable private static func refuse() async throws -> Element? { throw CoreError.hasReader("An audio source") }

    func makeAsyncIterator() -> Iterator {
        let isFirst = claim.isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        return Iterator(pull: isFirst ? pull : Self.refuse)
    }
}
