// Riff
// SPDX-License-Identifier: Apache-2.0

extension HermesDatabase {
    /// How long a Hermes database may take, and how much it may answer.
    package struct Limits: Sendable, Hashable {
        /// For one statement.
        package var query: Duration = .seconds(30)
        /// How many seconds a lock of another process is waited for.
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
