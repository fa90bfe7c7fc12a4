// Riff
// SPDX-License-Identifier: Apache-2.0

/// A history that may have grown unseen, since a connection was lost and it was not told again. What it is taken to be
/// could not tell whether an answer that is sent now arrives.
struct StaleHistory: Sendable {
    /// The time that an answer waits for the history after a new connection.
    static let patience = Duration.seconds(10)
    /// The time after a failure before the history is asked for again.
    static let pause = Duration.seconds(1)

    /// When an answer waits no longer: a hub that does not tell its histories takes answers all the same.
    var giveUp: Duration?
    /// When it is asked for again.
    var retry: Duration?

    /// When something is to be done.
    var deadline: Duration? { [giveUp, retry].compactMap(\.self).min() }
}
