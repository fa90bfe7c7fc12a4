// Riff
// SPDX-License-Identifier: Apache-2.0

/// The time limits for a ``ManagementCommand``.
public enum ManagementTiming {
    /// Nine seconds, opening the channel included: a handshake over a cold private network may take eight.
    public static let defaultTimeout: Duration = .seconds(9)
}
