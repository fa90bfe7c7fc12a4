// Riff
// SPDX-License-Identifier: Apache-2.0

/// How long a Hermes database may take, and how much it may answer.
public struct HermesLimits: Sendable, Hashable {
    /// For one statement.
    public var query: Duration = .seconds(30)
    /// How many seconds a lock of another process is waited for.
    public var busySeconds = 5.0
    /// The most rows of one answer.
    public var rows = 200_000
    /// The most bytes of one answer.
    public var bytes = 32 << 20
    /// For opening a database on another machine, logging in included.
    public var opening: Duration = .seconds(30)

    /// The usual limits.
    public init() {}
}
