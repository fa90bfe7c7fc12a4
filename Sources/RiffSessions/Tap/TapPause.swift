// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The waits between two channels to a tap: none after one that brought bytes, longer ones after those that did not.
struct TapPause: Sendable {
    private var idle = 0
    private var failures = 0

    /// The wait before the next channel.
    ///
    /// - Parameter cameFar: Whether the last one brought bytes.
    /// - Returns: The wait.
    mutating func next(cameFar: Bool) -> Duration {
        failures = 0
        idle = cameFar ? 0 : min(idle + 1, 6)
        return idle == 0 ? .zero : .milliseconds(50 << idle)
    }

    /// The wait after a channel that brought no header.
    ///
    /// - Parameter words: What it brought instead.
    /// - Returns: The wait.
    /// - Throws: ``KitError`` with `failed` after several.
    mutating func failed(_ words: String) throws(KitError) -> Duration {
        failures += 1
        guard failures < 6 else {
            throw KitError(.failed, "The tap on the host does not answer. It wrote: \(words)", recovery: .retry)
        }
        return .milliseconds(100 << failures)
    }
}
