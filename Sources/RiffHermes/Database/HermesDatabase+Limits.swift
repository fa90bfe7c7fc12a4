// Riff
// SPDX-License-Identifier: Apache-2.0

extension HermesDatabase {
    /// The limits of a Hermes database: on the time it may take, and on the amount that it may answer.
    package struct Limits: Sendable, Hashable {
        /// For one statement.
        package var query: Duration = .seconds(30)
        /// The number of seconds that a lock of another process is waited for.
        package var busySeconds = 5.0
        /// The most rows of one answer.
        package var rows = 200_000
        /// The most bytes of one answer.
        package var bytes = 32 << 20
        /// For opening a database on another machine, logging in included.
        package var opening: Duration = .seconds(30)

        /// The usual limits.
        package init() {}
    }
}
