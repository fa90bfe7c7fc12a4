// Riff
// SPDX-License-Identifier: Apache-2.0

/// The delays before each attempt to reconnect after a connection was lost.
public struct ReconnectPolicy: Sendable, Hashable {
    /// The waits before the first attempts, in order; the last one repeats.
    public let delays: [Duration]
    /// The number of attempts at the first connection, before anything was ever connected: one, unless said otherwise,
    /// so that a wrong host name is reported at once.
    public let firstDialAttempts: Int

    /// Creates a policy from its delays.
    ///
    /// - Parameters:
    ///   - delays: The waits; with none, every attempt is made at once.
    ///   - firstDialAttempts: At least 1.
    public init(delays: [Duration], firstDialAttempts: Int = 1) {
        self.delays = delays
        self.firstDialAttempts = max(1, firstDialAttempts)
    }

    /// 1, 2, 4, 8 and 15 seconds, then every 15 seconds.
    public static let standard = ReconnectPolicy(delays: [1, 2, 4, 8, 15].map { .seconds($0) })

    /// The wait before an attempt.
    ///
    /// - Parameter attempt: 1 for the first attempt after a loss.
    /// - Returns: The wait.
    public func delay(beforeAttempt attempt: Int) -> Duration {
        guard let last = delays.last else { return .zero }
        let index = max(1, attempt) - 1
        return index < delays.count ? delays[index] : last
    }
}
