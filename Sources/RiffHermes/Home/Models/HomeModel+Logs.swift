// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension HomeModel where Machine == LogsMachine {
    /// Feeds the view with a log until the task is cancelled. Where the log cannot be read, that is shown, and it is
    /// tried again.
    ///
    /// - Parameters:
    ///   - tail: The log, unfiltered.
    ///   - pause: How long is waited after a failure.
    /// - Throws: `CancellationError`.
    public func follow(_ tail: LogTail, pausing pause: Duration = .seconds(2)) async throws {
        var batches = tail.makeAsyncIterator()
        while true {
            do {
                guard let batch = try await batches.next() else { return }
                await send(.batch(batch))
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                await send(.problem(Problem(error)))
                try await tail.clock.sleep(for: pause)
            }
        }
    }
}
