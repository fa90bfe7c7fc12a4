// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffVoice

/// The limits of a ``SvenServer``.
public struct SvenConfiguration: Sendable, Hashable {
    /// How many prompts of one device are taken in ``window``.
    public var promptsPerWindow = SvenContract.rateLimit
    /// The stretch of time in which prompts are counted: 60 s.
    public var window = SvenContract.rateWindow
    /// How long the sink may take for a prompt: 30 s.
    public var handOver = SvenContract.handOver
    /// How long the verifier may take for an attestation: 10 s.
    public var verification: Duration = .seconds(10)
    /// How long a client may take to send its body: 30 s.
    public var bodyTimeout: Duration = .seconds(30)
    /// The most bytes of a body: 64 KB.
    public var bodyLimitBytes = 64 * 1024
    /// How many ids of prompts are remembered, so that a prompt that is sent twice is handed on once.
    public var rememberedPrompts = 1024

    /// The usual limits.
    public init() {}
}
